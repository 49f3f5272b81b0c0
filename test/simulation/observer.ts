import type { StateTransitionEvent } from '@recloser/core';
import type { Timeline } from './scenario.ts';

/** What came of one run. Spans are ms. */
export interface Run {
  /** From the fault to the first opening; undefined where nothing opened while it lasted. */
  readonly foundAfter: number | undefined;
  /** Calls that met the fault before that. */
  readonly callsToFind: number | undefined;
  /** Calls that met the fault, and those that would have without a breaker. */
  readonly reached: number;
  readonly faulty: number;
  /** From the end of the fault until every breaker is closed; 0 where all are. */
  readonly closedAfter: number | undefined;
  /** From the end of the fault until the first call to what was broken has its good answer. */
  readonly answeredAfter: number | undefined;
  /** While it lasted: calls that were refused, of those that the server would have served. */
  readonly goodRefused: number;
  readonly good: number;
  /** Moves from closed to open before its end. */
  readonly openings: number;
}

/** Sees every arrival, answer and move of a run, and keeps count. */
export class Observer {
  readonly #timeline: Timeline;
  readonly #notClosed = new Set<string>();
  #foundAfter: number | undefined;
  #callsToFind: number | undefined;
  #reached = 0;
  #faulty = 0;
  #closedAfter: number | undefined;
  #answeredAfter: number | undefined;
  #goodRefused = 0;
  #good = 0;
  #openings = 0;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Nothing is left to be seen. */
  get isDone(): boolean {
    return this.#answeredAfter !== undefined && this.#closedAfter !== undefined;
  }

  moved({ breaker, from, to, at }: StateTransitionEvent): void {
    const { breaksAt, healsAt } = this.#timeline;
    if (to === 'closed') this.#notClosed.delete(breaker);
    else this.#notClosed.add(breaker);
    if (at < healsAt && from === 'closed') {
      this.#openings++;
      if (at >= breaksAt && this.#foundAfter === undefined) {
        this.#foundAfter = at - breaksAt;
        this.#callsToFind = this.#reached;
      }
    }
    if (at >= healsAt && this.#notClosed.size === 0) this.#closedAfter ??= at - healsAt;
  }

  arrived(now: number, isFaulty: boolean, isGood: boolean, isAdmitted: boolean): void {
    if (now >= this.#timeline.healsAt) {
      if (this.#notClosed.size === 0) this.#closedAfter ??= 0;
      return;
    }
    if (isFaulty) this.#faulty++;
    if (isFaulty && isAdmitted) this.#reached++;
    if (!isGood || now < this.#timeline.breaksAt) return;
    this.#good++;
    if (!isAdmitted) this.#goodRefused++;
  }

  answered(sentAt: number, now: number): void {
    const { healsAt } = this.#timeline;
    if (sentAt >= healsAt) this.#answeredAfter ??= now - healsAt;
  }

  run(): Run {
    return {
      foundAfter: this.#foundAfter,
      callsToFind: this.#callsToFind,
      reached: this.#reached,
      faulty: this.#faulty,
      closedAfter: this.#closedAfter,
      answeredAfter: this.#answeredAfter,
      goodRefused: this.#goodRefused,
      good: this.#good,
      openings: this.#openings,
    };
  }
}
