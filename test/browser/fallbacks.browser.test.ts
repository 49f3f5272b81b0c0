import { isCallNotPermitted, isDegraded, reportFailure } from '@recloser/core';
import { describe, expect, test } from 'vitest';
import { Dependency } from './dependency.ts';
import { guarded } from './guarded.ts';
import { ways } from './ways.ts';

describe.for(ways)('$name', (way) => {
  test('answers a refused call by its fallback, marked as degraded', async () => {
    const dependency = new Dependency();
    const url = dependency.url(503);
    const { call, outcomes } = guarded(way, { fallback: () => 'stored earlier' });
    const failed = [await call(url), await call(url)];

    const reply = await call(url);

    expect([reply.status, await reply.text()]).toEqual([200, 'stored earlier']);
    expect([...failed, reply].map(({ original }) => isDegraded(original))).toEqual([
      false,
      false,
      true,
    ]);
    expect(outcomes.at(-1)).toBe('refused open');
    expect(await dependency.arrivals()).toBe(2);
  });

  test.for(['503', 'close'])('answers a failing call by its fallback: %s', async (answer) => {
    const { call, outcomes } = guarded(way, {
      fallback: () => 'stored earlier',
      fallbackOn: 'failure',
    });

    const reply = await call(new Dependency().url(answer));

    expect([reply.status, await reply.text()]).toEqual([200, 'stored earlier']);
    expect(isDegraded(reply.original)).toBe(true);
    expect(outcomes).toEqual([answer === 'close' ? 'failure network' : 'failure 503']);
  });

  test('takes a failure that the page finds in the body of a success', async () => {
    const url = new Dependency().url(200);
    const { call, outcomes } = guarded(way);

    for (let times = 0; times < 2; times++) {
      const { original } = await call(url);
      expect(reportFailure(original, 'GraphQL errors')).toBe(true);
      expect(reportFailure(original, 'GraphQL errors')).toBe(false);
    }

    await expect(call(url)).rejects.toSatisfy(isCallNotPermitted);
    expect(outcomes).toEqual([
      'success 200',
      'amended reported',
      'success 200',
      'amended reported',
      'closed to open',
      'refused open',
    ]);
  });
});
