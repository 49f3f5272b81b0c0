// A server answers, hangs, recovers, fails and recovers again. Two callers send it the same steady
// traffic: one through a guarded fetch, one through the bare one. Watch what each of them loses.
//
//     npm run demo
//
// Set DEMO_SCALE to 0.25 to see it in a quarter of the time.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { HttpCircuitBreaker, isCallNotPermitted, wrapFetch } from '@recloser/fetch';

const scale = Number(process.env['DEMO_SCALE'] ?? 1);
if (!(scale > 0)) throw new RangeError('DEMO_SCALE must be a number greater than 0, such as 0.25');
const callsPerSecond = 20;
const timeout = 2000 * scale;

const phases = [
  { seconds: 5, server: 'answers' },
  { seconds: 12, server: 'hangs' },
  { seconds: 7, server: 'answers' },
  { seconds: 10, server: 'fails' },
  { seconds: 8, server: 'answers' },
] as const;
const totalSeconds = phases.reduce((sum, { seconds }) => sum + seconds, 0);

// The server, whose mood changes from phase to phase.

let mood: (typeof phases)[number]['server'] = 'answers';
const reached = { guarded: 0, bare: 0 };

const server = createServer((request, response: ServerResponse) => {
  reached[request.headers['x-caller'] === 'guarded' ? 'guarded' : 'bare']++;
  if (mood === 'hangs') return;
  response.statusCode = mood === 'fails' ? 503 : 200;
  response.end(mood === 'fails' ? 'overloaded' : '42');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}/price`;

// The line that matters. The waits are short, so that a minute is enough to see it all.

const breaker = new HttpCircuitBreaker({
  breaker: { waitDurationInOpenState: { initial: 1000 * scale, multiplier: 2, max: 2000 * scale } },
});
const guardedFetch = wrapFetch(fetch, breaker);

// The callers. Time lost is what a caller waited for an answer that was none.

interface Tally {
  calls: number;
  answered: number;
  failed: number;
  refused: number;
  msLost: number;
}

const noTally: Tally = { calls: 0, answered: 0, failed: 0, refused: 0, msLost: 0 };
const tallies = { guarded: { ...noTally }, bare: { ...noTally } };

async function call(caller: 'guarded' | 'bare', send: typeof fetch): Promise<void> {
  const tally = tallies[caller];
  const begun = performance.now();
  tally.calls++;
  try {
    const signal = AbortSignal.timeout(timeout);
    const response = await send(url, { headers: { 'x-caller': caller }, signal });
    await response.text();
    if (response.ok) {
      tally.answered++;
      return;
    }
    tally.failed++;
  } catch (error) {
    if (isCallNotPermitted(error)) tally.refused++;
    else tally.failed++;
  }
  tally.msLost += performance.now() - begun;
}

// What a person wants to see while it runs.

let second = 0;
const moves: string[] = [];

breaker.on('stateTransition', ({ to, reason, wait }) => {
  const next = wait === undefined ? '' : `, next try in ${inSeconds(wait)}`;
  const move = `second ${String(second).padStart(2)}: the breaker is ${to} (${reason}${next})`;
  moves.push(move);
  if (!process.stdout.isTTY) console.log(`  ${move}`);
});

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function metrics() {
  return breaker.find(`GET http://127.0.0.1:${port}/price`)?.metrics();
}

function failureRate(): string {
  const rate = metrics()?.failureRate ?? -1;
  return rate < 0 ? 'too few calls' : `${rate.toFixed(0)} %`;
}

function table(): string[] {
  const row = (name: string, guarded: string | number, bare: string | number): string =>
    `  ${name.padEnd(26)}${String(guarded).padEnd(26)}${bare}`.trimEnd();
  const { guarded, bare } = tallies;
  return [
    row('', 'with Recloser', 'without'),
    row('breaker', metrics()?.state ?? 'closed', 'none'),
    row('failure rate', failureRate(), ''),
    row('calls', guarded.calls, bare.calls),
    row('reached the server', reached.guarded, reached.bare),
    row('answered', guarded.answered, bare.answered),
    row('failed', guarded.failed, bare.failed),
    row('refused at once', guarded.refused, bare.refused),
    row('time lost by callers', inSeconds(guarded.msLost), inSeconds(bare.msLost)),
  ];
}

let drawn = 0;

function show(): void {
  const heading = `second ${second} of ${totalSeconds}: the server ${mood}`;
  if (process.stdout.isTTY) {
    const picture = [`  ${heading}`, ...table(), '', ...moves.slice(-5).map((move) => `  ${move}`)];
    if (drawn > 0) process.stdout.write(`\u001b[${drawn}A\u001b[J`);
    process.stdout.write(`${picture.join('\n')}\n`);
    drawn = picture.length;
    return;
  }
  const { guarded, bare } = tallies;
  console.log(
    `second ${String(second).padStart(2)}: the server ${mood.padEnd(7)}` +
      ` | with Recloser ${metrics()?.state ?? 'closed'}, failure rate ${failureRate()},` +
      ` reached ${reached.guarded}, answered ${guarded.answered}, refused ${guarded.refused},` +
      ` lost ${inSeconds(guarded.msLost)}` +
      ` | without: reached ${reached.bare}, answered ${bare.answered}, lost ${inSeconds(bare.msLost)}`,
  );
}

// The run: each second has its calls, evenly spread, and both callers make the same ones.

console.log(
  `${callsPerSecond} calls a second from each caller, each with a timeout of ${timeout} ms\n`,
);
const inFlight: Promise<void>[] = [];
for (const { seconds, server: nextMood } of phases) {
  mood = nextMood;
  for (const end = second + seconds; second < end; second++) {
    show();
    for (let tick = 0; tick < callsPerSecond; tick++) {
      inFlight.push(call('guarded', guardedFetch), call('bare', fetch));
      await pause((1000 / callsPerSecond) * scale);
    }
  }
}
await Promise.all(inFlight);

if (process.stdout.isTTY) show();
else console.log(`\n${table().join('\n')}`);
const { guarded, bare } = tallies;
console.log(
  `\nWith Recloser ${guarded.failed} calls waited for nothing instead of ${bare.failed}, ` +
    `and lost ${inSeconds(guarded.msLost)} instead of ${inSeconds(bare.msLost)}.` +
    `\nThe price: ${bare.answered - guarded.answered} calls that were refused although the server ` +
    'was well again, until the breaker had tried it.',
);
server.closeAllConnections();
server.close();
