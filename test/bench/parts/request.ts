// A whole request against a server in a process of its own, over loopback and kept-alive
// connections: CPU of the client for each request. One process has the bare client and one guard,
// as a user's has: with all guards in one, what each of them calls has been compiled for all. Their
// slices follow one another, in a new order each time, so that a drift of the machine meets both
// alike. No garbage of one slice is left to the next.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { bareAndGuarded, type Send } from '../guarded-sends.ts';
import type { Figures, Part, Report, Target } from '../part.ts';
import { medianWithInterval } from '../statistics.ts';
import { ratio, spread } from '../table.ts';

// Of CPU.
const SLICE_MS = 20;
// Through each, many at once, which is quickest. With fewer what has more code than another is not yet
// compiled as far.
const WARM_UP_REQUESTS = { undici: 40_000, fetch: 8_000 };
const WARM_UP_IN_FLIGHT = 50;
// Of wall time. In less the interval is as wide as what is to be told apart.
const MEASURED_MS = 4000;
const MOST = 1.03;

const settings = [
  ['undici', 1],
  ['undici', 50],
  ['fetch', 1],
  ['fetch', 50],
] as const;

const keyed = 'minimal breakers, with keys';
const guards = [
  'Recloser',
  'minimal breaker',
  keyed,
  'opossum, default',
  'cockatiel, SamplingBreaker',
] as const;

/** CPU of a request in µs, in each pair of slices. */
interface Pairs {
  readonly bare: readonly number[];
  readonly guarded: readonly number[];
}

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

async function pairsOf(
  client: 'undici' | 'fetch',
  inFlight: number,
  guard: (typeof guards)[number],
): Promise<Pairs> {
  const pair = bareAndGuarded(client, await startServer(), guard);
  const names = Object.keys(pair) as (keyof Pairs)[];
  let requests = 0;
  for (const name of names) {
    await slice(pair[name], WARM_UP_REQUESTS[client], WARM_UP_IN_FLIGHT);
    requests = Math.ceil((SLICE_MS * 1000) / (await slice(pair[name], 1000, inFlight)));
  }
  const pairs: Record<keyof Pairs, number[]> = { bare: [], guarded: [] };
  const ends = performance.now() + MEASURED_MS;
  while (performance.now() < ends) {
    for (const name of Math.random() < 0.5 ? names : names.toReversed()) {
      pairs[name].push(await slice(pair[name], requests, inFlight));
    }
  }
  return pairs;
}

function percent(value: number): string {
  const more = (value - 1) * 100;
  return `${more < 0 ? '' : '+'}${more.toFixed(1)}`;
}

const settingOf = (client: string, inFlight: number): string => `${client}, ${inFlight} in flight`;

function report(figures: Figures<Pairs>): Report {
  const rows: string[][] = [];
  const targets: Target[] = [];
  for (const [client, inFlight] of settings) {
    const setting = settingOf(client, inFlight);
    const of = (guard: string): readonly Pairs[] => figures[`${setting}, ${guard}`]!;
    const shareOf = (guard: string): ReturnType<typeof medianWithInterval> =>
      medianWithInterval(
        of(guard).map(({ bare, guarded }) => guarded.map((micros, pair) => micros / bare[pair]!)),
      );
    const moreOf = (guard: string): string => {
      const { median, least, most } = shareOf(guard);
      return `${percent(median)} % (${percent(least)} to ${percent(most)})`;
    };
    const bare = guards.flatMap((guard) => of(guard).flatMap((pairs) => pairs.bare));
    rows.push([`${setting}, bare`, spread(bare), '', '']);
    for (const guard of guards) {
      const micros = of(guard).flatMap(({ guarded }) => guarded);
      const compared = [ratio(shareOf(guard).median), moreOf(guard)];
      rows.push([`${setting}, ${guard}`, spread(micros), ...compared]);
    }
    targets.push({
      what: `whole request: ${setting}: CPU of the client`,
      reach: '≤ +3 %',
      measured: moreOf('Recloser'),
      isMet: shareOf('Recloser').median <= MOST,
      floor: `${moreOf(keyed)}: minimal breakers, found by the keys of endpoint and host`,
    });
  }
  const head = ['', 'µs: median (least to most)', 'of bare', 'more CPU, 95 % confidence'];
  const note =
    'CPU of the client, its system calls included. Each share is that of a slice of requests and of ' +
    'the bare slice beside it, in a process that has the bare client and one guard. The minimal ' +
    'breaker has one key for all; the minimal breakers are one of each host and one of each endpoint.';
  return { head, rows, targets, note };
}

export const part: Part<Pairs> = {
  title: 'A whole request over loopback',
  contestants: Object.fromEntries(
    settings.flatMap(([client, inFlight]) =>
      guards.map((guard) => [
        `${settingOf(client, inFlight)}, ${guard}`,
        () => pairsOf(client, inFlight, guard),
      ]),
    ),
  ),
  report,
};
