import {
  CircuitBreaker,
  getCallNotPermitted,
  isCallNotPermitted,
  type CircuitBreakerOptions,
} from '@recloser/core';
import { untilRefused, type Outage } from './until-refused.ts';

export function outage(url: string): Promise<Outage> {
  const options: CircuitBreakerOptions = {
    minimumNumberOfCalls: 3,
    recordResult: (result) => result === 503,
  };
  const breaker = new CircuitBreaker('dependency', options);
  const status = async (): Promise<number> => (await fetch(url)).status;
  return untilRefused(
    () => breaker.execute(status),
    isCallNotPermitted,
    () => breaker.execute(status, { fallback: (cause) => getCallNotPermitted(cause)?.breaker }),
  );
}
