import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import ky, { type AfterResponseHook, type KyInstance } from 'ky';
import ky1 from 'ky-1';
import { describe, expect, test } from 'vitest';
import { circuitBreaker, isDegraded, reportFailure } from '../src/index.ts';

const URL_OF_NOTHING = 'http://api.example.com/users';

const nothing: AfterResponseHook = () => {};

describe('a response that a hook keeps', () => {
  const versions: readonly [string, KyInstance, (...args: unknown[]) => Response][] = [
    ['ky 2', ky, (state) => (state as { response: Response }).response],
    ['ky 1', ky1 as unknown as KyInstance, (_request, _options, response) => response as Response],
  ];

  test.for(versions)('can be the answer of a fallback later, with %s', async (version) => {
    const [, extended, responseOf] = version;
    const breaker = endpointBreaker();
    let kept: Response | undefined;
    const seen: boolean[] = [];
    const hook = (...args: unknown[]): Response => {
      const response = responseOf(...args);
      seen.push(isDegraded(response));
      kept ??= response.clone();
      return response;
    };
    const fetch = async (): Promise<Response> => new Response('fresh');
    const hooks = { afterResponse: [hook as AfterResponseHook] };
    const api = extended
      .create({ fetch, hooks, retry: 0 })
      .extend(circuitBreaker(breaker, { fallback: () => kept!.clone() }));

    const fresh = await api(URL_OF_NOTHING);
    breaker.control('*').forceOpen({ reason: 'the test' });
    const answers = [await api(URL_OF_NOTHING), await api(URL_OF_NOTHING)];

    expect([fresh, ...answers].map(isDegraded)).toEqual([false, true, true]);
    expect(seen).toEqual([false, true, true]);
    expect(await Promise.all(answers.map((each) => each.text()))).toEqual(['fresh', 'fresh']);
  });
});

describe('one response for many calls', () => {
  test('is as good at the last one, though hooks get clones of it', async () => {
    const shared = new Response('constant');
    const fetch = async (): Promise<Response> => shared;
    const breaker = endpointBreaker();
    const api = ky
      .create({ fetch, hooks: { afterResponse: [nothing] } })
      .extend(circuitBreaker(breaker));
    await api(URL_OF_NOTHING);
    const clone: unknown = Reflect.get(shared, 'clone');
    const outcomes = outcomesOf(breaker);

    const response = await api(URL_OF_NOTHING);

    expect(response).toBe(shared);
    expect(Reflect.get(response, 'clone')).toBe(clone);
    expect(reportFailure(response.clone(), 'GraphQL errors')).toBe(true);
    expect(outcomes).toEqual(['success 200', 'amended reported']);
  });
});

describe('with hooks that get clones', () => {
  const api = ky.create({ hooks: { afterResponse: [nothing] } });

  test('a frozen response passes', async () => {
    const frozen = Object.freeze(new Response('frozen'));
    const fetch = async (): Promise<Response> => frozen;

    expect(await api.extend(circuitBreaker())(URL_OF_NOTHING, { fetch })).toBe(frozen);
  });

  test.for([[undefined], [null], ['text'], [{ status: 200, ok: true }]])(
    'what is no response comes to the caller as without a breaker: %o',
    async ([answer]) => {
      const fetch = async (): Promise<Response> => answer as unknown as Response;
      const outcomeOf = (given: KyInstance): Promise<unknown> =>
        given(URL_OF_NOTHING, { fetch }).then(
          (response) => [response],
          (error: Error) => error.message,
        );

      expect(await outcomeOf(api.extend(circuitBreaker()))).toEqual(await outcomeOf(api));
    },
  );
});
