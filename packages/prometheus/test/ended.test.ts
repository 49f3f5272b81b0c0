import { HttpCircuitBreaker, type HttpCircuitBreakerEvents } from '@recloser/core';
import { Gauge, Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { collectMetrics } from '../src/index.ts';
import { scrape } from './scrape.ts';
import { ask, makeBreaker } from './watched.ts';

const BREAKERS = 'circuit_breaker_breakers';

describe('what ends it', () => {
  test('takes the metrics off the register, and counts no more', async () => {
    const { breaker } = makeBreaker();
    const register = new Registry();
    const own = new Gauge({ name: 'own', help: 'mine', registers: [register] });
    const stop = collectMetrics(breaker, { register });
    ask(breaker, 200);
    stop();
    stop();

    expect(await scrape(register)).toEqual(['own 0']);
    expect(register.getSingleMetric('own')).toBe(own);
  });

  test('leaves those of another breaker', async () => {
    const register = new Registry();
    const stop = collectMetrics(makeBreaker().breaker, { register, group: 'one' });
    collectMetrics(makeBreaker().breaker, { register, group: 'two' });
    stop();

    expect(await scrape(register, BREAKERS)).toEqual([`${BREAKERS}{group="two"} 0`]);
  });

  test('ends nothing that began after it', async () => {
    const { breaker } = makeBreaker();
    const register = new Registry();
    const stop = collectMetrics(breaker, { register });
    stop();
    collectMetrics(breaker, { register });
    stop();

    expect(await scrape(register, BREAKERS)).toHaveLength(1);
  });
});

test('no listener is left behind, neither at the end nor when a register is cleared', () => {
  let listeners = 0;
  class Counting extends HttpCircuitBreaker {
    override on<Type extends keyof HttpCircuitBreakerEvents>(
      type: Type,
      listener: (event: HttpCircuitBreakerEvents[Type]) => unknown,
    ): () => void {
      listeners++;
      const remove = super.on(type, listener);
      return () => {
        listeners--;
        remove();
      };
    }
  }
  const breaker = new Counting();
  const register = new Registry();
  collectMetrics(breaker, { register });
  const ofOne = listeners;
  expect(ofOne).toBeGreaterThan(0);
  register.clear();
  const stop = collectMetrics(breaker, { register });
  expect(listeners).toBe(ofOne);
  stop();
  expect(listeners).toBe(0);
});

test('a register that was cleared takes the metrics again', async () => {
  const { breaker } = makeBreaker();
  const register = new Registry();
  const stop = collectMetrics(breaker, { register });
  register.clear();
  collectMetrics(breaker, { register });
  stop();

  expect(await scrape(register, BREAKERS)).toEqual([`${BREAKERS} 0`]);
});

test('a metric of yours that took the place of one stays when it ends', () => {
  const register = new Registry();
  const stop = collectMetrics(makeBreaker().breaker, { register });
  register.removeSingleMetric(BREAKERS);
  const own = new Gauge({ name: BREAKERS, help: 'mine', registers: [register] });
  stop();

  expect(register.getMetricsAsArray()).toEqual([own]);
});

test('a metric that you take off stays away, and the breakers there go on', async () => {
  const register = new Registry();
  collectMetrics(makeBreaker().breaker, { register });
  register.removeSingleMetric('circuit_breaker_ever_opened');
  collectMetrics(makeBreaker().breaker, { register, group: 'two' });

  expect(await scrape(register, BREAKERS)).toEqual([`${BREAKERS} 0`, `${BREAKERS}{group="two"} 0`]);
  expect(register.getSingleMetric('circuit_breaker_ever_opened')).toBeUndefined();
});

test("somebody else's metric of one of the names is an error, and nothing is registered", () => {
  const register = new Registry();
  new Gauge({ name: 'circuit_breaker_state', help: 'mine', registers: [register] });

  expect(() => collectMetrics(makeBreaker().breaker, { register })).toThrow(
    "collectMetrics: the register has a metric 'circuit_breaker_state' of somebody else's; give another register",
  );
  expect(register.getMetricsAsArray()).toHaveLength(1);
});
