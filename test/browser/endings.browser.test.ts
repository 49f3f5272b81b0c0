import { isCallNotPermitted } from '@recloser/core';
import { describe, expect, test } from 'vitest';
import { Dependency } from './dependency.ts';
import { guarded } from './guarded.ts';
import { aTurn, errorOf } from './promises.ts';
import { ways } from './ways.ts';

describe.for(ways)('$name', (way) => {
  test.for([
    ['is closed', 'close'],
    ['is reset', 'reset'],
  ] as const)('counts a connection that %s as a failure of the network', async ([, answer]) => {
    const { call, outcomes } = guarded(way);

    await expect(call(new Dependency().url(answer))).rejects.toMatchObject(way.errors.network);

    await aTurn();
    expect(outcomes).toEqual(['failure network']);
  });

  test('counts a redirect and what it leads to as one call', async () => {
    const dependency = new Dependency();
    const { call, outcomes } = guarded(way);

    expect(await (await call(dependency.url('redirect'))).text()).toBe('redirected');

    expect(outcomes).toEqual(['success 200']);
    expect(await dependency.arrivals()).toBe(2);
  });

  test('counts a deadline of the caller as a failure', async () => {
    const { call, outcomes } = guarded(way);
    const url = new Dependency().url('hang');

    const called = call(url, { signal: AbortSignal.timeout(50) });

    await expect(called).rejects.toMatchObject(way.errors.deadline);
    await aTurn();
    expect(outcomes).toEqual(['failure deadline']);
  });

  test('counts a caller who leaves as nothing, and takes the permit back', async () => {
    const dependency = new Dependency();
    const url = dependency.url('hang', 200);
    const { call, breaker, outcomes } = guarded(way);
    const controller = new AbortController();
    const left = errorOf(call(url, { signal: controller.signal }));
    await dependency.arrivals(1);
    await expect(call(url)).rejects.toSatisfy(isCallNotPermitted);

    controller.abort();

    expect(await left).toMatchObject(way.errors.abort);
    await aTurn();
    expect((await call(url)).status).toBe(200);
    expect(outcomes).toEqual(['refused concurrency', 'ignored cancel', 'success 200']);
    expect(breaker.snapshot().breakers).toMatchObject([
      { numberOfSuccessfulCalls: 1, numberOfFailedCalls: 0 },
    ]);
  });

  test('sends nothing for a caller who has left before', async () => {
    const dependency = new Dependency();
    const { call, outcomes } = guarded(way);

    const called = call(dependency.url(200), { signal: AbortSignal.abort() });

    await expect(called).rejects.toMatchObject(way.errors.abort);
    expect(outcomes).toEqual([]);
    expect(await dependency.arrivals()).toBe(0);
  });
});

const waysWithTimeout = ways.filter(({ errors }) => errors.timeout !== undefined);

test.for(waysWithTimeout)('$name: counts its own timeout as a failure', async (way) => {
  const { call, outcomes } = guarded(way);

  const called = call(new Dependency().url('hang'), { timeout: 50 });

  await expect(called).rejects.toMatchObject(way.errors.timeout!);
  await aTurn();
  expect(outcomes).toEqual(['failure response-timeout']);
});
