// A breaker beneath Node's own fetch, in the dispatcher that it sends by, as undici does.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  errorKind,
  getCallNotPermitted,
  HttpCircuitBreaker,
  installDispatcher,
  ManualClock,
} from '@recloser/undici';
import { request } from 'undici'; // not needed for fetch

const clock = new ManualClock(); // moved by hand below, so that nobody has to wait: leave it out
const breaker = new HttpCircuitBreaker({
  breaker: { consecutiveFailureThreshold: 3, waitDurationInOpenState: 5000 },
  clock,
});
const uninstall = installDispatcher(breaker);

let isDown = true;
const server = createServer((incoming, response) => {
  if (isDown) incoming.socket.destroy();
  else response.end('42');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/price`;

let retryAfterMs = 0;

/** fetch says 'fetch failed' of all that goes wrong. What it was is in the causes. */
function told(error: unknown): string {
  const refusal = getCallNotPermitted(error);
  if (refusal === undefined) return `failed: ${errorKind(error).kind}`;
  retryAfterMs = refusal.retryAfterMs ?? 0;
  return `refused, since the last failure was: ${refusal.lastFailure?.kind}`;
}

const byFetch = (): Promise<string> => fetch(url).then((response) => response.text(), told);
const byUndici = (): Promise<string> => request(url).then(({ body }) => body.text(), told);

console.log('The server cuts each connection:');
for (let call = 1; call <= 4; call++) console.log(`  fetch:   ${await byFetch()}`);
console.log(`  request: ${await byUndici()}`);

console.log('It is well again, and the wait is over:');
isDown = false;
clock.advance(retryAfterMs);
for (let call = 1; call <= 2; call++) console.log(`  fetch:   ${await byFetch()}`);
console.log(`  request: ${await byUndici()}`);
for (const { level, state } of breaker.snapshot().breakers) console.log(`  ${level}: ${state}`);

uninstall();
server.close();
