// What a status counts as is a table: the first row that matches decides, the standard ones last.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  defineRules,
  explainOutcome,
  getCallNotPermitted,
  ManualClock,
  wrapFetch,
} from '@recloser/fetch';

const rules = defineRules([
  { name: 'no such product', path: '/products/:id', status: 404, outcome: 'success' },
  // One key for all calls: where it is bad, no call to this host is worth making.
  { name: 'our key is rejected', status: 401, outcome: 'trip', domain: 'host' },
  // Not counted as a failure: the server is well, and says when to come back.
  { name: 'asked to wait', status: 429, retryAfter: true, outcome: 'hold' },
  // Before the class that would take them.
  { name: 'too busy', status: [408, 429], outcome: 'failure' },
  { name: 'our own mistake', status: '4xx', outcome: 'ignore' },
  { name: 'server errors, 501 too', status: '500-504', outcome: 'failure' },
]);

// Which row decides, and why those above it do not: to be pasted into a review.
console.log(explainOutcome(rules, { path: '/orders', status: 404 }).text);

console.log('\nThe last line alone, for others:');
for (const example of [
  { path: '/products/7', status: 404 },
  { path: '/orders', status: 401 },
  { path: '/search', status: 429, headers: { 'retry-after': '30' } },
  { path: '/search', status: 429 },
  { path: '/orders', status: 501 },
  { path: '/orders', status: 507 },
]) {
  const decision = explainOutcome(rules, example).text.split('\n').at(-1);
  console.log(`${example.status} of ${example.path}:\n${decision}`);
}

const clock = new ManualClock(); // stands still, for the same output each time: leave it out
const breaker = { waitDurationInOpenState: 5000 };
const guardedFetch = wrapFetch(fetch, { rules, breaker, clock });

const statuses: Record<string, number> = { '/products/7': 404, '/search': 429, '/orders': 401 };
const server = createServer(({ url = '' }, response) => {
  response.writeHead(statuses[url] ?? 200, url === '/search' ? { 'retry-after': '30' } : {}).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

console.log('\nAnd so, one after the other:');
for (const path of ['/products/7', '/search', '/search', '/stock', '/orders', '/stock']) {
  const result = await guardedFetch(base + path).then(
    ({ status }) => `status ${status}`,
    (error: unknown) => {
      const refusal = getCallNotPermitted(error);
      return `refused (${refusal?.reason}), try in ${refusal?.retryAfterMs} ms`;
    },
  );
  console.log(`${path}: ${result}`);
}
server.close();
