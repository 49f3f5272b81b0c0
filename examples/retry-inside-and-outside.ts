// Retries around the breaker, or inside it: what is sent, what is counted, what is refused.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpCircuitBreaker, isCallNotPermitted, ManualClock, wrapFetch } from '@recloser/fetch';
import pRetry from 'p-retry';

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

const idempotent = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];
const transient = [408, 429, 500, 502, 503, 504];

/** A fetch that tries up to three times, where that can help and does no harm. */
function retrying(inner: Fetch): Fetch {
  return (url, init = {}) => {
    const retries = idempotent.includes(init.method ?? 'GET') ? 2 : 0;
    const attempt = async (number: number): Promise<Response> => {
      const response = await inner(url, init);
      if (number > retries || !transient.includes(response.status)) return response;
      await response.body?.cancel();
      throw new Error(`status ${response.status}`);
    };
    return pRetry(attempt, {
      retries,
      // A refusal ends the retries: the breaker says when another try is worth it, and not before.
      shouldRetry: ({ error }) => !isCallNotPermitted(error),
      signal: init.signal ?? undefined, // so does a caller who leaves, or whose time is up
      minTimeout: 0, // for the example: in earnest 200, and `randomize: true`
    });
  };
}

let sent = 0;
const server = createServer((_, response) => {
  sent++;
  response.writeHead(503).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/price`;

type Compose = (breaker: HttpCircuitBreaker) => Fetch;
const around: Compose = (breaker) => retrying(wrapFetch(fetch, breaker));
const inside: Compose = (breaker) => wrapFetch(retrying(fetch), breaker);

async function tenCalls(name: string, compose: Compose, method = 'GET'): Promise<void> {
  const breaker = new HttpCircuitBreaker({
    breaker: { consecutiveFailureThreshold: 5 },
    level: 'endpoint', // so that the events are told once, and not for the host as well
    clock: new ManualClock(), // time stands still, so that it stays open: leave it out
  });
  let counted = 0;
  let refused = 0;
  breaker.on('failure', () => counted++);
  breaker.on('notPermitted', () => refused++);
  sent = 0;
  const send = compose(breaker);
  for (let call = 1; call <= 10; call++) {
    await send(url, { method }).catch((error: unknown) => {
      if (!isCallNotPermitted(error)) throw error;
    });
  }
  console.log(`${name.padEnd(14)}${sent} sent, ${counted} counted, ${refused} refused`);
}

console.log('10 calls of up to 3 attempts to a server that fails; the breaker opens at 5 failures');
// Each attempt counts. The second call's third attempt is refused, which ends the call.
await tenCalls('around', around);
// Each call counts, by its last attempt: three times the load until the breaker opens.
await tenCalls('inside', inside);
// What may have been carried out is not sent again.
await tenCalls('around, POST', around, 'POST');
server.close();
