// A partner's API with a quota: a throttle keeps to it, and a 429 is believed all the same, since
// others may use the same quota.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  getCallNotPermitted,
  honestRetryAfter,
  HttpCircuitBreaker,
  ManualClock,
  wrapFetch,
} from '@recloser/fetch';
import pThrottle from 'p-throttle';

const clock = new ManualClock(); // moved by hand below, so that nobody has to wait: leave it out
const breaker = new HttpCircuitBreaker({
  rules: honestRetryAfter, // one 429 that says when to come back stops all calls until then
  level: 'host', // the quota is the host's
  clock,
});
const shutdown = new AbortController();
const throttle = pThrottle({ limit: 5, interval: 60_000, signal: shutdown.signal });
const throttledFetch = throttle(wrapFetch(fetch, breaker));

let retryAfterMs = 0;

// The third call within the quota is one too many: another service has used it, too.
let reached = 0;
const server = createServer((_, response) => {
  reached++;
  if (reached === 3) response.writeHead(429, { 'retry-after': '30' });
  response.end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function get(path: string): Promise<string> {
  try {
    const { status } = await throttledFetch(base + path);
    return `status ${status}`;
  } catch (error) {
    const refusal = getCallNotPermitted(error);
    if (refusal !== undefined) {
      retryAfterMs = refusal.retryAfterMs ?? 0;
      return `refused (${refusal.reason}), worth another try in ${retryAfterMs} ms`;
    }
    if (shutdown.signal.aborted) return 'given up while it waited for its turn';
    throw error;
  }
}

for (const path of ['/rates', '/rates', '/rates', '/quotes']) {
  console.log(`${path}: ${await get(path)}`);
}
console.log(`calls that have reached the partner: ${reached}`);

clock.advance(retryAfterMs);
console.log(`/quotes: ${await get('/quotes')}`);

// Five calls in a minute, the refused one among them: the sixth waits for the next minute.
const sixth = get('/rates');
console.log(`calls that wait for the next minute: ${throttledFetch.queueSize}`);
shutdown.abort();
console.log(`/rates: ${await sixth}`);

server.close();
