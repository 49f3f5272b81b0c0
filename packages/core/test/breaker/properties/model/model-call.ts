import type { Counts, Outcome } from './counts.ts';

/** One admitted call, as the model sees it. */
export interface ModelCall {
  readonly admittedAt: number;
  /** The counts of the period that admitted it; none in disabled. */
  readonly counts: Counts | undefined;
  readonly trial: boolean;
  /** Neither settled nor written off. */
  out: boolean;
  /** Settled by the caller; a written-off call is not out, and not settled. */
  settled: boolean;
  /** Its outcome was counted when it stalled. */
  stalled: boolean;
  outcome: Outcome | undefined;
  /** Its success among the row's, for an amendment. */
  success: { failed: boolean } | undefined;
  amendable: boolean;
}

export function newCall(admittedAt: number, counts: Counts | undefined, trial: boolean): ModelCall {
  return {
    admittedAt,
    counts,
    trial,
    out: true,
    settled: false,
    stalled: false,
    outcome: undefined,
    success: undefined,
    amendable: false,
  };
}
