import { describe, expect, test } from 'vitest';
import { instrument } from '../src/index.ts';
import { startMetrics } from './metrics.ts';
import { ENDPOINT, HOST, startOutage } from './outage.ts';

const states = ['closed', 'open', 'half-open', 'metrics-only', 'disabled', 'forced-open'];
const endpoint = { key: ENDPOINT };
const host = { key: HOST };

describe('what is told of a breaker as it is', () => {
  test('is its state: 1 for the one that it is in, 0 for each other', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage();
    instrument(breaker, { meterProvider: metrics.provider });
    const inState = (state: string): Record<string, number> =>
      Object.fromEntries(states.map((each) => [each, each === state ? 1 : 0]));

    call(503);
    expect((await metrics.collect()).by('state', 'state', endpoint)).toEqual(inState('closed'));

    call(503);
    expect((await metrics.collect()).by('state', 'state', endpoint)).toEqual(inState('open'));

    breaker.control(ENDPOINT).disable({ reason: 'a false alarm' });
    expect((await metrics.collect()).by('state', 'state', endpoint)).toEqual(inState('disabled'));
  });

  test('are rates from 0 to 1, once there are as many calls as they need', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage({
      breaker: {
        consecutiveFailureThreshold: 9,
        minimumNumberOfCalls: 4,
        slowCallDurationThreshold: 1000,
      },
    });
    instrument(breaker, { meterProvider: metrics.provider });
    call(200);
    call(200);
    call(200, 1001);
    const few = await metrics.collect();
    expect(few.samples('failure_ratio')).toEqual([]);
    expect(few.samples('slow_call_ratio')).toEqual([]);
    expect(few.value('ever_evaluated', endpoint)).toBe(0);

    call(503);

    const enough = await metrics.collect();
    expect(enough.value('failure_ratio', endpoint)).toBe(0.25);
    expect(enough.value('slow_call_ratio', endpoint)).toBe(0.25);
    expect(enough.value('ever_evaluated', endpoint)).toBe(1);
  });

  test('are the calls in its window, each once, and those that are out', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage({
      breaker: { consecutiveFailureThreshold: 9, slowCallDurationThreshold: 1000 },
    });
    instrument(breaker, { meterProvider: metrics.provider });
    for (const ms of [0, 0, 0, 1001]) call(200, ms);
    for (const ms of [0, 0, 1001, 1001, 1001]) call(503, ms);
    const out = breaker.admit({ method: 'GET', url: `${HOST}/price` });

    const collected = await metrics.collect();
    out.released();

    expect(collected.by('outcome', 'buffered_calls', endpoint)).toEqual({ success: 4, failure: 5 });
    expect(collected.value('calls_in_flight', endpoint)).toBe(1);
    expect(collected.value('calls_in_flight', host)).toBe(1);
    expect((await metrics.collect()).value('calls_in_flight', endpoint)).toBe(0);
  });

  test('is how long it is in its state, and how long its outage lasts, in seconds', async () => {
    await using metrics = startMetrics();
    const { breaker, clock, call } = startOutage();
    instrument(breaker, { meterProvider: metrics.provider });
    call(503);
    clock.advance(2500);
    const before = await metrics.collect();
    expect(before.value('time_in_state', endpoint)).toBe(2.5);
    expect(before.value('outage', endpoint)).toBe(0);
    expect(before.value('ever_opened', endpoint)).toBe(0);

    call(503);
    clock.advance(10_001);
    call(503);
    clock.advance(500);
    const during = await metrics.collect();
    expect(during.value('time_in_state', endpoint)).toBe(0.5);
    expect(during.value('outage', endpoint)).toBe(10.501);
    expect(during.value('ever_opened', endpoint)).toBe(1);

    clock.advance(30_000);
    call(200);
    const after = await metrics.collect();
    expect(after.value('outage', endpoint)).toBe(0);
    expect(after.value('ever_opened', endpoint)).toBe(1);
  });
});

test('orders that stand are told, by whether they end by themselves, until they are over', async () => {
  await using metrics = startMetrics();
  const { breaker, clock } = startOutage();
  instrument(breaker, { meterProvider: metrics.provider, attributes: { client: 'shop' } });
  const told = async (): Promise<Readonly<Record<string, unknown>>> =>
    (await metrics.collect()).by('action', 'operator_orders');
  expect(await told()).toEqual({});

  breaker.control('*one*').forceOpen({ reason: 'maintenance' });
  breaker.control('*two*').forceOpen({ reason: 'maintenance' });
  breaker.control('*three*').disable({ reason: 'a false alarm', for: 1000 });
  expect((await metrics.collect()).samples('operator_orders')).toEqual([
    [
      {
        client: 'shop',
        'circuit_breaker.action': 'forceOpen',
        'circuit_breaker.expires': false,
      },
      2,
    ],
    [{ client: 'shop', 'circuit_breaker.action': 'disable', 'circuit_breaker.expires': true }, 1],
  ]);

  breaker.control('*one*').handBack({ reason: 'over' });
  clock.advance(1001);
  expect(await told()).toEqual({ forceOpen: 1, disable: 0 });
});
