import { describe, expect, test } from 'vitest';
import { wrapFetch } from '../src/index.ts';
import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { HalfBody, startServer } from '@recloser/test-support/server';

/** A reader that has read the first chunk of a body, and reads no further. */
async function halfRead(half: HalfBody, url: string) {
  const breaker = endpointBreaker();
  const outcomes = outcomesOf(breaker);
  const controller = new AbortController();
  const api = wrapFetch(fetch, breaker, { watchBody: true });
  const reader = (await api(url, { signal: controller.signal })).body!.getReader();
  const { value } = await reader.read();
  expect(new TextDecoder().decode(value)).toBe(HalfBody.text);
  return { controller, outcomes, reader };
}

describe('the `closed` of a reader that reads no further', () => {
  test('rejects when the caller leaves', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { controller, outcomes, reader } = await halfRead(half, server.url);

    controller.abort();

    await expect(reader.closed).rejects.toBe(controller.signal.reason);
    await expect(reader.read()).rejects.toBe(controller.signal.reason);
    expect(outcomes).toEqual(['success 200']);
  });

  test.for(['cut', 'reset'] as const)('rejects when the body is %s', async (end) => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { outcomes, reader } = await halfRead(half, server.url);

    half[end]();

    await expect(reader.closed).rejects.toThrow('terminated');
    await expect(reader.read()).rejects.toThrow('terminated');
    expect(outcomes).toEqual(['success 200', 'amended body']);
  });
});
