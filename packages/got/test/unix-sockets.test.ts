import got, { type Options } from 'got';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { outcomesOf } from '@recloser/test-support/outcomes';
import {
  circuitBreaker,
  HttpCircuitBreaker,
  isCallNotPermitted,
  type HttpCircuitBreakerOptions,
} from '../src/index.ts';
import { errorOf } from './guarded.ts';

async function startSocket() {
  const folder = await mkdtemp(join(tmpdir(), 'got-'));
  const server = createServer((_, response) => response.end('there'));
  await once(server.listen(join(folder, 'there')), 'listening');
  return {
    there: `http://unix:${join(folder, 'there')}:/users/42`,
    missing: `http://unix:${join(folder, 'missing')}:/users/42`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

function guardedSockets(options?: HttpCircuitBreakerOptions) {
  const breaker = new HttpCircuitBreaker({
    hostBreaker: { consecutiveFailureThreshold: 1 },
    ...options,
  });
  const instance = got.extend({ enableUnixSockets: true, retry: { limit: 0 } });
  return { api: instance.extend(circuitBreaker(breaker)), outcomes: outcomesOf(breaker) };
}

describe.skipIf(process.platform === 'win32')('UNIX sockets', () => {
  test('are one host, which a socket that is missing opens', async () => {
    await using socket = await startSocket();
    const { api, outcomes } = guardedSockets();

    expect(await errorOf(api(socket.missing))).toMatchObject({ code: 'ENOENT' });

    expect(outcomes).toEqual(['failure refused', 'closed to open']);
    expect(isCallNotPermitted(await errorOf(api(socket.there)))).toBe(true);
  });

  test('are told apart by a partition', async () => {
    await using socket = await startSocket();
    const { api } = guardedSockets({
      partition: ({ original }) => {
        const { hostname, pathname } = (original as Options).url as URL;
        return hostname === 'unix' ? pathname.split(':')[0] : undefined;
      },
    });

    await errorOf(api(socket.missing));

    expect(isCallNotPermitted(await errorOf(api(socket.missing)))).toBe(true);
    expect(await api(socket.there).text()).toBe('there');
  });
});
