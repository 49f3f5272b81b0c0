import { endpointBreaker } from '@recloser/test-support/outcomes';
import { startServer } from '@recloser/test-support/server';
import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { wrapFetch, type FallbackOn, type WrapFetchOptions } from '../src/index.ts';
import { standIn } from './stand-in.ts';

type Fallback = NonNullable<WrapFetchOptions<Response, FallbackOn>['fallback']>;

const URL_OF_NOTHING = 'http://api.example.com/users';

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Its body goes on for ever, unless it is cancelled. */
function failing() {
  const cancel = vi.fn<() => void>();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(encoded('why')),
    cancel,
  });
  return { cancel, response: new Response(body, { status: 503 }) };
}

function answeredBy(fallback: Fallback, response: Response) {
  const options = { fallback, fallbackOn: 'failure' } as const;
  return wrapFetch(
    standIn(() => response),
    endpointBreaker(),
    options,
  );
}

async function firstChunk(response: Response): Promise<string> {
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  return new TextDecoder().decode(value as Uint8Array);
}

describe('a failing response that a fallback has answered', () => {
  test('gives its connection back', async () => {
    let closed: Promise<unknown> | undefined;
    await using server = await startServer((_, response) => {
      response.writeHead(503).write('half of the page that says why');
      closed = once(response, 'close');
    });
    const options = { fallback: () => new Response('stored'), fallbackOn: 'failure' } as const;

    const answer = await wrapFetch(fetch, endpointBreaker(), options)(server.url);

    expect(await answer.text()).toBe('stored');
    await closed;
  });

  test('is left once the fallback has answered, and no sooner', async () => {
    const { cancel, response } = failing();
    let seen: unknown;
    const api = answeredBy(async () => {
      await Promise.resolve();
      seen = cancel.mock.calls.length;
      return new Response('stored');
    }, response);

    await api(URL_OF_NOTHING);

    expect(seen).toBe(0);
    expect(cancel).toHaveBeenCalledOnce();
  });

  test('is left where the fallback fails', async () => {
    const { cancel, response } = failing();
    const error = new Error('the store is empty');

    await expect(answeredBy(() => Promise.reject(error), response)(URL_OF_NOTHING)).rejects.toBe(
      error,
    );

    expect(cancel).toHaveBeenCalledOnce();
  });

  test.for<[name: string, fallback: Fallback]>([
    ['the very response', (cause) => cause as Response],
    ['the very response, thrown', (cause) => Promise.reject(cause)],
    ['a response with its body', (cause) => new Response((cause as Response).body)],
    ['a clone of it', (cause) => (cause as Response).clone()],
    [
      'a response that reads its body',
      (cause) => new Response((cause as Response).body!.pipeThrough(new TransformStream())),
    ],
  ])('can be read where the fallback answers with %s', async ([, fallback]) => {
    const { cancel, response } = failing();

    const answer = await answeredBy(fallback, response)(URL_OF_NOTHING);

    expect(await firstChunk(answer)).toBe('why');
    expect(cancel).not.toHaveBeenCalled();
  });

  test.for<[name: string, fallback: Fallback]>([
    [
      'throws an error with it as the cause',
      (cause) => {
        throw new Error('not today', { cause });
      },
    ],
    [
      'throws an error with it as the response',
      (cause) => {
        throw Object.assign(new Error('not today'), { response: cause });
      },
    ],
  ])('can be read where the fallback %s', async ([, fallback]) => {
    const { cancel, response } = failing();

    await expect(answeredBy(fallback, response)(URL_OF_NOTHING)).rejects.toBeDefined();

    expect(await firstChunk(response)).toBe('why');
    expect(cancel).not.toHaveBeenCalled();
  });

  test('can be read by a fallback that goes on reading it', async () => {
    const { cancel, response } = failing();
    const fallback: Fallback = async (cause) => {
      await firstChunk(cause as Response);
      return new Response('stored');
    };

    await answeredBy(fallback, response)(URL_OF_NOTHING);

    expect(cancel).not.toHaveBeenCalled();
    await response.body!.cancel();
    expect(cancel).toHaveBeenCalledOnce();
  });

  test('may be a stand-in without a stream for a body', async () => {
    for (const body of [undefined, null, 'text', { locked: false }]) {
      const api = answeredBy(() => new Response('stored'), {
        status: 503,
        body,
      } as unknown as Response);
      expect(await (await api(URL_OF_NOTHING)).text()).toBe('stored');
    }
  });

  test('may have a body that will not be cancelled', async () => {
    const body = new ReadableStream({ cancel: () => Promise.reject(new Error('not today')) });
    const api = answeredBy(() => new Response('stored'), new Response(body, { status: 503 }));

    expect(await (await api(URL_OF_NOTHING)).text()).toBe('stored');
  });
});
