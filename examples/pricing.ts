// A price service, and what the shop in front of it wants: prices at once or the last ones known.
// First an outage, then a slow-down, at 20 calls a second. Time is moved by hand.

import { setImmediate as settled } from 'node:timers/promises';
import {
  HttpCircuitBreaker,
  isDegraded,
  lintConfiguration,
  ManualClock,
  wrapFetch,
  type HttpCircuitBreakerOptions,
} from '@recloser/fetch';

const options: HttpCircuitBreakerOptions = {
  breaker: { slowCallDurationThreshold: 1500 }, // whatever else is called
  configs: {
    pricing: {
      slidingWindowType: 'time-based',
      slidingWindowSize: 10, // seconds: judges by what is, not by what was a minute ago
      minimumNumberOfCalls: 20, // a second's traffic
      failureRateThreshold: 50, // percent
      slowCallDurationThreshold: 800, // a shopper has left by then
      slowCallRateThreshold: 70, // percent: a slow price is still a price
      waitDurationInOpenState: { initial: 20_000, multiplier: 2, max: 120_000 }, // 20, 40, 80, 120 s
      automaticTransitionFromOpenToHalfOpenEnabled: true, // without a call, so that a dashboard shows it
      permittedNumberOfCallsInHalfOpenState: 5,
      maxWaitDurationInHalfOpenState: 10_000, // then what came back by then decides
    },
  },
  // The first that matches holds, so that the special comes before the general.
  overrides: [
    {
      name: 'price history',
      host: 'pricing.example.com',
      path: '/history/*',
      base: 'pricing',
      breaker: { slowCallDurationThreshold: 5000 }, // all else is as in pricing
    },
    { name: 'pricing', host: 'pricing.example.com', base: 'pricing' },
  ],
  rules: [
    { name: 'no such price', host: 'pricing.example.com', status: 404, outcome: 'ignore' },
    {
      name: 'out of reach', // one of the endpoint's own failures, not of its host alone
      host: 'pricing.example.com',
      error: ['dns', 'refused', 'unreachable', 'tls', 'connect-timeout', 'reset'],
      outcome: 'failure',
    },
  ],
};

console.log('What is to be thought over, where the client has a timeout of 2 s:');
const known = { timeout: 2000, callsPerSecond: 20, instances: 3 };
for (const { where, message } of lintConfiguration(options, known)) {
  console.log(`  ${where}: ${message}`);
}

const clock = new ManualClock();
const breaker = new HttpCircuitBreaker({ ...options, clock });
const seconds = (): string => `${(clock.now() / 1000).toFixed(1).padStart(6)} s`;
breaker.on('stateTransition', ({ breaker: name, to, reason, wait }) => {
  const next = wait === undefined ? '' : `, for ${wait / 1000} s`;
  console.log(`${seconds()}  ${name} is ${to} (${reason}${next})`);
});

// The service, in place of fetch, so that nothing waits.
let service = { status: 200, ms: 50 };
let reached = 0;

async function priceService(_url: string): Promise<Response> {
  const { status, ms } = service;
  reached++;
  await new Promise<void>((resolve) => clock.setTimer(resolve, ms));
  return new Response('9.99', { status });
}

let lastKnownPrice = 'unknown';
const guarded = wrapFetch(priceService, breaker, {
  fallbackOn: 'failure', // refusals are answered anyway
  fallback: () => new Response(lastKnownPrice),
});

let fresh = 0;
let lastKnown = 0;

async function price(): Promise<string> {
  const response = await guarded('https://pricing.example.com/items/42');
  const text = await response.text();
  if (isDegraded(response)) {
    lastKnown++;
  } else {
    fresh++;
    lastKnownPrice = text; // never what a fallback gave
  }
  return text;
}

async function phase(name: string, forSeconds: number, next: typeof service): Promise<void> {
  console.log(`${seconds()}  ${name}`);
  service = next;
  reached = fresh = lastKnown = 0;
  for (let call = 0; call < forSeconds * 20; call++) {
    void price();
    clock.advance(50);
    await settled(); // what the clock has set going
  }
  console.log(
    `${seconds()}    reached the service ${reached} times: ${fresh} fresh prices, ${lastKnown} last known`,
  );
}

await phase('the service is well', 20, { status: 200, ms: 50 });
await phase('it answers 503', 45, { status: 503, ms: 50 });
await phase('it is well again', 30, { status: 200, ms: 50 });
await phase('its answers take a second', 15, { status: 200, ms: 1000 });
await phase('it is well again', 30, { status: 200, ms: 50 });
