// The breakers that are compared, each a function that puts another behind one. None loads the code
// of another. Where one opens it stays open for the time of the run.

import type { CircuitBreakerOptions } from '@recloser/core';

export type Body = () => Promise<number>;

export type Guard = (body: Body) => Promise<Body>;

const LONG = 3_600_000;

export const timeWindow: CircuitBreakerOptions = {
  slidingWindowType: 'time-based',
  slidingWindowSize: 30,
};

export const countWindow: CircuitBreakerOptions = {
  slidingWindowType: 'count-based',
  slidingWindowSize: 100,
};

export function recloser(options: CircuitBreakerOptions): Guard {
  return async (body) => {
    const { CircuitBreaker } = await import('@recloser/core');
    const breaker = new CircuitBreaker('bench', { waitDurationInOpenState: LONG, ...options });
    return () => breaker.execute(body);
  };
}

export function cockatielSampling(seconds = 30): Guard {
  return async (body) => {
    const { circuitBreaker, handleAll, SamplingBreaker } = await import('cockatiel');
    const breaker = new SamplingBreaker({ threshold: 0.5, duration: seconds * 1000 });
    const policy = circuitBreaker(handleAll, { halfOpenAfter: LONG, breaker });
    return () => policy.execute(body);
  };
}

function cockatielCount(size = 100): Guard {
  return async (body) => {
    const { circuitBreaker, handleAll, CountBreaker } = await import('cockatiel');
    const breaker = new CountBreaker({ threshold: 0.5, size });
    const policy = circuitBreaker(handleAll, { halfOpenAfter: LONG, breaker });
    return () => policy.execute(body);
  };
}

/** What can be left out of it without losing the breaker. */
const opossumLean = { timeout: false, rollingPercentilesEnabled: false } as const;

export function opossum(options: object = {}): Guard {
  return async (body) => {
    const { default: Opossum } = await import('opossum');
    const breaker = new Opossum(body, { resetTimeout: LONG, ...options });
    return () => breaker.fire();
  };
}

export function mollitia(type: 'count' | 'time', seconds = 30): Guard {
  return async (body) => {
    const { Circuit, SlidingCountBreaker, SlidingTimeBreaker } = await import('mollitia');
    const module =
      type === 'count'
        ? new SlidingCountBreaker({
            slidingWindowSize: 100,
            minimumNumberOfCalls: 100,
            openStateDelay: LONG,
          })
        : new SlidingTimeBreaker({
            slidingWindowSize: seconds * 1000,
            minimumNumberOfCalls: 100,
            openStateDelay: LONG,
          });
    const circuit = new Circuit({ func: body, options: { modules: [module] } });
    return () => circuit.execute<number>();
  };
}

export type Guards = Readonly<Record<string, Guard>>;

export const quickPeers: Guards = {
  'cockatiel, SamplingBreaker': cockatielSampling(),
  'cockatiel, CountBreaker': cockatielCount(),
  'opossum, default': opossum(),
  'opossum, lean': opossum(opossumLean),
};

/** A call of theirs takes longer than a hundred of others. */
export const slowPeers: Guards = {
  'mollitia, count window': mollitia('count'),
  'mollitia, time window': mollitia('time'),
};

export const guards: Guards = {
  'Recloser, time window': recloser(timeWindow),
  'Recloser, count window': recloser(countWindow),
  ...quickPeers,
  ...slowPeers,
};

/** Of each guard a contestant. */
export function ofEach<Figure>(
  all: Guards,
  measure: (guard: Guard) => Promise<Figure>,
  suffix: string = '',
): Record<string, () => Promise<Figure>> {
  return Object.fromEntries(
    Object.entries(all).map(([name, guard]) => [name + suffix, () => measure(guard)]),
  );
}
