// A configuration that is legal and will not do what it seems to. lintConfiguration says so, in a
// review or in a test of your own: expect(lintConfiguration(options, context)).toEqual([]).

import { lintConfiguration, lintRules, type HttpCircuitBreakerOptions } from '@recloser/core';

const options: HttpCircuitBreakerOptions = {
  breaker: {
    slidingWindowType: 'time-based',
    slidingWindowSize: 5, // seconds
    slowCallDurationThreshold: 10_000,
    maxWaitDurationInHalfOpenState: 2000,
    permitLease: 8000,
    permittedNumberOfCallsInHalfOpenState: 10,
  },
  overrides: [
    { name: 'everything of ours', host: '*.example.com', breaker: { failureRateThreshold: 40 } },
    { name: 'payments', host: 'pay.example.com', breaker: { failureRateThreshold: 20 } },
  ],
  rules: [
    { name: 'server errors', status: '5xx', outcome: 'failure' },
    { name: 'maintenance', status: 503, outcome: 'ignore' },
    { name: 'no such book', path: '/books/:id', status: 404, outcome: 'ignore' },
    { name: 'books may be missing', path: '/books/:id', status: 404, outcome: 'success' },
  ],
};

console.log('Of the configuration, at 1 call a second with a timeout of 6 s, in 12 instances:');
const known = { timeout: 6000, callsPerSecond: 1, instances: 12 };
for (const { where, kind, message } of lintConfiguration(options, known)) {
  console.log(`\n  ${kind}, in ${where}\n  ${message}`);
}

// The table alone, as it might be kept in a file of its own; there a wrong row is a finding too.
const rows = [
  { name: 'refused', error: 'ECONNREFUSD', outcome: 'failure' },
  { name: 'come back later', status: 429, outcome: 'hold' },
  { name: 'gone', status: 4040, outcome: 'ignore' },
] as const;

console.log('\nOf a table of rules:');
for (const { kind, message } of lintRules(rows)) console.log(`\n  ${kind}\n  ${message}`);

// What is meant, in words that lead to it.
const mended: HttpCircuitBreakerOptions = {
  breaker: {
    slidingWindowSize: 30,
    slowCallDurationThreshold: 2000, // a few times the 99th percentile
    maxWaitDurationInHalfOpenState: 2000,
    permittedNumberOfCallsInHalfOpenState: 1,
  },
  overrides: [
    { name: 'payments', host: 'pay.example.com', breaker: { failureRateThreshold: 20 } },
    { name: 'everything of ours', host: '*.example.com', breaker: { failureRateThreshold: 40 } },
  ],
};
console.log(`\nMended: ${lintConfiguration(mended, known).length} warnings.`);
