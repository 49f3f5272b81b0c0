import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { HttpCircuitBreaker, wrapFetch } from '../src/index.ts';

type Fetch = (url: string) => Promise<Response>;

const USER = 'http://api.example.com/users/1';

const answering: Fetch = async () => new Response();

describe.for([
  ['with AsyncLocalStorage', true],
  ['without it, as in a browser', false],
] as const)('guards of one breaker, one in the other, %s', ([, hasStorage]) => {
  const withoutStorage = (): void => {
    if (hasStorage) return;
    const found = Object.getOwnPropertyDescriptor(process, 'getBuiltinModule')!;
    Object.defineProperty(process, 'getBuiltinModule', { value: undefined, configurable: true });
    onTestFinished(() => void Object.defineProperty(process, 'getBuiltinModule', found));
  };

  test('count a request once, though the outer one sends it twice at a time', async () => {
    withoutStorage();
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const inner = wrapFetch(answering, breaker);
    const hedged: Fetch = (url) => Promise.any([inner(url), inner(url)]);

    await wrapFetch(hedged, breaker)(USER);

    expect(outcomes).toEqual(['success 200']);
  });

  test('count another request that is sent inside, though it is to the same endpoint', async () => {
    withoutStorage();
    const breaker = new HttpCircuitBreaker({ level: 'endpoint' });
    const outcomes = outcomesOf(breaker);
    const inner = vi.fn<Fetch>(wrapFetch(answering, breaker));
    const withFriend: Fetch = async (url) => {
      const friend = inner('http://api.example.com/users/2');
      const own = inner(url);
      await friend;
      return own;
    };

    await wrapFetch(withFriend, breaker)(USER);

    expect(breaker.snapshot().breakers).toHaveLength(1);
    expect(outcomes).toEqual(['success 200', 'success 200']);
  });

  test(`count a request ${hasStorage ? 'once' : 'twice'} where the outer one awaits first`, async () => {
    withoutStorage();
    const breaker = new HttpCircuitBreaker({ level: 'endpoint' });
    const outcomes = outcomesOf(breaker);
    const inner = wrapFetch(answering, breaker);
    const withToken: Fetch = async (url) => {
      await Promise.resolve();
      return inner(url);
    };

    await wrapFetch(withToken, breaker)(USER);

    expect(outcomes).toEqual(Array(hasStorage ? 1 : 2).fill('success 200'));
  });
});
