// What the page says that the others do, where no program on it shows it.
import * as cockatiel from 'cockatiel';
import Opossum from 'opossum';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const fail = async (): Promise<never> => {
  throw new Error('503');
};
const hang = (): Promise<never> => new Promise(() => {});
const quietly = (call: Promise<unknown>): Promise<unknown> => call.catch(() => {});

/** A call that ends when it is told to. */
function pending(): { readonly call: Promise<void>; resolve(): void; reject(e: Error): void } {
  let resolve = (): void => {};
  let reject: (error: Error) => void = () => {};
  const call = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { call, resolve, reject };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('opossum', () => {
  const make = (options: Opossum.Options = {}): Opossum<[() => Promise<unknown>]> =>
    new Opossum((call: () => Promise<unknown>) => call(), { resetTimeout: 1000, ...options });

  async function opened(options: Opossum.Options = {}): Promise<ReturnType<typeof make>> {
    const breaker = make(options);
    await quietly(breaker.fire(fail));
    expect(breaker.opened).toBe(true);
    return breaker;
  }

  test('opens above its threshold, and not at it', async () => {
    const breaker = make({ volumeThreshold: 2 });

    await breaker.fire(async () => {});
    await quietly(breaker.fire(fail));
    expect(breaker.opened).toBe(false);
    await quietly(breaker.fire(fail));
    expect(breaker.opened).toBe(true);
  });

  test('counts refused calls among those that its rate is of', async () => {
    const breaker = await opened();

    await quietly(breaker.fire(fail));
    expect(breaker.stats).toMatchObject({ fires: 2, failures: 1 });
  });

  test('keeps the failures of the outage when it closes', async () => {
    const breaker = await opened();

    vi.advanceTimersByTime(1000);
    await breaker.fire(async () => {});
    expect(breaker.closed).toBe(true);
    expect(breaker.stats.failures).toBe(1);
  });

  test('moves to half-open by a timer, and lets one call through', async () => {
    const breaker = await opened({ timeout: false });

    vi.advanceTimersByTime(1000);
    expect(breaker.halfOpen).toBe(true);
    void breaker.fire(hang);
    await expect(breaker.fire(fail)).rejects.toMatchObject({ code: 'EOPENBREAKER' });
  });

  test('takes a filtered error for a success, which closes half-open and has no fallback', async () => {
    let isFiltering = false;
    const breaker = await opened({ errorFilter: () => isFiltering });
    breaker.fallback(() => 'an answer');

    vi.advanceTimersByTime(1000);
    isFiltering = true;
    await expect(breaker.fire(fail)).rejects.toThrow('503');
    expect(breaker.closed).toBe(true);
  });

  test('closes half-open by a call of before, and opens it by one', async () => {
    for (const ending of ['resolve', 'reject'] as const) {
      const breaker = make({ timeout: false });
      const late = pending();
      const call = quietly(breaker.fire(() => late.call));
      await quietly(breaker.fire(fail));
      await quietly(breaker.fire(fail));

      vi.advanceTimersByTime(1000);
      expect(breaker.halfOpen).toBe(true);
      late[ending](new Error('too late'));
      await call;
      expect(breaker.closed).toBe(ending === 'resolve');
      expect(breaker.opened).toBe(ending === 'reject');
    }
  });

  test('stops waiting at its timeout, and the call goes on', async () => {
    const slow = pending();
    let hasEnded = false;
    const breaker = make({ timeout: 100 });
    const call = breaker
      .fire(() =>
        slow.call.then(() => {
          hasEnded = true;
        }),
      )
      .catch(({ code }: { readonly code: string }) => code);

    vi.advanceTimersByTime(100);
    expect(await call).toBe('ETIMEDOUT');
    expect(breaker.opened).toBe(true);
    slow.resolve();
    await slow.call;
    expect(hasEnded).toBe(true);
  });

  test('aborts the signal of all calls at the timeout of one', async () => {
    const abortController = new AbortController();
    const breaker = make({ timeout: 100, abortController });
    const first = quietly(breaker.fire(hang));

    vi.advanceTimersByTime(60);
    void quietly(breaker.fire(hang)); // 60 ms of its own are left when the first times out
    vi.advanceTimersByTime(40);
    await first;
    expect(abortController.signal.aborted).toBe(true);
  });

  test('sets two timers for each breaker, and writes its defaults into what it was given', () => {
    const options = {};
    const before = vi.getTimerCount();
    new Opossum(hang, options);

    expect(vi.getTimerCount() - before).toBe(2);
    expect(options).toHaveProperty('resetTimeout', 30_000);
  });
});

describe('cockatiel', () => {
  const { circuitBreaker, CircuitState, ConsecutiveBreaker, CountBreaker } = cockatiel;
  const make = (breaker: cockatiel.IBreaker, policy = cockatiel.handleAll) =>
    circuitBreaker(policy, { halfOpenAfter: 1000, breaker });

  test('opens above its threshold, and not at it', async () => {
    const breaker = make(new CountBreaker({ threshold: 0.5, size: 4 }));

    for (const call of [async () => {}, async () => {}, fail, fail]) {
      await quietly(breaker.execute(call));
    }
    expect(breaker.state).toBe(CircuitState.Closed);
    await quietly(breaker.execute(fail));
    expect(breaker.state).toBe(CircuitState.Open);
  });

  test('opens half-open by a failure of before', async () => {
    const breaker = make(new ConsecutiveBreaker(1));
    const late = pending();
    const call = quietly(breaker.execute(() => late.call));
    await quietly(breaker.execute(fail));

    vi.advanceTimersByTime(1000);
    void breaker.execute(hang);
    expect(breaker.state).toBe(CircuitState.HalfOpen);
    late.reject(new Error('too late'));
    await call;
    expect(breaker.state).toBe(CircuitState.Open);
  });

  test('counts an error that is not handled nowhere, and closes half-open by it', async () => {
    let isHandling = true;
    const breaker = make(
      new ConsecutiveBreaker(1),
      cockatiel.handleWhen(() => isHandling),
    );
    await quietly(breaker.execute(fail));
    isHandling = false;

    vi.advanceTimersByTime(1000);
    await quietly(breaker.execute(fail));
    expect(breaker.state).toBe(CircuitState.Closed);
    await quietly(breaker.execute(fail));
    expect(breaker.state).toBe(CircuitState.Closed);
  });

  test('retries refusals where a retry is around it', async () => {
    const breaker = make(new ConsecutiveBreaker(1));
    await quietly(breaker.execute(fail));
    let attempts = 0;
    const retry = cockatiel.retry(cockatiel.handleAll, {
      maxAttempts: 3,
      backoff: new cockatiel.ConstantBackoff(0),
    });
    retry.onRetry(() => attempts++);

    const call = quietly(retry.execute(() => breaker.execute(fail)));
    await vi.runAllTimersAsync();
    await call;
    expect(attempts).toBe(3);
  });
});
