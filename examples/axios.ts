// An axios instance behind a breaker, through an outage and out of it again.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  addCircuitBreaker,
  getCallNotPermitted,
  HttpCircuitBreaker,
  ManualClock,
} from '@recloser/axios';
import axios from 'axios';

const clock = new ManualClock(); // moved by hand below, so that nobody has to wait: leave it out
const breaker = new HttpCircuitBreaker({
  breaker: { consecutiveFailureThreshold: 3, waitDurationInOpenState: 5000 },
  overrides: [{ path: '/price', name: 'pricing' }], // instead of 'GET http://…/price'
  clock,
});
const api = addCircuitBreaker(axios.create({ timeout: 10_000 }), breaker);

let retryAfterMs = 0;

async function price(): Promise<string> {
  try {
    const { data } = await api.get<number>(url);
    return `the price is ${data}`;
  } catch (error) {
    // A refusal is in the `cause` of an AxiosError. Nothing was sent, so nobody has waited.
    const refusal = getCallNotPermitted(error);
    if (refusal !== undefined) {
      retryAfterMs = refusal.retryAfterMs ?? 0;
      return `refused by '${refusal.breaker}', worth another try in ${retryAfterMs} ms`;
    }
    if (axios.isAxiosError(error)) return `failed with status ${error.response?.status}`;
    throw error;
  }
}

let isDown = false;
const server = createServer((_, response) => {
  response.writeHead(isDown ? 503 : 200, { 'content-type': 'application/json' }).end('42');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/price`;

breaker.on('stateTransition', ({ to, reason }) => console.log(`  (${to}: ${reason})`));

console.log('The server answers:', await price());
isDown = true;
for (let call = 1; call <= 3; call++) console.log('It is down:', await price());
console.log('It is still down:', await price());

isDown = false;
console.log('It is back, but nobody has tried it:', await price());
clock.advance(retryAfterMs);
for (let call = 1; call <= 3; call++) console.log('The wait is over:', await price());

server.close();
