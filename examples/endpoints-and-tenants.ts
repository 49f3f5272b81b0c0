// A breaker for each endpoint of each tenant: what one of them breaks, the others do not feel.

import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpCircuitBreaker, isCallNotPermitted, ManualClock, wrapFetch } from '@recloser/fetch';

const currentTenant = new AsyncLocalStorage<string>();
const clock = new ManualClock(); // stands still, for the same output each time: leave it out
const breaker = new HttpCircuitBreaker({
  // Numbers and UUIDs are known as ids by themselves; a shop's name has to be declared.
  endpoints: ['/shops/:shop/orders'],
  partition: () => currentTenant.getStore(),
  breaker: { consecutiveFailureThreshold: 3 },
  clock,
});
const guardedFetch = wrapFetch(fetch, breaker);

// Reports fail for everybody, and all that acme asks for fails.
const server = createServer(({ url, headers }, response) => {
  const isBad = url === '/reports' || headers['x-tenant'] === 'acme';
  response.writeHead(isBad ? 503 : 200).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function call(tenant: string, path: string): Promise<string | number> {
  return currentTenant.run(tenant, () =>
    guardedFetch(base + path, { headers: { 'x-tenant': tenant } }).then(
      ({ status }) => status,
      (error: unknown) => (isCallNotPermitted(error) ? 'refused' : 'failed'),
    ),
  );
}

for (const [tenant, path] of [
  ['globex', '/reports'],
  ['globex', '/shops/berlin/orders'],
  ['acme', '/shops/berlin/orders'],
  ['initech', '/shops/lisbon/orders'],
] as const) {
  const results = [];
  for (let count = 1; count <= 4; count++) results.push(await call(tenant, path));
  console.log(`${tenant} ${path}: ${results.join(', ')}`);
}

console.log('\nThe breakers:');
for (const { key, state } of breaker.snapshot().breakers) {
  console.log(`${key.replace(base, 'http://api')}: ${state}`);
}
server.close();
