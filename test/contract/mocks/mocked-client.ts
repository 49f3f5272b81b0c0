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

/**
 * The mocks hand a body that breaks off to fetch and to undici as one that has ended; only clients of
 * `node:http` see that it broke.
 */
function seesBrokenBodies({ name }: Driver): boolean {
  return name.startsWith('got') || name.includes('http adapter');
}

/** Calls, and expects what a body that broke off after `half` is to such a client. */
export async function expectBrokenBody(driver: Driver): Promise<void> {
  const { client, outcomes } = mockedClient(driver);

  const text = client.call({ url }).then((reply) => reply.text());

  if (seesBrokenBodies(driver)) {
    await expect(text).rejects.toBeInstanceOf(Error);
    expect(outcomes.at(-1)).toMatch(/^(?:failure|amended) body$/);
  } else {
    expect(await text).toBe('half');
    expect(outcomes).toEqual(['success 200']);
  }
}
