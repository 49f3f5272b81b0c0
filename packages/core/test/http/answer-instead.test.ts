import { describe, expect, it } from 'vitest';
import { answerInstead } from '../../src/adapter.ts';
import {
  getDegradation,
  isDegraded,
  type FallbackOn,
  type FallbackOptions,
} from '../../src/index.ts';

const request = { method: 'GET', url: 'https://api.example.com/' };
const cause = new Error('no');
const fallback = (): object => ({ status: 203 });

describe('a fallback', () => {
  it('is asked for refusals by default, and for nothing else', () => {
    const options: FallbackOptions<typeof request, object, FallbackOn> = { fallback };

    expect(answerInstead(options, 'refused', cause, request)).toBeInstanceOf(Promise);
    for (const ending of ['success', 'failure', 'ignore', 'trip', 'hold', undefined] as const) {
      expect(answerInstead(options, ending, cause, request)).toBeUndefined();
    }
  });

  it('is asked for what counts as a failure, too, with fallbackOn', () => {
    const options = { fallback, fallbackOn: 'failure' } as const;

    for (const ending of ['refused', 'failure', 'trip', 'hold'] as const) {
      expect(answerInstead(options, ending, cause, request)).toBeInstanceOf(Promise);
    }
    for (const ending of ['success', 'ignore', undefined] as const) {
      expect(answerInstead(options, ending, cause, request)).toBeUndefined();
    }
  });

  it('gets the cause and the request, and has its answer marked with the cause', async () => {
    const answer = {};
    const asked: unknown[][] = [];
    const options = {
      fallback: async (...args: unknown[]) => {
        asked.push(args);
        return answer;
      },
    };

    expect(await answerInstead(options, 'refused', cause, request)).toBe(answer);

    expect(asked).toEqual([[cause, request]]);
    expect(getDegradation(answer)).toEqual({ cause });
  });

  it.each([
    ['gives back', (response: object) => response],
    [
      'throws',
      (response: object) => {
        throw response;
      },
    ],
    ['rejects with', (response: object) => Promise.reject(response)],
  ])('leaves a response as it was that it %s', async (_, fallback) => {
    const response = { status: 503 };
    const options = {
      fallback: (given: unknown) => fallback(given as object),
      fallbackOn: 'failure',
    } as const;

    expect(await answerInstead(options, 'failure', response, request)).toBe(response);
    expect(isDegraded(response)).toBe(false);
  });

  it('leaves the call as it is by giving back the refusal or the error', async () => {
    const options = { fallback: () => cause, fallbackOn: 'failure' } as const;

    await expect(answerInstead(options, 'failure', cause, request)).rejects.toBe(cause);
    await expect(answerInstead(options, 'refused', cause, request)).rejects.toBe(cause);
    expect(isDegraded(cause)).toBe(false);
  });

  it.each([
    ['throws', () => Promise.reject(cause)],
    [
      'throws at once',
      () => {
        throw cause;
      },
    ],
  ])('that %s gives the caller its error', async (_, broken) => {
    await expect(
      answerInstead({ fallback: broken }, 'refused', new Error('refused'), request),
    ).rejects.toBe(cause);
  });
});

describe('a response that is known by its headers', () => {
  it('is degraded where they are marked', async () => {
    const headers = {};
    await answerInstead({ fallback: () => headers }, 'refused', cause, request);

    expect(isDegraded({ statusCode: 200, headers })).toBe(true);
    expect(isDegraded({ statusCode: 200, headers: {} })).toBe(false);
  });
});
