import { circuitBreaker, HttpCircuitBreaker, isCallNotPermitted } from '@recloser/ky';
import ky, { type KyInstance } from 'ky';
import { untilRefused, type Outage } from './until-refused.ts';

export function outage(url: string): Promise<Outage> {
  const breaker = new HttpCircuitBreaker({ breaker: { minimumNumberOfCalls: 3 } });
  const client = ky.extend({ throwHttpErrors: false, retry: 0 });
  const guarded: KyInstance = client.extend(circuitBreaker(breaker));
  const answered = client.extend(
    circuitBreaker(breaker, {
      fallback: (refusal, { request }) => new Response(`${refusal.code} ${request.method}`),
    }),
  );
  return untilRefused(
    async () => (await guarded(url)).status,
    isCallNotPermitted,
    () => answered(url).text(),
  );
}
