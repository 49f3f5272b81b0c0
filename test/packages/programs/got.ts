import { circuitBreaker, HttpCircuitBreaker, isCallNotPermitted } from '@recloser/got';
import got, { type Got } from 'got';
import { untilRefused, type Outage } from './until-refused.ts';

export function outage(url: string): Promise<Outage> {
  const breaker = new HttpCircuitBreaker({ breaker: { minimumNumberOfCalls: 3 } });
  const client = got.extend({ throwHttpErrors: false, retry: { limit: 0 } });
  const guarded: Got = client.extend(circuitBreaker(breaker));
  const answered = client.extend(
    circuitBreaker(breaker, {
      fallback: (refusal, request) => ({ body: `${refusal.code} ${request.options.method}` }),
    }),
  );
  return untilRefused(
    async () => (await guarded(url)).statusCode,
    isCallNotPermitted,
    () => answered(url).text(),
  );
}
