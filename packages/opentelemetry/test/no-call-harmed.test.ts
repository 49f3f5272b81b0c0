import { diag, DiagLogLevel, type DiagLogger } from '@opentelemetry/api';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { describe, expect, test, vi } from 'vitest';
import { instrument } from '../src/index.ts';
import { startMetrics } from './metrics.ts';
import { ENDPOINT, startOutage } from './outage.ts';

const endpoint = { key: ENDPOINT };

describe('no call is harmed', () => {
  test('by a histogram that throws', async () => {
    await using metrics = startMetrics();
    const meter = metrics.provider.getMeter('broken');
    const createHistogram: typeof meter.createHistogram = (name, options) =>
      Object.assign(Object.create(meter.createHistogram(name, options)), {
        record() {
          throw new Error('the SDK is broken');
        },
      });
    const meterProvider = {
      getMeter: () => Object.assign(Object.create(meter), { createHistogram }),
    };
    const { breaker, clock, call } = startOutage();
    const errors = vi.fn<() => void>();
    breaker.on('error', errors);
    instrument(breaker, { meterProvider });

    expect([call(503), call(503), call(200)]).toEqual([true, true, false]);
    clock.advance(10_001);
    expect(call(200)).toBe(true);

    expect(errors).not.toHaveBeenCalled();
    expect((await metrics.collect()).value('openings', endpoint)).toBe(1);
  });

  test('by a collection that throws, and the next one is whole', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage();
    instrument(breaker, { meterProvider: metrics.provider });
    call(200);
    const error = vi.fn<DiagLogger['error']>();
    diag.setLogger({ ...console, verbose: () => {}, error }, DiagLogLevel.ERROR);
    const snapshot = vi.spyOn(breaker, 'snapshot').mockImplementationOnce(() => {
      throw new Error('in the callback');
    });

    call(200);
    const broken = await metrics.collect();
    expect(snapshot).toHaveBeenCalledOnce();
    // What was measured does not wait for the breakers to be read.
    expect(broken.value('call.duration')).toMatchObject({ count: 2 });
    expect(String(error.mock.calls)).toContain('in the callback');

    expect(call(200)).toBe(true);
    expect((await metrics.collect()).value('calls', endpoint)).toBe(3);
    diag.disable();
  });

  test('by a provider that was shut down', async () => {
    const provider = new MeterProvider();
    const { breaker, call } = startOutage();
    instrument(breaker, { meterProvider: provider });
    call(503);
    await provider.shutdown();

    expect([call(503), call(200)]).toEqual([true, false]);
  });
});
