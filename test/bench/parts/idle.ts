// What breakers take while nobody calls them, beyond a process without any: 100,000 of Recloser's,
// each called once before; fewer of the others', scaled to as many. Timers are those that the first
// thousand made and did not clear.

import { createHook } from 'node:async_hooks';
import {
  cockatielSampling,
  countWindow,
  mollitia,
  ofEach,
  opossum,
  recloser,
  timeWindow,
  type Guard,
} from '../contestants.ts';
import type { Figures, Part, Report } from '../part.ts';
import { median } from '../statistics.ts';
import { ratio, shown, spread } from '../table.ts';

const WANTED = 100_000;
const OF_OTHERS = 10_000;
const WATCHED = 1000;
const IDLE_MS = 1000;
const SWEEPING_MS = 300;
/** What cannot be told from nothing. */
const NOISE = 0.5;

interface Idleness {
  readonly instances: number;
  readonly timersEach: number;
  /** Percent of one core. */
  readonly cpu: number;
}

const body = async (): Promise<number> => 1;

async function timersOf(work: () => Promise<void>): Promise<number> {
  const timers = new Set<number>();
  const hook = createHook({
    init: (id, type) => type === 'Timeout' && timers.add(id),
    destroy: (id) => timers.delete(id),
  }).enable();
  await work();
  // What is destroyed is told a little later.
  await new Promise((resolve) => setImmediate(resolve));
  hook.disable();
  return timers.size;
}

async function idle(guard: Guard | undefined, instances: number): Promise<Idleness> {
  const kept: unknown[] = [];
  const makeUpTo = async (count: number): Promise<void> => {
    while (guard !== undefined && kept.length < count) {
      const guarded = await guard(body);
      await guarded();
      kept.push(guarded);
    }
  };
  const timersEach = (await timersOf(() => makeUpTo(WATCHED))) / WATCHED;
  await makeUpTo(instances);
  globalThis.gc!();
  // Sweeping goes on on other threads.
  await new Promise((resolve) => setTimeout(resolve, SWEEPING_MS));
  const begun = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const { user, system } = process.cpuUsage(begun);
  if (guard !== undefined && kept.length < instances) throw new Error('one was not made');
  return { instances, timersEach, cpu: (user + system) / 10 / IDLE_MS };
}

const nothing = 'nothing';
const own = {
  'Recloser, time window': recloser(timeWindow),
  'Recloser, count window': recloser(countWindow),
};
const others = {
  'cockatiel, SamplingBreaker': cockatielSampling(),
  'opossum, default': opossum(),
  'mollitia, time window': mollitia('time'),
};

function report(figures: Figures<Idleness>): Report {
  const empty = median(figures[nothing]!.map(({ cpu }) => cpu));
  const cpuOf = (name: string): number[] =>
    figures[name]!.map(({ cpu, instances }) => ((cpu - empty) * WANTED) / instances);
  const timersOfEach = (name: string): number =>
    median(figures[name]!.map(({ timersEach }) => timersEach));
  const most = median(cpuOf('opossum, default'));
  return {
    head: ['', 'timers each', '% of a core: median (least to most)', 'of opossum, default'],
    rows: Object.keys(figures).map((name) => [
      name,
      shown(timersOfEach(name)),
      spread(cpuOf(name)),
      ratio(median(cpuOf(name)) / most),
    ]),
    targets: Object.keys(own).map((name) => {
      const [timers, cpu] = [timersOfEach(name), median(cpuOf(name))];
      return {
        what: `100,000 idle: ${name}`,
        reach: `no timer, ≤ ${NOISE} % of a core`,
        measured: `${shown(timers)} timers, ${shown(cpu)} %`,
        isMet: timers === 0 && cpu <= NOISE,
      };
    }),
    note:
      'CPU beyond a process without breakers. ' +
      `The others with ${shown(OF_OTHERS)} breakers, scaled to ${shown(WANTED)}.`,
  };
}

export const part: Part<Idleness> = {
  title: '100,000 breakers, idle',
  contestants: {
    [nothing]: () => idle(undefined, WANTED),
    ...ofEach(own, (guard) => idle(guard, WANTED)),
    ...ofEach(others, (guard) => idle(guard, OF_OTHERS)),
  },
  report,
};
