// ky behind a breaker: its timeouts count as failures, and its retries leave a refusal be.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { circuitBreaker, getCallNotPermitted, HttpCircuitBreaker, ManualClock } from '@recloser/ky';
import ky, { isTimeoutError } from 'ky';

const clock = new ManualClock(); // moved by hand below, so that nobody has to wait: leave it out
const breaker = new HttpCircuitBreaker({
  breaker: { consecutiveFailureThreshold: 5, waitDurationInOpenState: 5000 },
  level: 'endpoint', // so that the events below are told once, and not for the host as well
  clock,
});
const api = ky
  .extend(circuitBreaker(breaker))
  // ky's own options go into an extend of their own.
  .extend({ retry: { limit: 2, retryOnTimeout: true, delay: () => 1 } });

let retryAfterMs = 0;

let isHanging = true;
const server = createServer((_, response) => {
  if (!isHanging) response.end('42');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/price`;

breaker.on('failure', ({ kind }) => console.log(`  an attempt counts as a failure: ${kind}`));

async function call(name: string, timeout: number): Promise<void> {
  console.log(name);
  try {
    console.log(`  the price is ${await api(url, { timeout }).text()}`);
  } catch (error) {
    // ky gives the refusal as it is, with nothing around it.
    const refusal = getCallNotPermitted(error);
    if (refusal !== undefined) {
      retryAfterMs = refusal.retryAfterMs ?? 0;
      console.log(`  refused, worth another try in ${retryAfterMs} ms`);
    } else if (isTimeoutError(error)) console.log('  timed out');
    else throw error;
  }
}

await call('call 1, the server hangs', 5); // three attempts
await call('call 2, it still does', 5); // two, then the breaker is open, which ends the retries
await call('call 3, nobody waits any longer', 5);

isHanging = false;
clock.advance(retryAfterMs);
await call('call 4, the server is well again', 10_000);

server.closeAllConnections();
server.close();
