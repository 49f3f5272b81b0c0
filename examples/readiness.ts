// A server whose dependency fails: it stays ready, and answers 503 with Retry-After at once.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getCallNotPermitted, HttpCircuitBreaker, ManualClock, wrapFetch } from '@recloser/fetch';

const clock = new ManualClock(); // stands still, for the same output each time: leave it out
const breaker = new HttpCircuitBreaker({
  breaker: { consecutiveFailureThreshold: 3, waitDurationInOpenState: 5000 },
  overrides: [{ path: '/price', name: 'pricing' }],
  clock,
});
const guardedFetch = wrapFetch(fetch, breaker);

/**
 * Always 200: an open breaker tells of a dependency. With this instance taken out the others would
 * have more to do, and the dependency would be as broken.
 */
function ready(response: ServerResponse): void {
  const { status, breakers } = breaker.health();
  const degraded = breakers.filter(({ health }) => health === 'degraded').map(({ name }) => name);
  response.writeHead(200).end(JSON.stringify({ status, degraded }));
}

async function price(response: ServerResponse): Promise<void> {
  try {
    const answer = await guardedFetch(dependencyUrl);
    const body = await answer.text();
    response.writeHead(answer.ok ? 200 : 502).end(body);
  } catch (error) {
    const refusal = getCallNotPermitted(error);
    if (refusal === undefined) {
      response.writeHead(502).end();
      return;
    }
    // Whole seconds, rounded up: who comes a moment too early is refused again. There is no time
    // while trial calls are out: they decide, and soon.
    const seconds = Math.ceil((refusal.retryAfterMs ?? 1000) / 1000);
    response.writeHead(503, { 'retry-after': `${seconds}` }).end();
  }
}

const dependency = createServer((_, response) => response.writeHead(500).end());
const service = createServer((request, response) => {
  if (request.url === '/ready') ready(response);
  else void price(response);
});
dependency.listen(0, '127.0.0.1');
service.listen(0, '127.0.0.1');
await Promise.all([once(dependency, 'listening'), once(service, 'listening')]);
const dependencyUrl = `http://127.0.0.1:${(dependency.address() as AddressInfo).port}/price`;
const base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;

for (let call = 1; call <= 4; call++) {
  const { status, headers } = await fetch(`${base}/price`);
  console.log(`GET /price: ${status}, Retry-After: ${headers.get('retry-after') ?? 'none'}`);
  const readiness = await fetch(`${base}/ready`);
  console.log(`GET /ready: ${readiness.status}, ${await readiness.text()}`);
}
service.close();
dependency.close();
