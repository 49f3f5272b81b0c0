// A whole request against a server in a process of its own, over loopback and kept-alive
// connections: CPU of the client for each request. Slices of requests through the bare client and
// through each guard follow one another in one process, in a new order each time, so that a drift
// of the machine meets all alike; a block is one slice of each. No garbage of one slice is left to
// the next.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { guardedSends, type Send } from '../guarded-sends.ts';
import type { Figures, Part, Report, Target } from '../part.ts';
import { medianWithInterval } from '../statistics.ts';
import { ratio, spread } from '../table.ts';

// Of CPU. Of wall time the others: undici is not warm before.
const SLICE_MS = 20;
const WARM_UP_MS = 2500;
const MEASURED_MS = 2000;
const MOST = 1.03;

/** CPU of a request in µs, in each block, by what guards it. */
type Blocks = Readonly<Record<string, readonly number[]>>;

async function startServer(): Promise<string> {
  const server = fork(new URL('../server.ts', import.meta.url), { execArgv: [] });
  const [port] = (await once(server, 'message')) as [number];
  return `http://127.0.0.1:${port}`;
}

/** So many requests, so many of them in flight at any time. */
async function slice(send: Send, requests: number, inFlight: number): Promise<number> {
  globalThis.gc!({ type: 'minor' });
  let left = requests;
  const begun = process.cpuUsage();
  const sendSome = async (): Promise<void> => {
    while (left-- > 0) {
      const text = await send(`/items/${left % 64}`);
      if (text.length !== 200) throw new Error('the server did not answer');
    }
  };
  await Promise.all(Array.from({ length: inFlight }, sendSome));
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / requests;
}

function shuffled<T>(values: readonly T[]): readonly T[] {
  return values
    .map((value) => [Math.random(), value] as const)
    .toSorted(([left], [right]) => left - right)
    .map(([, value]) => value);
}

async function blocksOf(client: 'undici' | 'fetch', inFlight: number): Promise<Blocks> {
  const sends = Object.entries(guardedSends(client, await startServer()));
  const warmUpEnds = performance.now() + WARM_UP_MS;
  let requests = 64;
  while (performance.now() < warmUpEnds) {
    for (const [, send] of sends) {
      const micros = await slice(send, requests, inFlight);
      requests = Math.max(64, Math.round((SLICE_MS * 1000) / micros));
    }
  }
  const blocks: Record<string, number[]> = Object.fromEntries(sends.map(([name]) => [name, []]));
  const ends = performance.now() + MEASURED_MS;
  while (performance.now() < ends) {
    for (const [name, send] of shuffled(sends)) {
      blocks[name]!.push(await slice(send, requests, inFlight));
    }
  }
  return blocks;
}

function percent(value: number): string {
  const more = (value - 1) * 100;
  return `${more < 0 ? '' : '+'}${more.toFixed(1)}`;
}

function report(figures: Figures<Blocks>): Report {
  const rows: string[][] = [];
  const targets: Target[] = [];
  for (const [setting, rounds] of Object.entries(figures)) {
    const shareOf = (name: string): ReturnType<typeof medianWithInterval> =>
      medianWithInterval(
        rounds.map((blocks) =>
          blocks[name]!.map((value, block) => value / blocks['bare']![block]!),
        ),
      );
    const moreOf = (name: string): string => {
      const { median, least, most } = shareOf(name);
      return `${percent(median)} % (${percent(least)} to ${percent(most)})`;
    };
    for (const name of Object.keys(rounds[0]!)) {
      const micros = rounds.flatMap((blocks) => blocks[name]!);
      const { median } = shareOf(name);
      const more = moreOf(name);
      const compared = name === 'bare' ? ['', ''] : [ratio(median), more];
      rows.push([`${setting}, ${name}`, spread(micros), ...compared]);
      if (!name.startsWith('Recloser')) continue;
      targets.push({
        what: `whole request: ${setting}: CPU of the client`,
        reach: '≤ +3 %',
        measured: more,
        isMet: median <= MOST,
        floor: `${moreOf('minimal breaker')}: the minimal breaker, with one key for all`,
      });
    }
  }
  const head = ['', 'µs: median (least to most)', 'of bare', 'more CPU, 95 % confidence'];
  const note =
    'CPU of the client, its system calls included. Each share is that of a slice of requests and of ' +
    'the bare slice beside it; all slices of a round ran in one process. The minimal breaker has ' +
    'one key for all.';
  return { head, rows, targets, note };
}

export const part: Part<Blocks> = {
  title: 'A whole request over loopback',
  contestants: {
    'undici, 1 in flight': () => blocksOf('undici', 1),
    'undici, 50 in flight': () => blocksOf('undici', 50),
    'fetch, 1 in flight': () => blocksOf('fetch', 1),
    'fetch, 50 in flight': () => blocksOf('fetch', 50),
  },
  report,
};
