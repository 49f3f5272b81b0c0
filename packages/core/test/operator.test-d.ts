import { expectTypeOf, test } from 'vitest';
import {
  HttpCircuitBreaker,
  type BreakerControl,
  type BreakerHealth,
  type BreakerSnapshot,
  type CircuitBreakerState,
  type ControlAction,
  type ControlDate,
  type ControlEvent,
  type ControlOptions,
  type ControlReason,
  type ControlResult,
  type ControlSpan,
  type Health,
  type HttpCircuitBreakerSnapshot,
  type StandingOrder,
} from '../src/index.ts';

const breaker = new HttpCircuitBreaker();
const control = breaker.control('*');

test('every order has a reason, and tells what it did', () => {
  expectTypeOf(control).toEqualTypeOf<BreakerControl>();
  const why: ControlReason = { reason: 'maintenance' };
  expectTypeOf(control.close(why)).toEqualTypeOf<ControlResult>();
  expectTypeOf(control.halfOpen(why)).toEqualTypeOf<ControlResult>();
  expectTypeOf(control.reset(why)).toEqualTypeOf<ControlResult>();
  expectTypeOf(control.handBack(why).moved).toEqualTypeOf<readonly string[]>();
  // @ts-expect-error: it needs its options.
  control.close();
  // @ts-expect-error: it needs a reason.
  control.forceOpen({ for: 1000 });
  // @ts-expect-error: it takes effect at once, and has no end.
  control.close({ reason: 'maintenance', for: 1000 });
});

test('an order that stands ends after a span, at a date, or by another', () => {
  const span: ControlSpan = { for: 1000 };
  const date: ControlDate = { until: new Date() };
  const options: readonly ControlOptions[] = [
    { reason: 'maintenance' },
    { reason: 'maintenance', ...span },
    { reason: 'maintenance', ...date },
  ];
  for (const each of options) {
    control.forceOpen(each);
    control.disable(each);
    control.metricsOnly(each);
  }
  control.open({ reason: 'maintenance', ...span });
  // @ts-expect-error: it needs a span or a date.
  control.open({ reason: 'maintenance' });
  // @ts-expect-error: one of the two, not both.
  control.open({ reason: 'maintenance', for: 1000, until: new Date() });
  // @ts-expect-error: a number of ms.
  control.forceOpen({ reason: 'maintenance', for: '1h' });
  // @ts-expect-error: a date, not a number of ms.
  control.forceOpen({ reason: 'maintenance', until: 1000 });
});

test('an order is heard of, and seen as long as it stands', () => {
  breaker.on('control', (event) => {
    expectTypeOf(event).toEqualTypeOf<ControlEvent>();
    expectTypeOf(event.action).toEqualTypeOf<ControlAction>();
    expectTypeOf(event.expiresAt).toEqualTypeOf<number | undefined>();
    // @ts-expect-error: the action is called forceOpen.
    void (event.action === 'forcedOpen');
  });
  expectTypeOf(breaker.snapshot().orders).toEqualTypeOf<readonly StandingOrder[]>();
  expectTypeOf<StandingOrder['action']>().toEqualTypeOf<ControlAction>();
});

test('a snapshot is data to read', () => {
  const snapshot = breaker.snapshot();
  expectTypeOf(snapshot).toEqualTypeOf<HttpCircuitBreakerSnapshot>();
  expectTypeOf(snapshot.breakers).toEqualTypeOf<readonly BreakerSnapshot[]>();
  expectTypeOf(snapshot.unguarded).toBeNumber();
  const [first] = snapshot.breakers;
  expectTypeOf(first?.level).toEqualTypeOf<'host' | 'endpoint' | undefined>();
  expectTypeOf(first?.state).toEqualTypeOf<CircuitBreakerState | undefined>();
  expectTypeOf(first?.lastFailure?.status).toEqualTypeOf<number | undefined>();
  // @ts-expect-error: a snapshot is for reading.
  snapshot.breakers.length = 0;
});

test('health is up or degraded, never down', () => {
  const health = breaker.health();
  expectTypeOf(health).toEqualTypeOf<Health>();
  expectTypeOf(health.status).toEqualTypeOf<'up' | 'degraded'>();
  expectTypeOf(health.breakers).toEqualTypeOf<readonly BreakerHealth[]>();
  expectTypeOf<BreakerHealth['health']>().toEqualTypeOf<'up' | 'degraded' | 'not-evaluated'>();
  // @ts-expect-error: an open breaker tells of a dependency, not of this instance.
  void (health.status === 'down');
});
