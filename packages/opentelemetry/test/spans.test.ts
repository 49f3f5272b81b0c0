import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { wrapFetch } from '@recloser/fetch';
import { startServer, status } from '@recloser/test-support/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instrument } from '../src/index.ts';
import { startMetrics } from './metrics.ts';
import { ENDPOINT, startOutage } from './outage.ts';
import { startInstrumented, startTracing } from './tracing.ts';

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterAll(() => context.disable());

const own = { 'circuit_breaker.key': ENDPOINT, 'circuit_breaker.level': 'endpoint' };

describe('the active span', () => {
  test('gets an event for a refusal, and no other span does', () => {
    using tracing = startTracing();
    const { call } = startInstrumented();
    call(503);
    call(503);

    tracing.during('outer', () => tracing.during('refused', () => call(200)));

    expect(tracing.eventsOf('refused')).toEqual([
      ['circuit_breaker.call_not_permitted', { ...own, 'circuit_breaker.reason': 'open' }],
    ]);
    expect(tracing.eventsOf('outer')).toEqual([]);
  });

  test('gets an event for each move that its call causes', () => {
    using tracing = startTracing();
    const { clock, call } = startInstrumented();
    call(503);
    tracing.during('opening', () => call(503));
    clock.advance(10_001);
    tracing.during('trial', () => call(200));

    const moved = 'circuit_breaker.state_transition';
    const move = (from: string, to: string, reason: string): object => ({
      ...own,
      'circuit_breaker.from': from,
      'circuit_breaker.to': to,
      'circuit_breaker.reason': reason,
    });
    expect(tracing.eventsOf('opening')).toEqual([
      [moved, move('closed', 'open', 'consecutive-failures')],
    ]);
    expect(tracing.eventsOf('trial')).toEqual([
      [moved, move('open', 'half-open', 'wait-elapsed')],
      [moved, move('half-open', 'closed', 'trial-calls')],
    ]);
  });

  test('is that of the call, where many are under way at once', async () => {
    await using server = await startServer(status(503));
    using tracing = startTracing();
    const { breaker } = startInstrumented();
    const api = wrapFetch(fetch, breaker);
    const ask = async (name: string): Promise<void> =>
      await tracing.during(name, async (span) => {
        await Promise.resolve();
        await api(`${server.url}/price`).catch(() => {});
        span.end();
      });
    await ask('first');
    await ask('second');

    await Promise.all(['a', 'b', 'c'].map(ask));

    for (const name of ['a', 'b', 'c']) {
      expect(tracing.eventsOf(name)).toMatchObject([
        ['circuit_breaker.call_not_permitted', { 'circuit_breaker.reason': 'open' }],
      ]);
    }
    expect(tracing.eventsOf('first')).toEqual([]);
    expect(tracing.eventsOf('second').map(([name]) => name)).toEqual([
      'circuit_breaker.state_transition',
    ]);
  });

  test('has an event once, where two providers get the metrics', async () => {
    using tracing = startTracing();
    await using one = startMetrics();
    await using other = startMetrics();
    const { breaker, call } = startOutage();
    const stop = instrument(breaker, { meterProvider: one.provider });
    instrument(breaker, { meterProvider: other.provider });
    call(503);
    call(503);

    tracing.during('both', () => call(200));
    expect(tracing.eventsOf('both')).toHaveLength(1);

    stop();
    tracing.during('one', () => call(200));
    expect(tracing.eventsOf('one')).toHaveLength(1);
  });

  test('gets nothing once that was ended', () => {
    using tracing = startTracing();
    const { breaker, call } = startOutage();
    const stop = instrument(breaker);
    call(503);
    call(503);
    stop();

    tracing.during('refused', () => call(200));

    expect(tracing.eventsOf('refused')).toEqual([]);
  });

  test('bears what the caller adds to all', () => {
    using tracing = startTracing();
    const { breaker, call } = startOutage();
    instrument(breaker, { attributes: { client: 'shop' } });
    call(503);
    call(503);

    tracing.during('refused', () => call(200));

    expect(tracing.eventsOf('refused')).toMatchObject([[expect.any(String), { client: 'shop' }]]);
  });
});
