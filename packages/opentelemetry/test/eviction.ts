import { expect } from 'vitest';
import { instrument } from '../src/index.ts';
import type { Metrics } from './metrics.ts';
import { startOutage, type Outage } from './outage.ts';

export const GONE = 'https://a.example.com';
export const gone = { key: GONE };

/** Reports a breaker that is open, with a rate and an outage, and then is evicted. */
export async function startEviction(metrics: Metrics): Promise<Outage> {
  const outage = startOutage({
    level: 'host',
    maxBreakers: 1,
    hostBreaker: {
      minimumNumberOfCalls: 2,
      failureRateThreshold: 60,
      consecutiveFailureThreshold: 2,
      waitDurationInOpenState: 1000,
    },
  });
  instrument(outage.breaker, { meterProvider: metrics.provider });
  outage.call(200, 0, GONE);
  outage.call(503, 0, GONE);
  expect((await metrics.collect()).value('failure_ratio', gone)).toBe(0.5);
  outage.call(503, 0, GONE);
  outage.clock.advance(2000);
  const before = await metrics.collect();
  expect(before.value('state', { ...gone, state: 'open' })).toBe(1);
  expect(before.value('outage', gone)).toBe(2);
  outage.call(200, 0, 'https://b.example.com');
  return outage;
}
