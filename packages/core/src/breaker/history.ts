import type { LastFailure } from './errors.ts';
import type { OutcomeDetails } from './events.ts';
import type { CircuitBreakerState } from './state.ts';

/** What a breaker remembers over all its periods. Instants are monotonic ms. */
export class History {
  totalOpenings = 0;
  lateOutcomes = 0;
  stalledCalls = 0;
  everEvaluated = false;
  lastOpened: number | undefined = undefined;
  lastRecoveryMs: number | undefined = undefined;
  // One record that is written over, so that a failure allocates nothing.
  #lastFailure:
    | {
        instant: number;
        kind: string | undefined;
        status: number | undefined;
        code: string | undefined;
      }
    | undefined;
  /** When it first opened without having closed since; none begins in an operator's state. */
  outageBegan: number | undefined = undefined;

  /** @returns how long the outage took that this move ends, if it ends one */
  moved(from: CircuitBreakerState, to: CircuitBreakerState, now: number): number | undefined {
    if (to === 'open' && from !== 'open') {
      this.totalOpenings++;
      this.lastOpened = now;
      this.outageBegan ??= now;
    } else if (to === 'closed' && this.outageBegan !== undefined) {
      this.lastRecoveryMs = now - this.outageBegan;
      this.outageBegan = undefined;
      return this.lastRecoveryMs;
    } else if (to !== 'half-open' && to !== 'open') {
      this.outageBegan = undefined;
    }
    return undefined;
  }

  /** A reset is no recovery. */
  endOutage(): void {
    this.outageBegan = undefined;
  }

  failed(error: unknown, details: OutcomeDetails | undefined, now: number): void {
    const last = (this.#lastFailure ??= {
      instant: now,
      kind: undefined,
      status: undefined,
      code: undefined,
    });
    last.instant = now;
    last.kind = details?.kind ?? textOf(error, 'name');
    last.status = details?.status;
    last.code = details?.code ?? textOf(error, 'code');
  }

  /** @param dateOf  the wall-clock time of an instant */
  lastFailure(dateOf: (instant: number) => number): LastFailure | undefined {
    if (this.#lastFailure === undefined) return undefined;
    const { instant, kind, status, code } = this.#lastFailure;
    // Every refusal has one: spreads of what there is cost a fifth of it (test/bench/parts/refusal.ts).
    const failure: Writable<LastFailure> = { at: dateOf(instant) };
    if (kind !== undefined) failure.kind = kind;
    if (status !== undefined) failure.status = status;
    if (code !== undefined) failure.code = code;
    return failure;
  }
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * A short text property of whatever was thrown. Codes that are numbers are no codes: DOMException
 * has such.
 */
function textOf(error: unknown, property: 'name' | 'code'): string | undefined {
  try {
    const text = (error as { readonly [name: string]: unknown } | null | undefined)?.[property];
    return typeof text === 'string' ? text.slice(0, 100) : undefined;
  } catch {
    return undefined;
  }
}
