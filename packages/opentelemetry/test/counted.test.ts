import { reportFailure } from '@recloser/core';
import { describe, expect, test } from 'vitest';
import { instrument } from '../src/index.ts';
import { startMetrics } from './metrics.ts';
import { ENDPOINT, HOST, startOutage } from './outage.ts';

const endpoint = { key: ENDPOINT };
const host = { key: HOST };

describe('what is counted', () => {
  test('are calls by what they ended as and what decided, of the endpoint and of its host', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage({
      rules: [{ name: 'not there', status: 404, outcome: 'ignore' }],
      breaker: { consecutiveFailureThreshold: 9 },
    });
    instrument(breaker, { meterProvider: metrics.provider });
    call(200);
    call(200);
    call(503);
    call(404);
    const admission = breaker.admit({ method: 'GET', url: `${HOST}/price` });
    admission.failed(Object.assign(new Error(), { code: 'ECONNREFUSED' }));

    const collected = await metrics.collect();

    const common = { 'circuit_breaker.key': ENDPOINT, 'circuit_breaker.level': 'endpoint' };
    expect(collected.samples('calls', endpoint)).toEqual([
      [
        {
          ...common,
          'circuit_breaker.outcome': 'success',
          'circuit_breaker.rule': 'the dependency answered',
        },
        2,
      ],
      [
        {
          ...common,
          'circuit_breaker.outcome': 'failure',
          'circuit_breaker.rule': 'server error',
          'circuit_breaker.domain': 'endpoint',
        },
        1,
      ],
      [
        {
          ...common,
          'circuit_breaker.outcome': 'ignored',
          'circuit_breaker.rule': 'not there',
        },
        1,
      ],
    ]);
    expect(collected.value('calls', { ...host, kind: 'refused' })).toBe(1);
    expect(collected.value('calls', { ...host, outcome: 'success' })).toBe(2);
  });

  test('is a success whose body turns out a failure as both', async () => {
    await using metrics = startMetrics();
    const { breaker } = startOutage();
    instrument(breaker, { meterProvider: metrics.provider });
    const response = new Response();
    breaker.admit({ method: 'GET', url: `${HOST}/price` }).responded(200, undefined, response);
    reportFailure(response, new Error('no price in it'));

    const collected = await metrics.collect();

    expect(collected.by('outcome', 'calls', endpoint)).toEqual({ success: 1, amended: 1 });
    expect(collected.value('calls', { ...endpoint, kind: 'reported' })).toBe(1);
  });

  test('are refusals by reason, and moves by what they were', async () => {
    await using metrics = startMetrics();
    const { breaker, clock, call } = startOutage();
    instrument(breaker, { meterProvider: metrics.provider });
    call(503);
    call(503);
    expect([call(200), call(200)]).toEqual([false, false]);
    clock.advance(10_001);
    call(503);
    breaker.control(ENDPOINT).forceOpen({ reason: 'maintenance' });
    call(200);

    const collected = await metrics.collect();

    expect(collected.by('reason', 'refused_calls')).toEqual({ open: 2, 'forced-open': 1 });
    expect(collected.value('transitions', { from: 'closed', to: 'open' })).toBe(1);
    expect(
      collected.value('transitions', { from: 'half-open', to: 'open', reason: 'failure-rate' }),
    ).toBe(1);
    expect(collected.value('openings', endpoint)).toBe(2);
    expect(collected.value('openings', host)).toBe(0);
  });

  test('is a refused call as a refusal, and nowhere else', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage();
    instrument(breaker, { meterProvider: metrics.provider });
    for (const status of [503, 503, 200]) call(status);
    const told = async (): Promise<readonly (readonly [string, readonly unknown[]])[]> =>
      (await metrics.collect()).metrics.map(({ descriptor, dataPoints }) => [
        descriptor.name,
        dataPoints.map(({ value }) => value),
      ]);
    const before = await told();
    call(200);

    const after = await told();
    const changed = after.filter(([, values], at) => String(values) !== String(before[at]?.[1]));
    expect(changed).toEqual([['circuit_breaker.refused_calls', [2]]]);
  });

  test('are late outcomes and stalled calls', async () => {
    await using metrics = startMetrics();
    const { breaker, clock, call } = startOutage({
      breaker: { consecutiveFailureThreshold: 2, slowCallDurationThreshold: 1000 },
    });
    instrument(breaker, { meterProvider: metrics.provider });
    const hanging = breaker.admit({ method: 'GET', url: `${HOST}/slow` });
    clock.advance(1001);
    const late = breaker.admit({ method: 'GET', url: `${HOST}/price` });
    call(503);
    call(503);
    clock.advance(10_000);
    call(200);
    late.responded(200);

    const collected = await metrics.collect();
    hanging.released();

    expect(collected.value('late_outcomes', endpoint)).toBe(1);
    expect(collected.value('stalled_calls', { key: `GET ${HOST}/slow` })).toBe(1);
  });

  test('is what the breakers did as a whole', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage({
      level: 'host',
      maxBreakers: 1,
      overrides: [{ path: '/health', breaker: false }],
    });
    instrument(breaker, { meterProvider: metrics.provider });
    call(200, 0, 'https://a.example.com/');
    call(200, 0, 'https://b.example.com/');
    call(200, 0, 'https://b.example.com/health');
    const out = breaker.admit({ method: 'GET', url: 'https://b.example.com/' });
    call(200, 0, 'https://c.example.com/');

    const collected = await metrics.collect();
    out.released();

    expect(collected.samples('breakers')).toEqual([[{}, 1]]);
    expect(collected.samples('evictions')).toEqual([[{}, 1]]);
    expect(collected.samples('overflows')).toEqual([[{}, 1]]);
    // Which a call without a breaker is, too.
    expect(collected.samples('unguarded_requests')).toEqual([[{}, 2]]);
  });
});
