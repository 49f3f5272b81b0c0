import { describe, expect, test } from 'vitest';
import { wrapFetch, type HttpCircuitBreaker } from '../src/index.ts';
import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { standIn } from './stand-in.ts';

const TIMES = 20_000;

/** A mock that gives one response to every call. */
function sharing(response: Response, breaker: HttpCircuitBreaker = endpointBreaker()) {
  const api = wrapFetch(
    standIn(() => response),
    breaker,
    { watchBody: true },
  );
  return {
    outcomes: outcomesOf(breaker),
    call: async (times: number): Promise<void> => {
      for (let call = 0; call < times; call++) {
        expect(await api('http://api.example.com/')).toBe(response);
      }
    },
  };
}

/** A response whose body breaks off when it is read. */
function broken(): Response {
  const pull = (controller: ReadableStreamDefaultController): void => {
    controller.error(new TypeError('terminated'));
  };
  return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
}

const amendments = (outcomes: readonly string[]): string[] =>
  outcomes.filter((outcome) => outcome.startsWith('amended'));

describe('one Response that a mock gives to every call', { timeout: 30_000 }, () => {
  test('can be read, however many they were', async () => {
    const response = new Response('text');
    const { call, outcomes } = sharing(response);
    await call(TIMES);

    expect(await response.clone().text()).toBe('text');
    expect(await response.text()).toBe('text');

    expect(outcomes).toHaveLength(TIMES);
    expect(new Set(outcomes)).toEqual(new Set(['success 200']));
  });

  test('amends one of them when its body breaks off', async () => {
    const response = broken();
    const { call, outcomes } = sharing(response);
    await call(TIMES);

    await expect(response.text()).rejects.toThrow('terminated');

    expect(amendments(outcomes)).toEqual(['amended body']);
  });

  test('amends one of them for each breaker', async () => {
    const response = broken();
    const one = sharing(response);
    const other = sharing(response);
    await one.call(5);
    await other.call(5);
    await one.call(5);

    await expect(response.body!.getReader().read()).rejects.toThrow('terminated');

    expect(amendments(one.outcomes)).toEqual(['amended body']);
    expect(amendments(other.outcomes)).toEqual(['amended body']);
  });

  test('amends one of them though several guards share the breaker', async () => {
    const response = broken();
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    for (let guard = 0; guard < 3; guard++) await sharing(response, breaker).call(1);

    await expect(response.text()).rejects.toThrow('terminated');

    expect(amendments(outcomes)).toEqual(['amended body']);
  });
});
