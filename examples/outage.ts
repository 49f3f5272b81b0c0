// A server answers, fails, recovers, hangs and recovers again. Two callers send it the same steady
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
const callsPerSecond = 20;
const timeout = 2000 * scale;

const phases = [
  { seconds: 5, server: 'answers' },
  { seconds: 10, server: 'fails' },
  { seconds: 7, server: 'answers' },
  { seconds: 12, server: 'hangs' },
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
  breaker: { waitDurationInOpenState: { initial: 1000 * scale, multiplier: 2, max: 4000 * scale } },
});
const guardedFetch = wrapFetch(fetch, breaker);

// The callers. Time lost is what a caller waited for an answer that was none.

interface Tally {
  calls: number;
  answered: number;
  failed: number;
  refused: number;
  msLost: number;
  longestMs: number;
}

const noTally: Tally = { calls: 0, answered: 0, failed: 0, refused: 0, msLost: 0, longestMs: 0 };
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
  const ms = performance.now() - begun;
  tally.msLost += ms;
  tally.longestMs = Math.max(tally.longestMs, ms);
}

// What a person wants to see while it runs.

function lines(second: number): string[] {
  const guard = breaker.find(`GET http://127.0.0.1:${port}/price`)?.metrics();
  const rate =
    guard === undefined || guard.failureRate < 0
      ? 'too few calls'
      : `${guard.failureRate.toFixed(0)} %`;
  const again = guard?.retryAfterMs ? `, again in ${(guard.retryAfterMs / 1000).toFixed(1)} s` : '';
  const row = (name: string, guarded: string | number, bare: string | number): string =>
    `  ${name.padEnd(26)}${String(guarded).padEnd(26)}${bare}`;
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const { guarded, bare } = tallies;
  return [
    `  second ${second} of ${totalSeconds}: the server ${mood}`,
    row('', 'with Recloser', 'without'),
    row('breaker', `${guard?.state ?? 'closed'}${again}`, 'none'),
    row('failure rate', rate, ''),
    row('calls', guarded.calls, bare.calls),
    row('reached the server', reached.guarded, reached.bare),
    row('answered', guarded.answered, bare.answered),
    row('failed', guarded.failed, bare.failed),
    row('refused at once', guarded.refused, bare.refused),
    row('time lost by callers', seconds(guarded.msLost), seconds(bare.msLost)),
    row('longest wait for nothing', seconds(guarded.longestMs), seconds(bare.longestMs)),
  ];
}

let drawn = 0;

function show(second: number): void {
  const picture = lines(second);
  if (process.stdout.isTTY) {
    if (drawn > 0) process.stdout.write(`\u001b[${drawn}A\u001b[J`);
    process.stdout.write(`${picture.join('\n')}\n`);
    drawn = picture.length;
    return;
  }
  const guard = breaker.find(`GET http://127.0.0.1:${port}/price`)?.metrics();
  const { guarded, bare } = tallies;
  console.log(
    `second ${String(second).padStart(2)}, server ${mood.padEnd(7)} | with: ${(guard?.state ?? 'closed').padEnd(9)} ` +
      `failure rate ${(guard?.failureRate ?? -1).toFixed(0)}, reached ${reached.guarded}, refused ${guarded.refused}, ` +
      `lost ${(guarded.msLost / 1000).toFixed(1)} s | without: reached ${reached.bare}, lost ${(bare.msLost / 1000).toFixed(1)} s`,
  );
}

// The run: each second has its calls, evenly spread, and both callers make the same ones.

console.log(
  `${callsPerSecond} calls a second from each caller, each with a timeout of ${timeout} ms\n`,
);
const inFlight: Promise<void>[] = [];
let second = 0;
for (const { seconds, server: nextMood } of phases) {
  mood = nextMood;
  for (const end = second + seconds; second < end; second++) {
    show(second);
    for (let tick = 0; tick < callsPerSecond; tick++) {
      inFlight.push(call('guarded', guardedFetch), call('bare', fetch));
      await pause((1000 / callsPerSecond) * scale);
    }
  }
}
await Promise.all(inFlight);

if (process.stdout.isTTY) show(totalSeconds);
else console.log(`\n${lines(totalSeconds).slice(1).join('\n')}`);
server.closeAllConnections();
server.close();
