import { describe, expect, test } from 'vitest';
import { instrument } from '../src/index.ts';
import { startMetrics } from './metrics.ts';
import { ENDPOINT, HOST, startOutage } from './outage.ts';

const endpoint = { key: ENDPOINT };

describe('what a sample bears', () => {
  test('is the name that an override gives, beside the key', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage({ overrides: [{ path: '/price', name: 'pricing' }] });
    instrument(breaker, { meterProvider: metrics.provider });
    call(200);

    const collected = await metrics.collect();

    expect(collected.samples('openings')).toEqual([
      [{ 'circuit_breaker.key': HOST, 'circuit_breaker.level': 'host' }, 0],
      [
        {
          'circuit_breaker.key': ENDPOINT,
          'circuit_breaker.name': 'pricing',
          'circuit_breaker.level': 'endpoint',
        },
        0,
      ],
    ]);
  });

  test('is no level, where the key is of the caller’s own making', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage({ key: () => 'prices' });
    instrument(breaker, { meterProvider: metrics.provider });
    call(200);

    expect((await metrics.collect()).samples('openings')).toEqual([
      [{ 'circuit_breaker.key': 'prices' }, 0],
    ]);
  });

  test('are attributes that tell breakers of the same hosts apart', async () => {
    await using metrics = startMetrics();
    const [shop, stock] = [startOutage(), startOutage()];
    const meterProvider = metrics.provider;
    instrument(shop.breaker, { meterProvider, attributes: { client: 'shop' } });
    instrument(stock.breaker, { meterProvider, attributes: { client: 'stock' } });
    shop.call(200, 20);
    stock.call(200, 20);
    stock.call(200, 20);

    const collected = await metrics.collect();

    const ofClient = (name: string): unknown[] =>
      collected
        .samples(name, name === 'calls' ? endpoint : {})
        .map(([attributes, value]) => [attributes['client'], value]);
    expect(ofClient('calls')).toEqual([
      ['shop', 1],
      ['stock', 2],
    ]);
    expect(ofClient('breakers')).toEqual([
      ['shop', 2],
      ['stock', 2],
    ]);
    expect(collected.samples('call.duration').map(([{ client }]) => client)).toEqual([
      'shop',
      'stock',
    ]);
  });
});
