import { afterEach, describe, expect, it, vi } from 'vitest';
import { CircuitBreaker, type ErrorEvent } from '../../src/index.ts';
import { manualBreaker } from './manual-breaker.ts';
import { thenable } from './thenable.ts';

const thrown = new Error('bug in a listener');
const throwing = (): never => {
  throw thrown;
};

afterEach(() => {
  vi.restoreAllMocks();
});

const silencedConsole = () => vi.spyOn(console, 'error').mockImplementation(() => {});

describe('a listener', () => {
  it('is removed by the function that on returned', () => {
    const { breaker } = manualBreaker();
    const heard: string[] = [];
    const remove = breaker.on('success', () => heard.push('first'));
    breaker.on('success', () => heard.push('second'));
    breaker.acquire().success();
    remove();
    remove();
    breaker.acquire().success();
    expect(heard).toEqual(['first', 'second', 'second']);
  });

  it('that was added twice hears twice, and each is removed by itself', () => {
    const { breaker } = manualBreaker();
    const listener = vi.fn<() => void>();
    const remove = breaker.on('success', listener);
    breaker.on('success', listener);
    breaker.acquire().success();
    expect(listener).toHaveBeenCalledTimes(2);
    remove();
    breaker.acquire().success();
    expect(listener).toHaveBeenCalledTimes(3);
  });

  it('may remove itself, and the ones after it hear all the same', () => {
    const { breaker } = manualBreaker();
    const heard: string[] = [];
    const remove = breaker.on('success', () => {
      heard.push('once');
      remove();
    });
    breaker.on('success', () => heard.push('always'));
    breaker.acquire().success();
    breaker.acquire().success();
    expect(heard).toEqual(['once', 'always', 'always']);
  });

  it('that another removes is heard no more, not even for this event', () => {
    const { breaker } = manualBreaker();
    const heard: string[] = [];
    breaker.on('success', () => {
      heard.push('first');
      removeSecond();
    });
    const removeSecond = breaker.on('success', () => heard.push('second'));
    breaker.on('success', () => heard.push('third'));
    breaker.acquire().success();
    expect(heard).toEqual(['first', 'third']);
  });

  it('that another adds is heard from the next event on', () => {
    const { breaker } = manualBreaker();
    const heard: string[] = [];
    let added = false;
    breaker.on('success', () => {
      if (!added) breaker.on('success', () => heard.push('added'));
      added = true;
    });
    breaker.acquire().success();
    expect(heard).toEqual([]);
    breaker.acquire().success();
    expect(heard).toEqual(['added']);
  });
});

describe('a listener that throws', () => {
  it('harms neither the call nor the listeners after it, and an error event tells', async () => {
    const { breaker, events } = manualBreaker();
    const after = vi.fn<() => void>();
    breaker.on('success', throwing);
    breaker.on('success', after);
    expect(await breaker.execute(() => 'value')).toBe('value');
    expect(after).toHaveBeenCalledTimes(1);
    expect(events).toMatchObject([
      { type: 'success' },
      { type: 'error', error: thrown, breaker: 'test', state: 'closed' },
    ]);
    expect((events[1] as ErrorEvent).source).toContain("'success'");
  });

  it('about a refusal does not change the refusal', async () => {
    const { breaker } = manualBreaker({ initialState: 'forced-open' });
    breaker.on('notPermitted', throwing);
    await expect(breaker.execute(() => 'never')).rejects.toMatchObject({ reason: 'forced-open' });
    expect(() => breaker.acquire()).toThrow(/forced-open/);
    expect(breaker.tryAcquire()).toBeUndefined();
  });

  it('about a transition does not keep the breaker from moving', () => {
    const { breaker } = manualBreaker();
    breaker.on('stateTransition', throwing);
    breaker.transitionToOpenState();
    expect(breaker.state).toBe('open');
  });

  it('is told by console.error, where nobody listens to error', () => {
    const print = silencedConsole();
    const breaker = new CircuitBreaker('pricing');
    breaker.on('success', throwing);
    breaker.acquire().success();
    expect(print).toHaveBeenCalledTimes(1);
    expect(print.mock.calls[0]?.[0]).toContain('pricing');
    expect(print.mock.calls[0]).toContain(thrown);
  });

  it('is not printed, where somebody listens to error', () => {
    const print = silencedConsole();
    const { breaker } = manualBreaker();
    breaker.on('success', throwing);
    breaker.acquire().success();
    expect(print).not.toHaveBeenCalled();
  });

  it('itself about an error is printed, and goes not round', () => {
    const print = silencedConsole();
    const breaker = new CircuitBreaker('pricing');
    const after = vi.fn<() => void>();
    breaker.on('error', throwing);
    breaker.on('error', after);
    breaker.on('success', throwing);
    breaker.acquire().success();
    expect(after).toHaveBeenCalledTimes(1);
    expect(print).toHaveBeenCalledTimes(1);
  });
});

describe('a listener that returns a promise', () => {
  it('is not waited for', () => {
    const { breaker } = manualBreaker();
    breaker.on('success', () => new Promise(() => {}));
    breaker.acquire().success();
    expect(breaker.metrics().numberOfBufferedCalls).toBe(1);
  });

  it('that is rejected harms nobody, and an error event tells', async () => {
    const breaker = new CircuitBreaker('test');
    const told = new Promise<ErrorEvent>((resolve) => breaker.on('error', resolve));
    breaker.on('success', () => Promise.reject(thrown));
    expect(await breaker.execute(() => 'value')).toBe('value');
    expect(await told).toMatchObject({ error: thrown, source: expect.stringContaining('success') });
  });

  it('that is rejected is printed, where nobody listens to error', async () => {
    const printed = new Promise<unknown[]>((resolve) => {
      vi.spyOn(console, 'error').mockImplementation((...words) => resolve(words));
    });
    const breaker = new CircuitBreaker('pricing');
    breaker.on('success', () => Promise.reject(thrown));
    breaker.acquire().success();
    expect(await printed).toContain(thrown);
  });

  it('of another make is heard as well, also one whose then throws', async () => {
    const breaker = new CircuitBreaker('test');
    const errors: unknown[] = [];
    const two = new Promise<void>((resolve) => {
      breaker.on('error', ({ error }) => {
        if (errors.push(error) === 2) resolve();
      });
    });
    breaker.on('success', () => thenable((_, reject) => reject('rejected')));
    breaker.on('success', () => thenable(throwing));
    breaker.acquire().success();
    await two;
    expect(errors).toEqual(['rejected', thrown]);
  });
});
