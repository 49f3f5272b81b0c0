import {
  AggregationTemporality,
  AggregationType,
  InstrumentType,
  type ViewOptions,
} from '@opentelemetry/sdk-metrics';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { instrument } from '../src/index.ts';
import { startMetrics } from './metrics.ts';
import { HOST, startOutage } from './outage.ts';

const endpoint = { level: 'endpoint' };

describe('a histogram of durations', () => {
  test('has each call that succeeded or failed, in seconds', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage({
      rules: [{ name: 'not there', status: 404, outcome: 'ignore' }],
    });
    instrument(breaker, { meterProvider: metrics.provider });
    call(200, 20);
    call(200, 3000);
    call(503, 250);
    call(404, 1);

    const collected = await metrics.collect();

    const success = collected.value('call.duration', { outcome: undefined });
    const failure = collected.value('call.duration', { outcome: 'failure' });
    expect(success).toMatchObject({ count: 2, sum: 3.02, min: 0.02, max: 3 });
    expect(failure).toMatchObject({ count: 1, sum: 0.25 });
    expect(collected.samples('call.duration')).toHaveLength(2);
    expect(success).toMatchObject({
      buckets: {
        boundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
        counts: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0],
      },
    });
  });

  test('has a call once, whether its endpoint tells of it, or its host, or both', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage({
      overrides: [{ path: '/left-out', level: 'endpoint', breaker: false }],
    });
    instrument(breaker, { meterProvider: metrics.provider });
    const refused = Object.assign(new Error(), { code: 'ECONNREFUSED' });

    call(200, 20);
    call(200, 20, `${HOST}/left-out`);
    call(200, 20, `${HOST}/left-out`);
    breaker.admit({ method: 'GET', url: `${HOST}/price` }).failed(refused);
    for (let failure = 0; failure < 2; failure++) call(503);
    // The endpoint that has opened speaks for itself only; this host could not be reached.
    breaker.admit({ method: 'GET', url: `${HOST}/other` }).failed(refused);

    const collected = await metrics.collect();
    expect(collected.value('call.duration', { outcome: undefined })).toMatchObject({ count: 3 });
    expect(collected.value('call.duration', { outcome: 'failure' })).toMatchObject({ count: 4 });
  });

  test('has every call of any number between two collections, and each collection its own', async () => {
    await using metrics = startMetrics(AggregationTemporality.DELTA);
    const { breaker, call } = startOutage();
    instrument(breaker, { meterProvider: metrics.provider });

    for (const calls of [1, 63, 64, 65, 200]) {
      for (let made = 0; made < calls; made++) call(200, 20);
      expect((await metrics.collect()).value('call.duration')).toMatchObject({ count: calls });
    }
  });

  test.each([AggregationTemporality.DELTA, AggregationTemporality.CUMULATIVE])(
    'begins before it ends, also where nothing was called for long: %s',
    async (temporality) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      await using metrics = startMetrics(temporality);
      const { breaker, call } = startOutage();
      instrument(breaker, { meterProvider: metrics.provider });
      for (const calls of [2, 0, 2, 3]) {
        for (let made = 0; made < calls; made++) call(200, 20);
        vi.setSystemTime(Date.now() + 60_000);
        const collected = await metrics.collect();
        for (const { startTime, endTime } of collected.points('call.duration')) {
          expect(endTime[0] - startTime[0]).toBeGreaterThanOrEqual(60);
        }
        expect(collected.points('call.duration').length === 0).toBe(
          calls === 0 && temporality === AggregationTemporality.DELTA,
        );
      }
    },
  );

  test('lacks no other call where the record of one throws, or makes calls', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage();
    const recorded: number[] = [];
    const meter = metrics.provider.getMeter('of a test');
    const createHistogram: typeof meter.createHistogram = (name, options) =>
      Object.assign(Object.create(meter.createHistogram(name, options)), {
        record(seconds: number) {
          if (seconds === 0.005) throw new Error('the SDK is broken');
          recorded.push(seconds);
          if (seconds === 0.007) for (const ms of [100, 101, 102]) call(200, ms);
        },
      });
    const meterProvider = {
      getMeter: () => Object.assign(Object.create(meter), { createHistogram }),
    };
    instrument(breaker, { meterProvider });

    for (let ms = 1; ms <= 10; ms++) call(200, ms);
    await metrics.collect();
    await metrics.collect();

    expect(recorded.toSorted((left, right) => left - right)).toEqual([
      0.001, 0.002, 0.003, 0.004, 0.006, 0.007, 0.008, 0.009, 0.01, 0.1, 0.101, 0.102,
    ]);
  });

  test('has the calls of a breaker that is reported no more', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage();
    const stop = instrument(breaker, { meterProvider: metrics.provider });
    call(200, 20);
    stop();

    expect((await metrics.collect()).value('call.duration')).toMatchObject({ count: 1 });
  });

  test('is there where a view drops everything else', async () => {
    const views = [
      InstrumentType.OBSERVABLE_COUNTER,
      InstrumentType.OBSERVABLE_UP_DOWN_COUNTER,
      InstrumentType.OBSERVABLE_GAUGE,
    ].map((instrumentType): ViewOptions => ({
      instrumentType,
      aggregation: { type: AggregationType.DROP },
    }));
    await using metrics = startMetrics(AggregationTemporality.CUMULATIVE, views);
    const { breaker, call } = startOutage();
    instrument(breaker, { meterProvider: metrics.provider });
    call(200, 20);

    const collected = await metrics.collect();

    expect(collected.metrics.map(({ descriptor }) => descriptor.name)).toEqual([
      'circuit_breaker.call.duration',
    ]);
    expect(collected.value('call.duration')).toMatchObject({ count: 1 });
  });

  test('is that of hosts, where they alone have breakers', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage({ level: 'host' });
    instrument(breaker, { meterProvider: metrics.provider });
    call(200, 20);
    call(200, 20);

    expect((await metrics.collect()).value('call.duration')).toMatchObject({ count: 2 });
  });

  test('has the time from the first opening until it closed', async () => {
    await using metrics = startMetrics();
    const { breaker, clock, call } = startOutage();
    instrument(breaker, { meterProvider: metrics.provider });
    call(503);
    call(503);
    clock.advance(10_001);
    call(503);
    clock.advance(50_000);
    call(200);

    const collected = await metrics.collect();

    expect(collected.value('recovery.duration', endpoint)).toMatchObject({
      count: 1,
      sum: 60.001,
      buckets: { boundaries: [1, 5, 10, 30, 60, 300, 900, 3600] },
    });
  });

  test('of calls is not there where that is switched off, and that of recoveries still is', async () => {
    await using metrics = startMetrics();
    const { breaker, clock, call } = startOutage();
    instrument(breaker, { meterProvider: metrics.provider, callDurations: false });
    call(503);
    call(503);
    clock.advance(10_001);
    call(200);

    const collected = await metrics.collect();

    expect(collected.samples('call.duration')).toEqual([]);
    expect(collected.samples('recovery.duration')).toHaveLength(1);
    expect(collected.value('calls', { ...endpoint, outcome: 'failure' })).toBe(2);
  });
});
