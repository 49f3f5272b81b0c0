// One line guards every fetch of the process, in libraries too. A health endpoint is left out.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isCallNotPermitted, ManualClock, wrapGlobalFetch } from '@recloser/fetch';

const clock = new ManualClock(); // stands still, for the same output each time: leave it out
const undo = wrapGlobalFetch({
  breaker: { consecutiveFailureThreshold: 3 },
  // A probe is to ask the server whatever the breaker thinks of it, and to count nowhere.
  overrides: [{ path: '/health', breaker: false }],
  clock,
});

const reached: string[] = [];
const server = createServer((request, response) => {
  reached.push(request.url ?? '');
  response.writeHead(503).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** It might be in a library, which knows nothing of breakers. */
async function get(path: string): Promise<string> {
  try {
    const { status } = await fetch(base + path);
    return `status ${status}`;
  } catch (error) {
    if (isCallNotPermitted(error)) return 'refused, nothing was sent';
    throw error;
  }
}

const sent = (path: string): number => reached.filter((url) => url === path).length;

for (let round = 1; round <= 5; round++) {
  console.log(`/price: ${await get('/price')}; /health: ${await get('/health')}`);
}
console.log(`/health has reached the server each time: ${sent('/health')} of 5`);
console.log(`/price no more than it took to find out: ${sent('/price')} of 5`);

undo();
console.log(`undone, /price: ${await get('/price')}`);

server.close();
