import { Random } from '@recloser/test-support/random';
import type { Timeline } from './scenario.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** So many calls, and the spans for which a simulation of them is worth its time. In ms. */
export interface Traffic {
  readonly name: string;
  readonly callsPerSecond: number;
  readonly seeds: readonly number[];
  /** How long a fault lasts, and up to a minute more. */
  readonly fault: number;
  /** All runs together. */
  readonly noise: number;
  readonly slowByNature: number;
}

export const traffics: readonly Traffic[] = [
  traffic('1 a minute', 1 / 60, { fault: HOUR, noise: 24 * HOUR, slowByNature: 24 * HOUR }),
  traffic('1 a second', 1, { fault: 10 * MINUTE, noise: 24 * HOUR, slowByNature: 6 * HOUR }),
  traffic('10 a second', 10, { fault: 5 * MINUTE, noise: 24 * HOUR, slowByNature: HOUR }),
  traffic('50 a second', 50, { fault: 3 * MINUTE, noise: 2 * HOUR, slowByNature: 15 * MINUTE }),
  traffic('500 a second', 500, {
    fault: 40 * SECOND,
    noise: 10 * MINUTE,
    slowByNature: 2 * MINUTE,
  }),
];

function traffic(
  name: string,
  callsPerSecond: number,
  spans: Pick<Traffic, 'fault' | 'noise' | 'slowByNature'>,
): Traffic {
  const seeds = callsPerSecond < 500 ? [1, 2, 3, 4, 5] : [1, 2, 3];
  return { name, callsPerSecond, seeds, ...spans };
}

/** The fault ends at any moment of a minute, so that it meets the waits in all their phases. */
export function faultTimeline({ fault }: Pick<Traffic, 'fault'>, seed: number): Timeline {
  const breaksAt = Math.min(fault / 4, MINUTE);
  const more = new Random(seed + 1000).between(0, Math.min(fault, MINUTE));
  const healsAt = breaksAt + fault + Math.floor(more);
  return { breaksAt, healsAt, endsAt: healsAt + 2 * HOUR };
}

/** The same from the beginning to the end. */
export function steadyTimeline(span: number): Timeline {
  return { breaksAt: 0, healsAt: span, endsAt: span };
}
