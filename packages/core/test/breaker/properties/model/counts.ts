/** One counted outcome. A stalled call's, and an amended one's, is changed in place. */
export interface Outcome {
  /** The instant as of which it was counted. */
  at: number;
  failed: boolean;
  slow: boolean;
}

export interface WindowShape {
  unit: 'calls' | 'seconds';
  size: number;
  /** Below so many outcomes both rates read -1. */
  minimum: number;
}

/** The counts of one period. Keeps every outcome for ever, and counts anew at each question. */
export class Counts {
  readonly outcomes: Outcome[] = [];
  /** Successes and failures in the order in which they were learnt; a stalled call stands for a failure. */
  readonly row: { failed: boolean }[] = [];
  lastSuccess: { failed: boolean } | undefined;
  notPermitted = 0;
  retryAt = -Infinity;
  readonly announced = { failureRate: false, slowCallRate: false };
  readonly shape: WindowShape;

  constructor(shape: WindowShape) {
    this.shape = shape;
  }

  window(now: number): Outcome[] {
    const { unit, size } = this.shape;
    if (unit === 'calls') return this.outcomes.slice(-size);
    const oldest = Math.floor(now / 1000) - size + 1;
    return this.outcomes.filter((outcome) => Math.floor(outcome.at / 1000) >= oldest);
  }

  numbers(now: number): {
    buffered: number;
    failed: number;
    slow: number;
    slowFailed: number;
    failureRate: number;
    slowCallRate: number;
  } {
    const window = this.window(now);
    const buffered = window.length;
    const failed = window.filter((outcome) => outcome.failed).length;
    const slow = window.filter((outcome) => outcome.slow).length;
    const slowFailed = window.filter((outcome) => outcome.slow && outcome.failed).length;
    const enough = buffered > 0 && buffered >= this.shape.minimum;
    return {
      buffered,
      failed,
      slow,
      slowFailed,
      failureRate: enough ? (failed * 100) / buffered : -1,
      slowCallRate: enough ? (slow * 100) / buffered : -1,
    };
  }

  failuresInARow(): number {
    let length = 0;
    while (this.row.at(-1 - length)?.failed) length++;
    return length;
  }
}
