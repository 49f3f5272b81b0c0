import {
  circuitBreakerInterceptor,
  HttpCircuitBreaker,
  isCallNotPermitted,
} from '@recloser/undici';
import { Agent, request, type Dispatcher } from 'undici';
import { untilRefused, type Outage } from './until-refused.ts';

export async function outage(url: string): Promise<Outage> {
  const breaker = new HttpCircuitBreaker({ breaker: { minimumNumberOfCalls: 3 } });
  const agent = new Agent();
  const guarded: Dispatcher = agent.compose(circuitBreakerInterceptor(breaker));
  const answered = agent.compose(
    circuitBreakerInterceptor(breaker, {
      fallback: (refusal, { options }) => ({ body: `${refusal.code} ${options.method}` }),
    }),
  );
  const seen = await untilRefused(
    async () => {
      const { statusCode, body } = await request(url, { dispatcher: guarded });
      await body.dump();
      return statusCode;
    },
    isCallNotPermitted,
    async () => (await request(url, { dispatcher: answered })).body.text(),
  );
  await agent.close();
  return seen;
}
