import { describe, expect, it } from 'vitest';
import { CallNotPermittedError } from '../../src/index.ts';
import { manualBreaker } from './manual-breaker.ts';

const busy = new Error('busy');

describe('a fallback', () => {
  it('answers a refusal', async () => {
    const { breaker } = manualBreaker({ initialState: 'open' });
    const causes: unknown[] = [];
    const fallback = (cause: unknown): string => {
      causes.push(cause);
      return 'last known';
    };
    expect(await breaker.execute(() => 'never', { fallback })).toBe('last known');
    expect(causes).toMatchObject([{ code: 'ERR_CALL_NOT_PERMITTED', breaker: 'test' }]);
    expect(causes[0]).toBeInstanceOf(CallNotPermittedError);
  });

  it('answers a failure, with the error that was thrown', async () => {
    const { breaker } = manualBreaker();
    const causes: unknown[] = [];
    const fallback = async (cause: unknown): Promise<string> => {
      causes.push(cause);
      return 'last known';
    };
    expect(await breaker.execute(() => Promise.reject(busy), { fallback })).toBe('last known');
    expect(
      await breaker.execute(
        () => {
          throw busy;
        },
        { fallback },
      ),
    ).toBe('last known');
    expect(causes).toEqual([busy, busy]);
    expect(breaker.metrics().numberOfFailedCalls).toBe(2);
  });

  it('answers an ignored error too', async () => {
    const { breaker } = manualBreaker({ ignoreErrors: [Error] });
    expect(await breaker.execute(() => Promise.reject(busy), { fallback: () => 'ok' })).toBe('ok');
    expect(breaker.metrics().numberOfBufferedCalls).toBe(0);
  });

  it('is not asked where the call succeeds', async () => {
    const { breaker } = manualBreaker();
    expect(await breaker.execute(() => 'value', { fallback: () => 'fallback' })).toBe('value');
  });

  it('runs after the outcome was recorded and announced', async () => {
    const { breaker, events } = manualBreaker({ minimumNumberOfCalls: 1 });
    const order: string[] = [];
    breaker.on('failure', () => order.push('failure'));
    breaker.on('stateTransition', () => order.push('stateTransition'));
    breaker.on('notPermitted', () => order.push('notPermitted'));
    const fallback = (): void => {
      order.push(`fallback while ${breaker.state}`);
    };
    await breaker.execute(() => Promise.reject(busy), { fallback });
    await breaker.execute(() => {}, { fallback });
    expect(order).toEqual([
      'failure',
      'stateTransition',
      'fallback while open',
      'notPermitted',
      'fallback while open',
    ]);
    expect(events).toHaveLength(4);
  });

  it.each(['throws', 'rejects'])('that %s gives the caller its own error', async (how) => {
    const own = new Error('nothing cached');
    const fallback = (): Promise<never> => {
      if (how === 'throws') throw own;
      return Promise.reject(own);
    };
    const { breaker } = manualBreaker();
    await expect(breaker.execute(() => Promise.reject(busy), { fallback })).rejects.toBe(own);
    expect(breaker.metrics()).toMatchObject({ numberOfFailedCalls: 1, callsInFlight: 0 });
    breaker.transitionToOpenState();
    await expect(breaker.execute(() => {}, { fallback })).rejects.toBe(own);
    expect(breaker.metrics().numberOfFailedCalls).toBe(1);
  });

  it('may call the breaker again', async () => {
    const { breaker } = manualBreaker();
    const fallback = (): Promise<string> => breaker.execute(() => 'second try');
    expect(await breaker.execute(() => Promise.reject(busy), { fallback })).toBe('second try');
    expect(breaker.metrics()).toMatchObject({ numberOfFailedCalls: 1, numberOfSuccessfulCalls: 1 });
  });
});
