import type {
  HttpCircuitBreaker,
  OutcomeDetails,
  StateTransitionEvent,
  TransitionReason,
} from '@recloser/core';

/** The latest move to open, and the failure before it that speaks for it. */
export interface Opening extends Pick<OutcomeDetails, 'rule' | 'kind' | 'status'> {
  readonly reason: TransitionReason;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface Cause extends Pick<OutcomeDetails, 'rule' | 'kind' | 'status'> {
  readonly at: number;
}

interface EventOfOne {
  readonly breaker: string;
  readonly key?: string;
  readonly at: number;
}

const ofFailures: readonly TransitionReason[] = [
  'failure-rate',
  'failure-count',
  'consecutive-failures',
  'trip',
  'hold',
];
const ofNobody: readonly TransitionReason[] = ['manual', 'reset'];

/** What each breaker opened for. Breakers that are gone leave nothing behind. */
export class Openings {
  readonly #breaker: HttpCircuitBreaker;
  readonly #stops: readonly (() => void)[];
  readonly #known = new Map<string, { cause?: Cause; opening?: Opening }>();

  constructor(breaker: HttpCircuitBreaker) {
    this.#breaker = breaker;
    // Each comes before the move that it causes. A success opens, too, where it was slow; but to
    // listen to those would cost every call.
    this.#stops = [
      breaker.on('failure', (event) => this.#failed(event, event)),
      breaker.on('amended', (event) => this.#failed(event, event)),
      breaker.on('held', (event) => this.#failed(event, event)),
      breaker.on('stalledCall', (event) => this.#failed(event, { kind: 'stalled' })),
      breaker.on('stateTransition', (event) => this.#moved(event)),
      breaker.on('breakerEvicted', ({ key }) => this.#known.delete(key)),
    ];
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  of(key: string): Opening | undefined {
    return this.#known.get(key)?.opening;
  }

  #failed(event: EventOfOne, { rule, kind, status }: OutcomeDetails): void {
    this.#update(event, { cause: { rule, kind, status, at: event.at } });
  }

  #moved(event: StateTransitionEvent): void {
    if (event.to !== 'open') return;
    const { reason, at } = event;
    const cause = this.#known.get(keyOf(event))?.cause;
    const { rule, kind, status } = cause !== undefined && isCausedBy(event, cause) ? cause : {};
    this.#update(event, { opening: { reason, at, rule, kind, status } });
  }

  #update(event: EventOfOne, news: { cause: Cause } | { opening: Opening }): void {
    const key = keyOf(event);
    const known = this.#known.get(key);
    if (known !== undefined) Object.assign(known, news);
    // Of one that was evicted meanwhile the last events come late.
    else if (this.#breaker.find(key) !== undefined) this.#known.set(key, { ...news });
  }
}

function keyOf({ breaker, key = breaker }: EventOfOne): string {
  return key;
}

function isCausedBy({ reason, at }: StateTransitionEvent, cause: Cause): boolean {
  if (ofFailures.includes(reason)) return true;
  if (ofNobody.includes(reason)) return false;
  // The dates of one instant may differ by the last digit.
  return Math.abs(at - cause.at) <= 1;
}
