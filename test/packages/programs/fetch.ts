import { HttpCircuitBreaker, isCallNotPermitted, wrapFetch } from '@recloser/fetch';
import { untilRefused, type Outage } from './until-refused.ts';

export function outage(url: string): Promise<Outage> {
  const breaker = new HttpCircuitBreaker({ breaker: { minimumNumberOfCalls: 3 } });
  const guarded: typeof fetch = wrapFetch(fetch, breaker);
  const answered = wrapFetch(fetch, breaker, {
    fallback: (refusal, request) => new Response(`${refusal.code} ${request.method}`),
  });
  return untilRefused(
    async () => (await guarded(url)).status,
    isCallNotPermitted,
    async () => (await answered(url)).text(),
  );
}
