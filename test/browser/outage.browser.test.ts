import { getCallNotPermitted, isCallNotPermitted } from '@recloser/core';
import { describe, expect, test } from 'vitest';
import { Dependency } from './dependency.ts';
import { guarded } from './guarded.ts';
import { ways } from './ways.ts';

describe.for(ways)('$name', (way) => {
  test('passes a success on, and counts it', async () => {
    const dependency = new Dependency();
    const { call, breaker, outcomes } = guarded(way);

    const reply = await call(dependency.url(200));

    expect([reply.status, await reply.text()]).toEqual([200, 'status 200']);
    expect(outcomes).toEqual(['success 200']);
    expect(breaker.snapshot().breakers).toMatchObject([
      { state: 'closed', numberOfSuccessfulCalls: 1, numberOfFailedCalls: 0 },
    ]);
  });

  test('opens by failing statuses: the next call is refused, and nothing is sent', async () => {
    const dependency = new Dependency();
    const url = dependency.url(503);
    const { call, clock, outcomes } = guarded(way);

    for (let times = 0; times < 2; times++) {
      const reply = await call(url);
      expect([reply.status, await reply.text()]).toEqual([503, 'status 503']);
    }
    clock.advance(4000);
    const refused = call(url);

    await expect(refused).rejects.toSatisfy(isCallNotPermitted);
    expect(await refused.catch(getCallNotPermitted)).toMatchObject({
      code: 'ERR_CALL_NOT_PERMITTED',
      reason: 'open',
      retryAfterMs: 6001,
      lastFailure: { status: 503 },
    });
    expect(outcomes).toEqual(['failure 503', 'failure 503', 'closed to open', 'refused open']);
    expect(await dependency.arrivals()).toBe(2);
  });

  test('finds out by a trial call that the outage is over, and closes', async () => {
    const dependency = new Dependency();
    const url = dependency.url(503, 503, 200);
    const { call, clock, outcomes } = guarded(way);
    await call(url);
    await call(url);
    await expect(call(url)).rejects.toSatisfy(isCallNotPermitted);

    clock.advance(10_001);

    expect((await call(url)).status).toBe(200);
    expect((await call(url)).status).toBe(200);
    expect(outcomes.slice(4)).toEqual([
      'open to half-open',
      'success 200',
      'half-open to closed',
      'success 200',
    ]);
    expect(await dependency.arrivals()).toBe(4);
  });

  test('finds out by a trial call that the outage goes on, and opens again', async () => {
    const dependency = new Dependency();
    const url = dependency.url(503);
    const { call, clock, outcomes } = guarded(way);
    await call(url);
    await call(url);

    clock.advance(10_001);

    expect((await call(url)).status).toBe(503);
    await expect(call(url)).rejects.toSatisfy(isCallNotPermitted);
    expect(outcomes.slice(3)).toEqual([
      'open to half-open',
      'failure 503',
      'half-open to open',
      'refused open',
    ]);
    expect(await dependency.arrivals()).toBe(3);
  });

  test('opens by a dependency at which nobody listens', async () => {
    const url = await new Dependency().refusingUrl();
    const { call, outcomes } = guarded(way);

    await expect(call(url)).rejects.toMatchObject(way.errors.network);
    await expect(call(url)).rejects.toMatchObject(way.errors.network);
    await expect(call(url)).rejects.toSatisfy(isCallNotPermitted);

    expect(outcomes).toEqual([
      'failure network',
      'failure network',
      'closed to open',
      'refused open',
    ]);
  });
});
