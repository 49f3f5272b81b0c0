// got behind a breaker, with got's own retries around it: each attempt asks and counts by itself.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { circuitBreaker, getCallNotPermitted, ManualClock } from '@recloser/got';
import got, { HTTPError } from 'got';

const clock = new ManualClock(); // moved by hand below, so that nobody has to wait: leave it out
const api = got.extend(
  circuitBreaker({
    breaker: { consecutiveFailureThreshold: 5, waitDurationInOpenState: 5000 },
    clock,
  }),
  // got waits a second and more before it retries; a millisecond is enough for an example.
  { retry: { limit: 2, calculateDelay: ({ computedValue }) => Math.min(computedValue, 1) } },
);

let retryAfterMs = 0;

let isDown = true;
let attempts = 0;
const server = createServer((_, response) => {
  attempts++;
  response.writeHead(isDown ? 503 : 200).end('42');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/price`;

async function call(name: string): Promise<void> {
  attempts = 0;
  const result = await api(url)
    .text()
    .catch((error: unknown) => {
      // got's RequestError has the refusal as its `cause`. It is never retried.
      const refusal = getCallNotPermitted(error);
      if (refusal !== undefined) {
        retryAfterMs = refusal.retryAfterMs ?? 0;
        return `refused, worth another try in ${retryAfterMs} ms`;
      }
      if (error instanceof HTTPError) return `status ${error.response.statusCode}`;
      throw error;
    });
  console.log(`${name}: ${result}; attempts that reached the server: ${attempts}`);
}

await call('call 1'); // fails three times
await call('call 2'); // the fifth failure opens the breaker, which ends the retries
await call('call 3'); // is refused, and does not wait to be refused again

isDown = false;
clock.advance(retryAfterMs);
await call('call 4');

server.close();
