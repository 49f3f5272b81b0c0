import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import type { RequestError, Response } from 'got';
import { describe, expect, test } from 'vitest';
import { startServer, status, type Answer } from '@recloser/test-support/server';
import { isDegraded, reportFailure } from '../src/index.ts';
import { errorOf, guarded } from './guarded.ts';

const gzipped: Answer = (_, response) =>
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"errors":[]}'));

describe.for([
  ['', status(200, '{"errors":[]}')],
  [' that is decoded', gzipped],
] as const)('a response%s', ([, answer]) => {
  test('can be reported as a failure', async () => {
    await using server = await startServer(answer);
    const { api, outcomes } = guarded();

    const response = await api(server.url, { responseType: 'json' });

    expect(response.body).toEqual({ errors: [] });
    expect(isDegraded(response)).toBe(false);
    expect(reportFailure(response, 'errors')).toBe(true);
    expect(reportFailure(response, 'errors')).toBe(false);
    expect(outcomes).toEqual(['success 200', 'amended reported']);
  });

  test('can be reported by a hook', async () => {
    await using server = await startServer(answer);
    const { api, outcomes } = guarded();
    const reported: boolean[] = [];
    const afterResponse = (response: Response): Response => {
      reported.push(reportFailure(response, 'errors'));
      return response;
    };

    await api(server.url, { hooks: { afterResponse: [afterResponse] } });

    expect(reported).toEqual([true]);
    expect(outcomes).toEqual(['success 200', 'amended reported']);
  });

  test('can be reported by who reads it as a stream', async () => {
    await using server = await startServer(answer);
    const { api, outcomes } = guarded();
    const stream = api.stream(server.url);

    const [response] = await once(stream, 'response');
    await stream.toArray();

    expect(reportFailure(response, 'errors')).toBe(true);
    expect(outcomes).toEqual(['success 200', 'amended reported']);
  });

  test('can be reported by an error about it', async () => {
    await using server = await startServer(answer);
    const { api, outcomes } = guarded();
    const parseJson = (): never => {
      throw new SyntaxError('no JSON of mine');
    };

    const error = await errorOf(api(server.url, { responseType: 'json', parseJson }));

    expect((error as RequestError).name).toBe('ParseError');
    expect(reportFailure(error, 'no JSON')).toBe(true);
    expect(outcomes).toEqual(['success 200', 'amended reported']);
  });

  test('can be reported by a copy that a hook makes', async () => {
    await using server = await startServer(answer);
    const { api, outcomes } = guarded();
    const afterResponse = (response: Response): Response =>
      Object.assign(Object.create(null), response);

    const copy = await api(server.url, { hooks: { afterResponse: [afterResponse] } });

    expect(reportFailure(copy, 'errors')).toBe(true);
    expect(outcomes).toEqual(['success 200', 'amended reported']);
  });
});
