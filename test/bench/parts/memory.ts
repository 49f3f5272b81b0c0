// What 1,000 endpoints with 10,000 requests in flight take, with the breakers of their hosts; and
// the same again after ten times as many keys have come and gone, where there is room for the first
// only. Of the others a Map holds one breaker for each key: nothing bounds that.

import { HttpCircuitBreaker, type Admission } from '@recloser/core';
import { cockatielSampling, opossum, type Guard } from '../contestants.ts';
import { usedBytes } from '../measure.ts';
import type { Figures, Part, Report } from '../part.ts';
import { median } from '../statistics.ts';
import { ratio, shown, spread } from '../table.ts';

const KEYS = 1000;
const KEYS_PER_HOST = 10;
const IN_FLIGHT = 10_000;
const TIMES = 10;
/** Memos of paths fill up meanwhile. */
const BOUND = 1.25;
/** Names that are not taken for ids. */
const ROUTES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

interface Memory {
  readonly bytes: number;
  /** After ten times the keys, with as many calls in flight. */
  readonly later: number;
}

/** Keys of a generation are none of another. */
async function measured<Call>(
  begin: (key: number) => Call | Promise<Call>,
  endAll: (calls: readonly Call[]) => unknown,
): Promise<Memory> {
  const calls: Call[] = [];
  const beginAll = async (generation: number): Promise<void> => {
    for (let call = 0; call < IN_FLIGHT; call++) {
      calls.push(await begin(generation * KEYS + (call % KEYS)));
    }
  };
  const before = await usedBytes();
  await beginAll(0);
  const bytes = (await usedBytes()) - before;
  for (let generation = 1; generation <= TIMES; generation++) {
    await endAll(calls);
    calls.length = 0;
    await beginAll(generation);
  }
  return { bytes, later: (await usedBytes()) - before };
}

function ofRecloser(): Promise<Memory> {
  const breaker = new HttpCircuitBreaker({ maxBreakers: KEYS + KEYS / KEYS_PER_HOST });
  return measured<Admission>(
    (key) => {
      const origin = `https://host-${Math.floor(key / KEYS_PER_HOST)}.example.com`;
      const path = `/route-${ROUTES[key % KEYS_PER_HOST]}`;
      return breaker.admit({ method: 'GET', origin, path });
    },
    (admissions) => {
      for (const admission of admissions) admission.responded(200);
      const { breakers, overflows } = breaker.snapshot();
      if (overflows > 0) throw new Error('a key got no breaker');
      if (breakers.length !== KEYS + KEYS / KEYS_PER_HOST) throw new Error('keys were folded');
    },
  );
}

function ofOthers(guard: Guard): Promise<Memory> {
  const guards = new Map<string, () => Promise<number>>();
  const releases: ((value: number) => void)[] = [];
  const body = (): Promise<number> => new Promise((resolve) => releases.push(resolve));
  return measured<{ readonly ended: Promise<number> }>(
    async (number) => {
      const key = `key ${number}`;
      const guarded = guards.get(key) ?? (await guard(body));
      guards.set(key, guarded);
      return { ended: guarded() };
    },
    async (calls) => {
      for (const release of releases.splice(0)) release(1);
      await Promise.all(calls.map(({ ended }) => ended));
    },
  );
}

const MIB = 2 ** 20;
const own = 'Recloser, endpoints and hosts';

function report(figures: Figures<Memory>): Report {
  const grown = (name: string): number =>
    median(figures[name]!.map(({ bytes, later }) => later / bytes));
  const mib = (name: string, when: keyof Memory): number[] =>
    figures[name]!.map((memory) => memory[when] / MIB);
  const measuredGrowth = grown(own);
  return {
    head: ['', 'MiB: median (least to most)', 'after ten times the keys', 'growth', `of ${own}`],
    rows: Object.keys(figures).map((name) => [
      name,
      spread(mib(name, 'bytes')),
      spread(mib(name, 'later')),
      `× ${ratio(grown(name))}`,
      ratio(median(mib(name, 'later')) / median(mib(own, 'later'))),
    ]),
    targets: [
      {
        what: 'memory at 1,000 keys, 10,000 calls in flight, after ten times the keys',
        reach: `≤ ${BOUND} × what it was`,
        measured: `${ratio(measuredGrowth)} ×: ${shown(median(mib(own, 'later')))} MiB`,
        isMet: measuredGrowth <= BOUND,
      },
    ],
  };
}

export const part: Part<Memory> = {
  title: 'Memory at 1,000 keys, with 10,000 calls in flight',
  contestants: {
    [own]: ofRecloser,
    'cockatiel, SamplingBreaker, in a Map': () => ofOthers(cockatielSampling()),
    'opossum, default, in a Map': () => ofOthers(opossum()),
  },
  report,
};
