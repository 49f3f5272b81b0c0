// An outage as operations see it: the operator's page, and an endpoint for Prometheus beside it.
//
//     pnpm example operations         two minutes on a clock that is moved by hand: nobody waits
//     pnpm example operations live    the same again and again, in real time: open the page;
//                                     the environment variable PORT is its port, 8080 without it

import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createAdminHandler, toNodeHandler } from '@recloser/admin';
import { HttpCircuitBreaker, ManualClock, wrapFetch } from '@recloser/fetch';
import { collectMetrics } from '@recloser/prometheus';
import { Registry } from 'prom-client';

const [mode] = process.argv.slice(2).filter((word) => word !== 'operations');
if (mode !== undefined && mode !== 'live') fail(`'${mode}' is not known; known is 'live'`);
const clock = mode === 'live' ? undefined : new ManualClock();

// The dependency. It always has its stock, and not always its prices.

const phases = [
  { seconds: 15, prices: 'answers' },
  { seconds: 30, prices: 'fails' },
  { seconds: 15, prices: 'answers' },
  { seconds: 30, prices: 'hangs' },
  { seconds: 30, prices: 'answers' },
] as const;
let prices: (typeof phases)[number]['prices'] = 'answers';
let onHang = (): void => {};

const dependency = createServer(({ url }, response) => {
  const mood = url === '/prices' ? prices : 'answers';
  if (mood === 'hangs') onHang();
  else response.writeHead(mood === 'fails' ? 503 : 200).end();
});
const dependencyUrl = await listen(dependency, 0);

// The service: its guarded fetch.

const breaker = new HttpCircuitBreaker({
  breaker: { waitDurationInOpenState: 5000 },
  overrides: [
    { path: '/prices', name: 'prices' },
    { path: '/stock', name: 'stock' },
  ],
  ...(clock && { clock }),
});
const guardedFetch = wrapFetch(fetch, breaker);

// What operations get of it: the page to see and steer breakers, and the metrics.

const registry = new Registry();
collectMetrics(breaker, { register: registry });

const page = toNodeHandler(
  createAdminHandler(breaker, {
    basePath: '/breakers',
    // Your login goes here. This lets in whoever is on this machine, and no page of another site
    // that has given its own name to this address.
    authorize: ({ url }) => ['127.0.0.1', 'localhost'].includes(new URL(url).hostname),
    clock,
  }),
);
async function metrics(response: ServerResponse): Promise<void> {
  response.setHeader('content-type', registry.contentType).end(await registry.metrics());
}
const operations = createServer((request, response) => {
  if (request.url === '/metrics') void metrics(response);
  else page(request, response);
});
const port = clock === undefined ? Number(process.env['PORT'] ?? 8080) : 0;
const operationsUrl = await listen(operations, port);

async function listen(server: Server, port: number): Promise<string> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    fail(`PORT is ${port}: ${String(error)}`);
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function fail(why: string): never {
  console.error(`operations: ${why}`);
  process.exit(1);
}

// The traffic: each call has a timeout.

interface Call {
  readonly signal: AbortSignal;
  readonly ended: Promise<unknown>;
}
let calls: Call[] = [];

async function call(path: string): Promise<void> {
  const hangs = new Promise<void>((resolve) => (onHang = resolve));
  const signal = timeout(2000);
  const ended = guardedFetch(`${dependencyUrl}${path}`, { signal }).catch(() => {});
  calls.push({ signal, ended });
  await Promise.race([ended, hangs]);
}

function timeout(ms: number): AbortSignal {
  if (clock === undefined) return AbortSignal.timeout(ms);
  const controller = new AbortController();
  // The error of AbortSignal.timeout, after as long by the other clock.
  clock.setTimer(() => controller.abort(new DOMException('too late', 'TimeoutError')), ms);
  return controller.signal;
}

let second = 0;

async function nextSecond(): Promise<void> {
  for (const path of ['/prices', '/prices', '/stock']) await call(path);
  if (clock === undefined) await pause(1000);
  else clock.advance(1000);
  await Promise.all(calls.filter(({ signal }) => signal.aborted).map(({ ended }) => ended));
  calls = calls.filter(({ signal }) => !signal.aborted);
  second++;
}

// What is to be seen.

breaker.on('stateTransition', ({ breaker, from, to, reason }) => {
  console.log(`second ${second}: ${breaker} ${from} → ${to} (${reason})`);
});

async function look(): Promise<void> {
  const answer = await fetch(`${operationsUrl}/breakers/api/breakers`);
  const { breakers } = await answer.json();
  for (const { name, state, openedBy } of breakers) {
    const why = state === 'closed' ? '' : `, opened by ${openedBy.status ?? openedBy.kind}`;
    print(`  page      ${name}: ${state}${why}`);
  }
  const scrape = await (await fetch(`${operationsUrl}/metrics`)).text();
  const ofPrices = /^circuit_breaker_(?:outage_seconds|refused_calls_total)\{.*"prices".*/gm;
  for (const [line] of scrape.matchAll(ofPrices)) print(`  /metrics  ${line}`);
}

function print(line: string): void {
  console.log(line.replaceAll(dependencyUrl, 'http://dependency'));
}

/** What the page sends when somebody confirms an order there. */
async function operate(order: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await fetch(`${operationsUrl}/breakers/api/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  const { moved } = await answer.json();
  console.log(`  operator  ${JSON.stringify(order)} moved ${moved.length}`);
}

if (clock === undefined) {
  console.log(`The page: ${operationsUrl}/breakers`);
  console.log(`For Prometheus: ${operationsUrl}/metrics`);
  console.log('Ctrl-C ends it.');
}
do {
  for (const phase of phases) {
    prices = phase.prices;
    console.log(`\nsecond ${second}: /prices ${prices}`);
    for (const end = second + phase.seconds; second < end;) await nextSecond();
    await look();
    if (prices === 'hangs' && clock !== undefined) {
      const reason = 'they restart it';
      await operate({ action: 'forceOpen', pattern: 'prices', reason, for: 20_000 });
    }
  }
} while (clock === undefined);

for (const server of [operations, dependency]) {
  server.closeAllConnections();
  server.close();
}
