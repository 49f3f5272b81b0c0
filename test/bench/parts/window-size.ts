// What the size of the window costs: time for each call, one in four failing, in a window that is
// full at 1,000 calls a second, and in one that has expired whole at each call. Clocks are driven
// by the calls. Of opossum, which counts anew at each failing call, only those are measured; its
// calls took 0 to 50 ms, and are all in one of its buckets, which is to its favour.

import { CircuitBreaker } from '@recloser/core';
import { cockatielSampling, mollitia, opossum, type Guard } from '../contestants.ts';
import { async, nsPerCall, nsPerSlowCall, sync } from '../measure.ts';
import type { Figures, Part, Report } from '../part.ts';
import { median } from '../statistics.ts';
import { atMostTimes, ratio, spread } from '../table.ts';

const CALLS_PER_SECOND = 1000;
const SECONDS = [10, 60, 600];
const COUNTS = [10, 1000, 100_000];
// Into the smallest as into the largest, for what has been called more is compiled otherwise.
const FILL = CALLS_PER_SECOND * Math.max(...SECONDS);

/** All clocks are this one. */
function setClocks(now: () => number): void {
  globalThis.performance.now = now;
  globalThis.Date.now = now;
}

/** All clocks are one that goes on by so much at each reading. */
function driveClocks(step: () => number): void {
  let ms = 1_000_000;
  setClocks(() => (ms += step()));
}

function ofRecloser(
  slidingWindowType: 'count-based' | 'time-based',
  slidingWindowSize: number,
  msPerCall: number,
): Promise<number> {
  // 600 s a call are so many that the seconds would leave 31 bits, as those of no program do.
  let ms = -2e12;
  setClocks(() => ms);
  const breaker = new CircuitBreaker('bench', { slidingWindowType, slidingWindowSize });
  let call = 0;
  const calls = sync(() => {
    // Between calls: with 600 s in each, all would be slow.
    ms += msPerCall;
    const permit = breaker.tryAcquire();
    if (permit === undefined) return 0;
    if (call++ % 4 === 0) permit.failure();
    else permit.success();
    return 1;
  });
  void calls(FILL);
  return nsPerCall(calls);
}

async function ofGuard(guard: Guard, fill: number, onlyFailing: boolean): Promise<number> {
  let call = 0;
  let isFailing = false;
  const failure = new Error('the dependency is down');
  const guarded = await guard(async () => {
    if (isFailing && (onlyFailing || call++ % 4 === 0)) throw failure;
    return 1;
  });
  const calls = async(() => guarded().catch((error) => (error === failure ? 1 : 0)));
  await calls(fill);
  isFailing = true;
  return onlyFailing ? nsPerSlowCall(calls, 300) : nsPerCall(calls);
}

function bySize<Size>(
  name: (size: Size) => string,
  sizes: readonly Size[],
  measure: (size: Size) => Promise<number>,
): Record<string, () => Promise<number>> {
  return Object.fromEntries(sizes.map((size) => [name(size), () => measure(size)]));
}

const msPerCall = 1000 / CALLS_PER_SECOND;

const groups = {
  'Recloser, count window': bySize(
    (size) => `Recloser, ${size.toLocaleString('en')} calls`,
    COUNTS,
    (size) => ofRecloser('count-based', size, msPerCall),
  ),
  'Recloser, time window': bySize(
    (size) => `Recloser, ${size} s`,
    SECONDS,
    (size) => ofRecloser('time-based', size, msPerCall),
  ),
  'Recloser, expired window': bySize(
    (size) => `Recloser, ${size} s, expired`,
    SECONDS,
    (size) => ofRecloser('time-based', size, (size + 1) * 1000),
  ),
  'cockatiel, SamplingBreaker': bySize(
    (size) => `cockatiel, SamplingBreaker, ${size} s`,
    SECONDS,
    (size) => {
      driveClocks(() => msPerCall);
      return ofGuard(cockatielSampling(size), size * CALLS_PER_SECOND, false);
    },
  ),
  'opossum, default': bySize(
    (size) => `opossum, default, ${size} s, failing calls`,
    SECONDS,
    (size) => {
      driveClocks(() => Math.floor(Math.random() * 51));
      return ofGuard(opossum({ rollingCountTimeout: size * 1000 }), size * CALLS_PER_SECOND, true);
    },
  ),
  // It keeps 1,000 calls at the most, however long its window is.
  'mollitia, time window': bySize(
    (size) => `mollitia, time window, ${size} s`,
    SECONDS,
    (size) => ofGuard(mollitia('time', size), 2000, false),
  ),
};

function report(figures: Figures<number>): Report {
  const rows: string[][] = [];
  const targets = [];
  for (const [group, contestants] of Object.entries(groups)) {
    const names = Object.keys(contestants);
    const medians = names.map((name) => median(figures[name]!));
    for (const [index, name] of names.entries()) {
      rows.push([name, spread(figures[name]!), ratio(medians[index]! / medians[0]!)]);
    }
    if (!group.startsWith('Recloser')) continue;
    const measured = Math.max(...medians) / Math.min(...medians);
    targets.push(
      atMostTimes(`size of the window: ${group}`, 1.2, measured, 'the least of any size'),
    );
  }
  const head = ['', 'ns: median (least to most)', 'of the smallest'];
  const note =
    'Full windows, at 1,000 calls a second of driven clocks; one call in four fails, for opossum ' +
    'every one. Recloser by `tryAcquire` and a settle, the others by their `execute`.';
  return { head, rows, targets, note };
}

export const part: Part<number> = {
  title: 'The size of the window',
  contestants: Object.assign({}, ...Object.values(groups)) as Part<number>['contestants'],
  report,
};
