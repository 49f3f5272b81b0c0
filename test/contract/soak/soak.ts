import { HttpCircuitBreaker, isCallNotPermitted } from '@recloser/core';
import { callsInFlight } from '@recloser/test-support/outcomes';
import { Random } from '@recloser/test-support/random';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ContractClient, Driver } from '../contract.ts';
import { endings, SoakServer, type SoakEnding, type Verdict } from './soak-server.ts';

export interface SoakOptions {
  /** @default no limit but that of calls */
  readonly seconds?: number;
  /** @default 8,000,000 */
  readonly maxCalls?: number;
  /** Calls under way at any time. @default 200 */
  readonly concurrency?: number;
  /** Which endings are drawn. */
  readonly seed: number;
}

/** What a soak found, for a person to read and a test to compare. */
export interface SoakReport {
  readonly calls: number;
  readonly refused: number;
  readonly openings: number;
  /** Of refused calls that reached the server all the same. */
  readonly refusedButArrived: number;
  /** Of calls that were not refused and never reached the server. */
  readonly lost: number;
  readonly endedBeforeItArrived: number;
  /** What the server says is to be recorded. */
  readonly served: Readonly<Record<Verdict, number>>;
  readonly recorded: Readonly<Record<Verdict, number>>;
  /** Of calls whose breaker had moved meanwhile: their outcomes count nowhere. */
  readonly late: number;
  readonly permitsOut: number;
  readonly unhandledRejections: number;
  /** What the heap holds after a collection, a third of the way and at the end, in bytes. */
  readonly heap: readonly [early: number, late: number];
}

const ALL = Object.keys(endings) as SoakEnding[];
const SERVES_WELL: readonly SoakEnding[] = ['ok', 'slow', 'large', 'empty', 'missing', 'moved'];
const ARRIVED = 1;
const REFUSED = 2;
const MOVED_ON = 4;

/**
 * Calls a server that ends requests in every way, from many callers at once, through one client, on
 * endpoints that are well, unwell and dead, so that their breakers open and recover all the time; and
 * compares what was recorded with what arrived.
 */
export async function soak(
  driver: Driver,
  { seconds = Infinity, maxCalls = 8_000_000, concurrency = 200, seed }: SoakOptions,
): Promise<SoakReport> {
  const seen = new Uint8Array(maxCalls);
  const callers = new Map<number, AbortController>();
  let endedBeforeItArrived = 0;
  await using server = new SoakServer((call, ending) => {
    seen[call]! |= ARRIVED;
    // What it leads to is a request of its own, and may be refused.
    const { redirects } = driver.capabilities;
    if (redirects === 'hop' && ending.startsWith('moved')) seen[call]! |= MOVED_ON;
    const caller = callers.get(call);
    if (caller === undefined) endedBeforeItArrived++;
    else if (ending === 'caller leaves') caller.abort();
    else if (ending === 'caller’s deadline') caller.abort(new DOMException('late', 'TimeoutError'));
  });
  const url = await server.start();
  const breaker = new HttpCircuitBreaker({
    breaker: { waitDurationInOpenState: 40, consecutiveFailureThreshold: 5 },
    maxRetryAfter: 50,
    // Of the endpoints' failures it is to hear, but not to open for all of them together.
    hostBreaker: { failureRateThreshold: 100, consecutiveFailureThreshold: 1000 },
  });
  const recorded = { success: 0, failure: 0, ignored: 0 };
  for (const type of ['success', 'failure', 'ignored'] as const) {
    breaker.on(type, ({ breaker: name }) => {
      if (name.includes(' ')) recorded[type]++;
    });
  }
  let late = 0;
  breaker.on('lateOutcome', ({ breaker: name }) => {
    if (name.includes(' ')) late++;
  });
  let openings = 0;
  breaker.on('stateTransition', ({ to }) => {
    if (to === 'open') openings++;
  });
  let unhandledRejections = 0;
  const onUnhandled = (): void => {
    unhandledRejections++;
  };
  process.on('unhandledRejection', onUnhandled);

  const client = driver.make(breaker);
  const random = new Random(seed);
  const start = performance.now();
  let calls = 0;
  const caller = async (share: number): Promise<void> => {
    const end = start + share * seconds * 1000;
    while (calls < share * maxCalls && performance.now() < end) {
      const call = calls++;
      if (await isRefused(client, callers, url, call, random)) seen[call]! |= REFUSED;
    }
  };
  const crowd = (share: number): Promise<unknown> =>
    Promise.all(Array.from({ length: concurrency }, () => caller(share)));
  await crowd(1 / 3);
  const heapEarly = await heapInUse();
  await crowd(1);
  const heapLate = await heapInUse();
  await client.close?.();
  // What comes late has come then.
  await setImmediate();
  process.off('unhandledRejection', onUnhandled);

  const drawn = seen.subarray(0, calls);
  const count = (isMeant: (bits: number) => boolean): number =>
    drawn.reduce((sum, bits) => sum + Number(isMeant(bits)), 0);
  return {
    calls,
    refused: count((bits) => (bits & REFUSED) !== 0),
    openings,
    refusedButArrived: count((bits) => bits === (REFUSED | ARRIVED)),
    lost: count((bits) => bits === 0),
    endedBeforeItArrived,
    served: served(server, driver),
    recorded,
    late,
    permitsOut: callsInFlight(breaker).reduce((sum, out) => sum + out, 0),
    unhandledRejections,
    heap: [heapEarly, heapLate],
  };
}

/**
 * What in a report should not be.
 * @param maxGrowth  bytes. In a minute the heap moves by some megabytes by itself.
 */
export function faultsOf(report: SoakReport, maxGrowth: number = 10_000_000): string[] {
  const { calls, refused, openings, served, recorded, late, heap } = report;
  const sum = ({ success, failure, ignored }: Readonly<Record<Verdict, number>>): number =>
    success + failure + ignored;
  const verdicts = ['success', 'failure', 'ignored'] as const;
  const nothing = [
    'permitsOut',
    'unhandledRejections',
    'refusedButArrived',
    'lost',
    'endedBeforeItArrived',
  ] as const;
  const growth = heap[1] - heap[0];
  return [
    ...nothing.filter((name) => report[name] !== 0).map((name) => `${name}: ${report[name]}`),
    ...(sum(recorded) + late === sum(served) ? [] : ['what was recorded is not what was served']),
    ...verdicts.filter((verdict) => recorded[verdict] > served[verdict]),
    ...(growth > maxGrowth ? [`the heap grew by ${growth} bytes`] : []),
    // Or it would show nothing.
    ...(Math.min(calls - refused, refused, openings) > 0 ? [] : ['no breaker opened']),
  ];
}

async function isRefused(
  client: ContractClient,
  callers: Map<number, AbortController>,
  url: string,
  call: number,
  random: Random,
): Promise<boolean> {
  const [path, share] = pick(
    [
      ['/well', 0.05],
      ['/unwell', 0.5],
      ['/dead', 0.95],
    ] as const,
    random,
  );
  const ending = pick(random.next() < share ? ALL : SERVES_WELL, random);
  const controller = new AbortController();
  callers.set(call, controller);
  try {
    const reply = await client.call({
      url: `${url}${path}?call=${call}&ending=${encodeURIComponent(ending)}`,
      signal: controller.signal,
    });
    if (random.next() < 0.2) await reply.leave();
    else await reply.text();
    return false;
  } catch (error) {
    return isCallNotPermitted(error);
  } finally {
    callers.delete(call);
  }
}

function served(server: SoakServer, { capabilities }: Driver): Record<Verdict, number> {
  const all = { success: 0, failure: 0, ignored: 0 };
  for (const [ending, arrivals] of server.arrived) {
    // Of a redirect that is followed only what it leads to is recorded, where it is one attempt.
    const isPart = ending.startsWith('moved') && capabilities.redirects !== 'hop';
    const isLate = ending === 'cut body' && capabilities.settles === 'body';
    if (!isPart) all[isLate ? 'failure' : endings[ending]] += arrivals;
  }
  return all;
}

async function heapInUse(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let least = Infinity;
  // What a finalizer lets go is collected only after it; so until collecting finds no more.
  for (let inVain = 0; inVain < 5; inVain++) {
    await setImmediate();
    collect();
    const { heapUsed } = process.memoryUsage();
    if (heapUsed < least * 0.99) inVain = 0;
    least = Math.min(least, heapUsed);
  }
  return least;
}

function pick<T>(choices: readonly T[], random: Random): T {
  return choices[Math.floor(random.next() * choices.length)]!;
}
