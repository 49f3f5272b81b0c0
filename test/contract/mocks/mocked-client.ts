import { HttpCircuitBreaker, isCallNotPermitted, ManualClock } from '@recloser/core';
import { outcomesOf } from '@recloser/test-support/outcomes';
import { expect } from 'vitest';
import type { ContractClient, Driver } from '../contract.ts';

/** Where nobody is: what a mock lets through can't be sent. */
export const url = 'http://api.invalid/users';

/** A client whose breaker opens after two failures in a row, for 1000 ms. */
export function mockedClient(driver: Driver) {
  const clock = new ManualClock();
  const breaker = new HttpCircuitBreaker({
    clock,
    level: 'endpoint',
    breaker: {
      consecutiveFailureThreshold: 2,
      waitDurationInOpenState: 1000,
      permittedNumberOfCallsInHalfOpenState: 1,
    },
  });
  const client = driver.make(breaker);
  return { breaker, client, clock, outcomes: outcomesOf(breaker) };
}

/** The status, with the body read. */
export async function statusOf(client: ContractClient): Promise<number> {
  const reply = await client.call({ url });
  await reply.text();
  return reply.status;
}

/** That a call is refused, and how. */
export async function expectRefusal(client: ContractClient): Promise<void> {
  const error: unknown = await client.call({ url }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(isCallNotPermitted(error)).toBe(true);
}
