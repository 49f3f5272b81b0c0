import { checkAbove, checkAtLeast, checkNames, checkNumber, shown } from './checks.ts';

/** Waits that grow with the openings in a row, as data. */
export interface GrowingWait {
  /** The first wait in ms, at least 1. */
  readonly initial: number;
  /** Each wait is the one before times this, cut to whole ms. @default 1.5 */
  readonly multiplier?: number;
  /** The longest wait in ms, before the jitter. @default none */
  readonly max?: number;
  /**
   * Spreads each wait evenly over ± this share of it, 0 to 1, after the cap, so that instances that
   * wait the longest do not all come back in the same moment.
   * @default 0
   */
  readonly randomizationFactor?: number;
}

/**
 * How long an open breaker waits: fixed in ms, growing as data, or a function of the number of
 * openings in a row (1, 2, …) that returns ms.
 */
export type WaitDuration = number | GrowingWait | ((openings: number) => number);

// So long that it makes no difference, and short enough that a clock's reading can pass it.
const LONGEST_WAIT = 2 ** 52;

const growingWaitNames = ['initial', 'multiplier', 'max', 'randomizationFactor'] as const;

/**
 * Checks a wait and makes it a function of the openings in a row. `option` is what an error calls
 * it.
 */
export function resolveWaitDuration(option: string, wait: unknown): (openings: number) => number {
  if (typeof wait === 'function') return wait as (openings: number) => number;
  if (typeof wait === 'number') {
    const fixed = checkAtLeast(option, wait, 1);
    return () => fixed;
  }
  if (typeof wait !== 'object' || wait === null || Array.isArray(wait)) {
    throw new TypeError(
      `${option} must be a number of ms, { initial, multiplier, max, randomizationFactor } or a function, but is ${shown(wait)}`,
    );
  }
  return growing(option, wait as GrowingWait);
}

function growing(option: string, wait: GrowingWait): (openings: number) => number {
  checkNames(option, wait, growingWaitNames);
  const initial = checkAtLeast(`${option}.initial`, wait.initial, 1);
  const multiplier =
    wait.multiplier === undefined ? 1.5 : checkAbove(`${option}.multiplier`, wait.multiplier, 0);
  const max = wait.max === undefined ? LONGEST_WAIT : checkAtLeast(`${option}.max`, wait.max, 1);
  const factor =
    wait.randomizationFactor === undefined
      ? 0
      : checkNumber(`${option}.randomizationFactor`, wait.randomizationFactor);
  if (factor < 0 || factor > 1)
    throw new RangeError(`${option}.randomizationFactor must be from 0 to 1, but is ${factor}`);
  return (openings) => randomized(Math.min(grown(initial, multiplier, openings), max), factor);
}

function grown(initial: number, multiplier: number, openings: number): number {
  let wait = initial;
  for (let opening = 1; opening < openings; opening++) {
    const next = Math.floor(wait * multiplier);
    if (next === wait) break;
    wait = next;
    if (wait >= LONGEST_WAIT) return LONGEST_WAIT;
  }
  return wait;
}

function randomized(wait: number, factor: number): number {
  if (factor === 0) return wait;
  // Resilience4j's range: from wait - d to wait + d, both included, in whole ms and never below 1.
  const deviation = wait * factor;
  return Math.max(1, Math.floor(wait - deviation + Math.random() * (2 * deviation + 1)));
}
