import { HttpCircuitBreaker, isCallNotPermitted } from '@recloser/core';
import { callsInFlight } from '@recloser/test-support/outcomes';
import {
  closeBeforeHeaders,
  garbage,
  HalfBody,
  hang,
  redirect,
  refusingUrl,
  startServer,
  status,
} from '@recloser/test-support/server';
import { expect, test } from 'vitest';
import { errorOf, read, type Suite } from './suite.ts';

/** One breaker for several clients, and several layers on one request. */
export function testSharing(suite: Suite): void {
  test('an outage that one client met protects another with the same breaker', async () => {
    await using server = await startServer(status(503));
    const { client: one, breaker, outcomes } = suite.guarded({ consecutiveFailureThreshold: 2 });
    const another = suite.client(breaker);
    await one.call({ url: server.url });
    await another.call({ url: server.url });

    expect(isCallNotPermitted(await errorOf(one.call({ url: server.url })))).toBe(true);
    expect(isCallNotPermitted(await errorOf(another.call({ url: server.url })))).toBe(true);

    expect(server.requests).toHaveLength(2);
    expect(outcomes).toEqual([
      'failure 503',
      'failure 503',
      'closed to open',
      'refused open',
      'refused open',
    ]);
  });

  test('the same breaker put on a client twice counts once', async () => {
    await using server = await startServer(status(200));
    const { client, breaker, outcomes } = suite.guarded(
      { maxConcurrentCalls: 1, consecutiveFailureThreshold: 2 },
      {},
      { twice: true },
    );

    await read(client, { url: server.url });
    server.answer = closeBeforeHeaders;
    await errorOf(client.call({ url: server.url }));
    await errorOf(client.call({ url: server.url }));
    expect(isCallNotPermitted(await errorOf(client.call({ url: server.url })))).toBe(true);

    expect(outcomes).toEqual([
      'success 200',
      'failure reset',
      'failure reset',
      'closed to open',
      'refused open',
    ]);
    expect(callsInFlight(breaker)).toEqual([0]);
    expect(server.requests).toHaveLength(3);
  });

  test('every ending gives the permits of the endpoint and of the host back', async () => {
    await using server = await startServer(status(200));
    const { client, breaker } = suite.guardedBy(new HttpCircuitBreaker());
    for (const answer of [status(503), closeBeforeHeaders, garbage, redirect('/')]) {
      server.answer = answer;
      await client.call({ url: server.url }).catch(() => undefined);
    }
    server.answer = hang;
    const controller = new AbortController();
    const arrival = server.arrival();
    const left = errorOf(client.call({ url: server.url, signal: controller.signal }));
    await arrival;
    expect(callsInFlight(breaker)).toEqual([1, 1]);
    controller.abort();
    await left;
    const half = new HalfBody();
    server.answer = half.answer;
    const cut = errorOf(read(client, { url: server.url }));
    await half.sent;
    half.cut();
    await cut;
    await errorOf(client.call({ url: await refusingUrl() }));

    expect(callsInFlight(breaker)).toEqual([0, 0, 0, 0]);
  });
}
