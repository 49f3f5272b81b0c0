import type { NotPermittedReason, StateTransitionEvent } from '@recloser/core';
import { Histogram } from './histogram.ts';

/** How a call ended. `amended` is a success that became a failure: it is counted as both. */
export type CallOutcome = 'success' | 'failure' | 'ignored' | 'held' | 'amended';

/** Calls that ended alike. What they are told apart by is bounded: error kinds and rows of rules. */
export interface CallCount {
  readonly outcome: CallOutcome;
  /** The kind of the error, as `errorKind` has it; undefined where a response decided. */
  readonly kind: string | undefined;
  /** The name of the row that decided; undefined where it has none. */
  readonly rule: string | undefined;
  /** Of failures: what is at fault. */
  readonly domain: 'endpoint' | 'host' | undefined;
  count: number;
}

/** Moves that were alike. */
export interface TransitionCount extends Pick<StateTransitionEvent, 'from' | 'to' | 'reason'> {
  count: number;
}

/** What is counted of one breaker, from when it was made or first seen until it is evicted. */
export class BreakerSeries {
  readonly key: string;
  readonly name: string;
  readonly level: 'host' | 'endpoint' | undefined;
  readonly calls: CallCount[] = [];
  readonly transitions: TransitionCount[] = [];
  readonly refused: Map<NotPermittedReason, number> = new Map();
  /** How long calls took that succeeded or failed, in ms. */
  readonly durations: { readonly success: Histogram; readonly failure: Histogram };
  /** From open to closed, in ms. */
  readonly recoveries: Histogram;

  constructor(
    key: string,
    name: string,
    level: 'host' | 'endpoint' | undefined,
    durationBounds: readonly number[],
    recoveryBounds: readonly number[],
  ) {
    this.key = key;
    this.name = name;
    this.level = level;
    this.durations = {
      success: new Histogram(durationBounds),
      failure: new Histogram(durationBounds),
    };
    this.recoveries = new Histogram(recoveryBounds);
  }

  /** Counts a call; what it was counted with. */
  call(
    outcome: CallOutcome,
    kind: string | undefined,
    rule: string | undefined,
    domain: 'endpoint' | 'host' | undefined,
  ): CallCount {
    for (const known of this.calls) {
      // There are few, and the first are what most calls are.
      if (
        known.outcome === outcome &&
        known.kind === kind &&
        known.rule === rule &&
        known.domain === domain
      ) {
        known.count++;
        return known;
      }
    }
    const made = { outcome, kind, rule, domain, count: 1 };
    this.calls.push(made);
    return made;
  }

  refusal(reason: NotPermittedReason): void {
    this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
  }

  transition({ from, to, reason }: StateTransitionEvent): void {
    const known = this.transitions.find(
      (each) => each.from === from && each.to === to && each.reason === reason,
    );
    if (known === undefined) this.transitions.push({ from, to, reason, count: 1 });
    else known.count++;
  }
}
