// A bulkhead sheds what is too much, at once; a queue lets it wait. Both for one slow endpoint.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getCallNotPermitted, wrapFetch } from '@recloser/fetch';
import pLimit from 'p-limit';

const guardedFetch = wrapFetch(fetch, {
  // No more than two calls for reports are out, whatever comes, and other endpoints do not feel it.
  // With fetch a call is out until its headers are in.
  overrides: [{ path: '/reports', breaker: { maxConcurrentCalls: 2 } }],
});
// Around the guard, so that what waits in the queue is no call yet.
const queue = pLimit(2);

const server = createServer(({ url }, response) => {
  if (url === '/price') response.end('42');
  else setTimeout(() => response.end('report'), 5);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function get(path: string): Promise<string> {
  try {
    const response = await guardedFetch(base + path);
    return await response.text();
  } catch (error) {
    const refusal = getCallNotPermitted(error);
    if (refusal === undefined) throw error;
    // Without retryAfterMs: it depends on the calls that are out, and not on time.
    return `refused (${refusal.reason})`;
  }
}

const paths = Array.from({ length: 5 }, () => '/reports');

const shed = Promise.all(paths.map(get));
console.log(`the price meanwhile: ${await get('/price')}`);
console.log(`shed: ${(await shed).join(', ')}`);

// Refusals are no failures: the breaker is closed, and the next two may go.
const queued = Promise.all(paths.map((path) => queue(get, path)));
// A queue needs a limit of its own, or it grows for as long as callers come.
console.log(`in the queue: ${queue.pendingCount}`);
console.log(`queued: ${(await queued).join(', ')}`);

server.close();
