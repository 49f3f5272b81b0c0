// One HttpCircuitBreaker for two clients: what one of them learns protects the other.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addCircuitBreaker } from '@recloser/axios';
import { getCallNotPermitted, HttpCircuitBreaker, ManualClock, wrapFetch } from '@recloser/fetch';
import axios from 'axios';

const clock = new ManualClock(); // moved by hand below, so that nobody has to wait: leave it out
const breaker = new HttpCircuitBreaker({
  breaker: { consecutiveFailureThreshold: 3, waitDurationInOpenState: 5000 },
  overrides: [{ path: '/price', name: 'pricing' }],
  clock,
});
// Like fetch it is to give the answer, whatever its status.
const api = addCircuitBreaker(axios.create({ validateStatus: () => true }), breaker);
const guardedFetch = wrapFetch(fetch, breaker);

let retryAfterMs = 0;

let isDown = true;
let reached = 0;
const server = createServer((_, response) => {
  reached++;
  response.writeHead(isDown ? 503 : 200).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/price`;

const clients = { axios: () => api.get(url), fetch: () => guardedFetch(url) };

async function call(client: keyof typeof clients): Promise<void> {
  const result = await clients[client]().then(
    ({ status }) => `status ${status}`,
    (error: unknown) => {
      const refusal = getCallNotPermitted(error);
      if (refusal === undefined) throw error;
      retryAfterMs = refusal.retryAfterMs ?? 0;
      return `refused by '${refusal.breaker}'`;
    },
  );
  console.log(`${client}: ${result}; calls that have reached the server: ${reached}`);
}

breaker.on('stateTransition', ({ breaker: name, to }) => console.log(`  ${name} is ${to}`));

for (let count = 1; count <= 3; count++) await call('axios');
await call('fetch'); // its first call, and it has nothing to find out

isDown = false;
clock.advance(retryAfterMs);
await call('fetch');
await call('axios');
await call('fetch');

server.close();
