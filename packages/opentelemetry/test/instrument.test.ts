import { diag, DiagLogLevel, metrics as globalMetrics, type DiagLogger } from '@opentelemetry/api';
import { describe, expect, test, vi } from 'vitest';
import { instrument } from '../src/index.ts';
import { startMetrics } from './metrics.ts';
import { ENDPOINT, startOutage } from './outage.ts';

const endpoint = { key: ENDPOINT };

describe('what cannot be instrumented is said at once', () => {
  test('a breaker that is reported to the same provider already', async () => {
    await using metrics = startMetrics();
    const { breaker: twice, call } = startOutage();
    const meterProvider = metrics.provider;
    const stop = instrument(twice, { meterProvider });

    expect(() => instrument(twice, { meterProvider })).toThrow('is reported to this meterProvider');

    stop();
    instrument(twice, { meterProvider });
    call(200);
    expect((await metrics.collect()).value('calls', endpoint)).toBe(1);
  });

  test('another breaker for the same provider that nothing tells apart', async () => {
    await using metrics = startMetrics();
    const meterProvider = metrics.provider;
    const [one, two, three] = [startOutage(), startOutage(), startOutage()];
    const stop = instrument(one.breaker, { meterProvider });
    instrument(two.breaker, { meterProvider, attributes: { client: 'shop', region: 'eu' } });

    expect(() => instrument(three.breaker, { meterProvider })).toThrow(
      "instrument: another breaker is reported to this meterProvider without attributes, so that their samples would overwrite each other: give each attributes of its own, such as { client: 'shop' }",
    );
    expect(() =>
      instrument(three.breaker, { meterProvider, attributes: { region: 'eu', client: 'shop' } }),
    ).toThrow('with the same attributes');

    stop();
    instrument(three.breaker, { meterProvider });
    three.call(200);
    expect((await metrics.collect()).value('calls', { ...endpoint, client: undefined })).toBe(1);
  });

  test('nothing, where two breakers have no SDK', () => {
    instrument(startOutage().breaker);

    expect(() => instrument(startOutage().breaker)).not.toThrow();
  });

  test('a provider whose meter throws, and nothing is left of it', async () => {
    await using metrics = startMetrics();
    const meter = metrics.provider.getMeter('first broken');
    const createHistogram = vi.spyOn(meter, 'createHistogram').mockImplementationOnce(() => {
      throw new Error('not now');
    });
    const meterProvider = { getMeter: () => meter };
    const { breaker: late, call } = startOutage();

    expect(() => instrument(late, { meterProvider })).toThrow('not now');
    instrument(late, { meterProvider });
    call(200);

    expect(createHistogram).toHaveBeenCalledTimes(3);
    expect((await metrics.collect()).value('calls', endpoint)).toBe(1);
  });

  test('a provider that gives no meter', () => {
    const { breaker: broken, call } = startOutage();
    const meterProvider = {
      getMeter() {
        throw new Error('no meter');
      },
    };

    expect(() => instrument(broken, { meterProvider })).toThrow('no meter');
    expect(() => instrument(broken, { meterProvider })).toThrow('no meter');

    expect(call(200)).toBe(true);
  });
});

describe('the global provider', () => {
  test('is used as it is at the call', async () => {
    await using metrics = startMetrics();
    globalMetrics.setGlobalMeterProvider(metrics.provider);
    const { breaker, call } = startOutage();
    instrument(breaker);
    globalMetrics.disable();
    call(200);

    expect((await metrics.collect()).value('calls', endpoint)).toBe(1);
  });

  test('that is registered later gets nothing, and a warning said so', async () => {
    await using metrics = startMetrics();
    const warn = vi.fn<DiagLogger['warn']>();
    diag.setLogger({ ...console, verbose: () => {}, warn }, DiagLogLevel.WARN);
    const { breaker, call } = startOutage();
    const stop = instrument(breaker);
    globalMetrics.setGlobalMeterProvider(metrics.provider);
    call(200);

    expect((await metrics.collect()).metrics).toEqual([]);
    expect(warn.mock.calls).toEqual([
      ['@recloser/opentelemetry: no MeterProvider is registered, so no metrics are reported'],
    ]);

    stop();
    instrument(breaker);
    call(200);
    expect((await metrics.collect()).value('calls', endpoint)).toBe(1);
    globalMetrics.disable();
    diag.disable();
  });

  test('that there is not costs a call nothing: no event of a call is made', () => {
    const { breaker } = startOutage();
    const on = vi.spyOn(breaker, 'on');

    instrument(breaker);

    expect(on).not.toHaveBeenCalled();
  });
});
