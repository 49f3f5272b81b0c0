import { addCircuitBreaker, HttpCircuitBreaker, isCallNotPermitted } from '@recloser/axios';
import axios, { type AxiosInstance } from 'axios';
import { untilRefused, type Outage } from './until-refused.ts';

export function outage(url: string): Promise<Outage> {
  const breaker = new HttpCircuitBreaker({ breaker: { minimumNumberOfCalls: 3 } });
  const create = (): AxiosInstance => axios.create({ validateStatus: null });
  const guarded: AxiosInstance = addCircuitBreaker(create(), breaker);
  const answered = addCircuitBreaker(create(), breaker, {
    fallback: (refusal, request) => ({
      data: `${refusal.code} ${request.config.method?.toUpperCase()}`,
    }),
  });
  return untilRefused(
    async () => (await guarded.get(url, { circuitBreaker: true })).status,
    isCallNotPermitted,
    async () => (await answered.get<string>(url)).data,
  );
}
