import { CircuitBreaker, isCallNotPermitted, ManualClock } from '@recloser/core';
import type { Check } from './check.ts';
import { errorOf } from './error-of.ts';
import { guarded, hasty, success } from './guarded.ts';

export const breakerChecks: readonly Check[] = [
  {
    name: 'a bare breaker guards any call',
    async run() {
      const clock = new ManualClock();
      const breaker = new CircuitBreaker('any call', { ...hasty, clock });
      const broken = new Error('broken');
      const value = await breaker.execute(async () => 'fine');
      const error = await errorOf(breaker.execute(async () => Promise.reject(broken)));
      const refusal = await errorOf(breaker.execute(async () => 'not called'));
      return {
        value,
        isTheError: error === broken,
        isRefusal: isCallNotPermitted(refusal),
        state: breaker.state,
        failureRate: breaker.metrics().failureRate,
      };
    },
    expected: {
      value: 'fine',
      isTheError: true,
      isRefusal: true,
      state: 'open',
      failureRate: 50,
    },
  },
  {
    name: 'a wrapped function keeps its this and its arguments',
    async run() {
      const breaker = new CircuitBreaker('wrapped');
      const price = {
        factor: 2,
        of: breaker.wrap(async function (this: { factor: number }, amount: number) {
          return this.factor * amount;
        }),
      };
      return price.of(21);
    },
    expected: 42,
  },
  {
    name: 'the automatic move is made by a timer of the clock, and none is left behind',
    async run() {
      const clock = new ManualClock();
      const breaker = new CircuitBreaker('automatic', {
        ...hasty,
        waitDurationInOpenState: 30_000,
        automaticTransitionFromOpenToHalfOpenEnabled: true,
        clock,
      });
      const moves: string[] = [];
      breaker.on('stateTransition', ({ from, to }) => {
        moves.push(`${from} to ${to}`);
      });
      breaker.transitionToOpenState();
      const timers = [clock.timers];
      clock.advance(60_000);
      timers.push(clock.timers);
      return { moves, timers };
    },
    expected: { moves: ['closed to open', 'open to half-open'], timers: [1, 0] },
  },
  {
    name: 'the automatic move is made by the timer of the runtime',
    async run(room) {
      const breaker = new CircuitBreaker('automatic', {
        waitDurationInOpenState: 1,
        automaticTransitionFromOpenToHalfOpenEnabled: true,
      });
      const moved = new Promise((resolve) => {
        breaker.on('stateTransition', ({ to, reason }) => {
          if (to === 'half-open') resolve([to, reason]);
        });
      });
      breaker.transitionToOpenState();
      // The timer itself keeps no process alive.
      const controller = new AbortController();
      const call = errorOf(fetch(room.url('hang'), { signal: controller.signal }));
      const move = await moved;
      controller.abort();
      await call;
      return move;
    },
    expected: ['half-open', 'wait-elapsed'],
  },
  {
    name: 'a listener that throws, or rejects, is told of and harms nothing',
    async run(room) {
      const { breaker, get, outcomes } = guarded();
      breaker.on('success', () => {
        throw new Error('a listener threw');
      });
      breaker.on('failure', async () => Promise.reject(new Error('a listener rejected')));
      const told: string[] = [];
      const tell = console.error;
      console.error = (...args: unknown[]) => {
        told.push(args.map((arg) => (arg instanceof Error ? arg.message : '')).join(''));
      };
      try {
        const statuses = [(await get(room.url('200'))).status, (await get(room.url('503'))).status];
        // Another turn, in which an unhandled rejection would have ended the process.
        await room.sent();
        return { statuses, outcomes, told };
      } finally {
        console.error = tell;
      }
    },
    expected: {
      statuses: [200, 503],
      outcomes: [...success, 'endpoint: failure 503', 'host: failure 503'],
      told: ['a listener threw', 'a listener rejected'],
    },
  },
];
