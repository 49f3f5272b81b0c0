import { afterEach, describe, expect, it, vi } from 'vitest';
import { BreakerRegistry, CircuitBreaker, type ErrorEvent } from '../../src/index.ts';

/** A clock that throws once the test says so. */
function breakingClock() {
  let isBroken = false;
  return {
    now: (): number => {
      if (isBroken) throw new Error('no clock');
      return 0;
    },
    date: () => 0,
    breakDown: (): void => {
      isBroken = true;
    },
  };
}

/** Reads the breaker at each error it hears of: but not for ever, whatever becomes of it. */
function readingListener(breaker: CircuitBreaker) {
  const heard: ErrorEvent[] = [];
  const listener = (event: ErrorEvent): void => {
    heard.push(event);
    if (heard.length < 10_000) breaker.metrics();
  };
  return { heard, listener };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('an error listener that causes an error itself', () => {
  it('by reading a breaker whose clock is broken, hears of the first alone', () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const clock = breakingClock();
    const breaker = new CircuitBreaker('test', { clock });
    const { heard, listener } = readingListener(breaker);
    breaker.on('error', listener);
    clock.breakDown();
    expect(breaker.state).toBe('closed');
    expect(heard).toMatchObject([{ source: 'clock' }]);
    // What it caused is told where nobody can answer it.
    expect(print.mock.calls).toEqual([[expect.stringContaining('clock'), expect.any(Error)]]);
  });

  it('hears of the next error again', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const clock = breakingClock();
    const breaker = new CircuitBreaker('test', { clock });
    const { heard, listener } = readingListener(breaker);
    breaker.on('error', listener);
    clock.breakDown();
    for (let call = 0; call < 3; call++) breaker.refusal();
    expect(heard).toHaveLength(3);
  });

  it('by reading another breaker of a registry, hears of the first alone', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const clock = breakingClock();
    const registry = new BreakerRegistry({ clock });
    const { heard, listener } = readingListener(registry.get('other')!);
    const breaker = registry.get('one')!;
    registry.on('error', listener);
    clock.breakDown();
    expect(breaker.state).toBe('closed');
    expect(heard).toMatchObject([{ breaker: 'one' }]);
  });

  it('leaves the events that its error caused no listener less', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const clock = breakingClock();
    const breaker = new CircuitBreaker('test', { clock });
    const { heard, listener } = readingListener(breaker);
    const successes: string[] = [];
    breaker.on('error', listener);
    breaker.on('success', ({ type }) => successes.push(type));
    const permit = breaker.acquire();
    clock.breakDown();
    permit.success();
    expect(heard).toHaveLength(1);
    expect(successes).toEqual(['success']);
  });
});
