import { HttpCircuitBreaker, reportFailure, type Admission } from '@recloser/core';
import { Registry } from 'prom-client';
import { collectMetrics } from '../src/index.ts';

/** Where some calls were told to their endpoint, some to their host, and most to both. */
export function registerOfSevenCalls(): Registry {
  const breaker = new HttpCircuitBreaker({
    rules: [
      { status: 404, outcome: 'ignore' },
      { status: 429, outcome: 'hold', holdFor: 1 },
      { status: 430, outcome: 'hold', holdFor: 1, domain: 'host' },
    ],
  });
  const register = new Registry();
  collectMetrics(breaker, { register });
  const admit = (host = 'api'): Admission =>
    breaker.admit({ method: 'GET', url: `https://${host}.example.com/price` });
  admit().responded(200);
  admit().responded(503);
  admit().responded(404);
  admit().failed(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  const response = {};
  admit().responded(200, undefined, response);
  reportFailure(response, new Error('no price in it'));
  admit('busy').responded(429);
  admit('busier').responded(430);
  return register;
}
