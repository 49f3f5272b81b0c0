// While the dependency fails, callers get the last known answer, and are told that it is one.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDegraded, ManualClock, wrapFetch } from '@recloser/fetch';

const clock = new ManualClock(); // moved by hand below, so that nobody has to wait: leave it out
const lastKnown = new Map<string, { readonly body: string; readonly at: number }>();

const guardedFetch = wrapFetch(
  fetch,
  { breaker: { consecutiveFailureThreshold: 3, waitDurationInOpenState: 30_000 }, clock },
  {
    fallbackOn: 'failure', // calls that were made and failed, too, not refusals alone
    fallback: (cause, { url }) => {
      const known = lastKnown.get(url);
      if (known === undefined) {
        // Nothing honest to say: the call stays as it is.
        if (cause instanceof Response) return cause;
        throw cause;
      }
      const age = Math.round((clock.now() - known.at) / 1000);
      return new Response(known.body, { headers: { 'x-degraded': 'true', age: `${age}` } });
    },
  },
);

async function price(): Promise<string> {
  const response = await guardedFetch(url);
  const body = await response.text();
  // Stored again, it would look fresh for ever.
  if (response.ok && !isDegraded(response)) lastKnown.set(url, { body, at: clock.now() });
  if (!response.ok) return `none, status ${response.status}`;
  // isDegraded is for code that has this Response; a header can be handed on to the end user.
  const isOld = response.headers.get('x-degraded') === 'true';
  return isOld ? `${body}, as of ${response.headers.get('age')} s ago` : body;
}

let isDown = true;
let amount = 41;
let reached = 0;
const server = createServer((_, response) => {
  reached++;
  response.writeHead(isDown ? 503 : 200).end(isDown ? 'overloaded' : `${++amount}`);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/price`;

console.log(`Nothing known yet, and the server is down: ${await price()}`);
isDown = false;
console.log(`The server answers: ${await price()}`);
isDown = true;
for (let call = 1; call <= 5; call++) {
  clock.advance(10_000);
  console.log(`The server is down: ${await price()} (${reached} calls have reached it)`);
}
isDown = false;
clock.advance(30_000);
console.log(`It is back: ${await price()}`);

server.close();
