import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { defineRules, wrapFetch } from '../src/index.ts';
import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { standIn } from './stand-in.ts';
import { HalfBody, startServer, status } from '@recloser/test-support/server';

const BROKEN = ['success 200', 'amended body'];
const WHOLE = ['success 200'];

function watching() {
  const breaker = endpointBreaker();
  const api = wrapFetch(fetch, breaker, { watchBody: true });
  return { api, breaker, outcomes: outcomesOf(breaker) };
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  return text;
}

async function readBytes(stream: ReadableStream<Uint8Array>, size: number): Promise<string> {
  const reader = stream.getReader({ mode: 'byob' });
  let text = '';
  for (;;) {
    const { done, value } = await reader.read(new Uint8Array(size));
    if (done) return text;
    expect(value.byteLength).toBeLessThanOrEqual(size);
    text += new TextDecoder().decode(value);
  }
}

const waysToRead: Readonly<Record<string, (response: Response) => Promise<unknown>>> = {
  'text()': (response) => response.text(),
  'json()': (response) => response.json(),
  'arrayBuffer()': (response) => response.arrayBuffer(),
  'blob()': (response) => response.blob(),
  'bytes()': (response) => response.bytes(),
  'formData()': (response) => response.formData(),
  'a reader': (response) => readAll(response.body!),
  'a byte reader': (response) => readBytes(response.body!, 4),
  'a pipe': (response) => readAll(response.body!.pipeThrough(new TransformStream())),
  'a Node stream': (response) => Readable.fromWeb(response.body as never).toArray(),
  'a branch of tee()': (response) => readAll(response.body!.tee()[1]),
  'a clone': (response) => response.clone().text(),
  "a clone's reader": (response) => readAll(response.clone().body!),
  'a clone of a clone': (response) => response.clone().clone().text(),
  'itself after it was cloned': (response) => {
    response.clone();
    return response.text();
  },
  'its body after that was touched and then cloned': (response) => {
    const { body } = response;
    response.clone();
    return readAll(body!);
  },
  'text() after its body was touched': (response) => {
    expect(response.body).toBeInstanceOf(ReadableStream);
    return response.text();
  },
  'a Response made of it': (response) => new Response(response.body).text(),
};

const formType = { 'content-type': 'application/x-www-form-urlencoded' };

describe('a body that is cut', () => {
  test.for(Object.entries(waysToRead))('is a failure when read by %s', async ([, read]) => {
    const half = new HalfBody(formType);
    await using server = await startServer(half.answer);
    const { api, outcomes } = watching();
    const response = await api(server.url);
    expect(outcomes).toEqual(WHOLE);

    const reading = read(response);
    half.cut();

    await expect(reading).rejects.toThrow('terminated');
    expect(outcomes).toEqual(BROKEN);
  });

  test('is one failure, whoever reads it', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { api, outcomes } = watching();
    const response = await api(server.url);

    const readings = [response.clone().text(), readAll(response.clone().body!), response.text()];
    half.reset();

    for (const reading of readings) await expect(reading).rejects.toThrow('terminated');
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(outcomes).toEqual(BROKEN);
  });

  test('is a failure though the reader has stopped reading', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { api, breaker, outcomes } = watching();
    const reader = (await api(server.url)).body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(HalfBody.text);
    const amended = new Promise((resolve) => breaker.on('amended', resolve));

    half.cut();

    await amended;
    expect(outcomes).toEqual(BROKEN);
  });

  test('is one failure where two guards by one breaker watch it', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { api, breaker, outcomes } = watching();

    const response = await wrapFetch(api, breaker, { watchBody: true })(server.url);
    half.cut();

    await expect(response.text()).rejects.toThrow('terminated');
    expect(outcomes).toEqual(BROKEN);
  });

  test('holds no permit and is no failure where nobody reads it', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { api, outcomes } = watching();
    await api(server.url);
    half.cut();

    server.answer = status(200);
    await api(server.url);

    expect(outcomes).toEqual(['success 200', 'success 200']);
  });

  test('opens the breaker like any failure', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const breaker = endpointBreaker({ consecutiveFailureThreshold: 2 });
    const api = wrapFetch(fetch, breaker, { watchBody: true });
    for (let call = 0; call < 2; call++) {
      const reading = (await api(server.url)).text();
      half.cut();
      await expect(reading).rejects.toThrow('terminated');
    }

    await expect(api(server.url)).rejects.toThrow('is open');
    expect(server.requests).toHaveLength(2);
  });

  test('is a failure by the deadline of the caller', async () => {
    await using server = await startServer(new HalfBody().answer);
    const { api, outcomes } = watching();
    const controller = new AbortController();
    const response = await api(server.url, { signal: controller.signal });

    const reading = response.text();
    // What AbortSignal.timeout does, at a moment of this test's choice.
    controller.abort(new DOMException('The operation timed out', 'TimeoutError'));

    await expect(reading).rejects.toBe(controller.signal.reason);
    expect(outcomes).toEqual(['success 200', 'amended deadline']);
  });
});

describe('a consumer who leaves a good body', () => {
  const waysToLeave: Readonly<
    Record<string, (response: Response, controller: AbortController) => unknown>
  > = {
    'cancels the body unread': (response) => response.body!.cancel(),
    'cancels its reader': async (response) => {
      const reader = response.body!.getReader();
      await reader.read();
      await reader.cancel('enough');
    },
    'cancels its reader while it reads': async (response) => {
      const reader = response.body!.getReader();
      await reader.read();
      const pending = reader.read();
      await reader.cancel();
      expect(await pending).toEqual({ done: true, value: undefined });
    },
    'breaks out of a loop': async (response) => {
      for await (const _ of response.body!) break;
    },
    'destroys the Node stream made of it': async (response) => {
      const stream = Readable.fromWeb(response.body as never);
      await stream.iterator().next();
      stream.destroy();
    },
    'cancels a clone and the original': async (response) => {
      await Promise.all([response.clone().body!.cancel(), response.body!.cancel()]);
    },
    'aborts while text() reads': async (response, controller) => {
      const reading = response.text();
      controller.abort();
      await expect(reading).rejects.toBe(controller.signal.reason);
    },
    'aborts with a string while a reader reads': async (response, controller) => {
      const reader = response.body!.getReader();
      await reader.read();
      const reading = reader.read();
      controller.abort('gone');
      await expect(reading).rejects.toBe('gone');
    },
    'aborts with the error of another call': async (response, controller) => {
      const reading = response.text();
      controller.abort(new TypeError('fetch failed'));
      await expect(reading).rejects.toThrow('fetch failed');
    },
  };

  test.for(Object.entries(waysToLeave))('amends nothing: %s', async ([, leave]) => {
    await using server = await startServer(new HalfBody().answer);
    const { api, outcomes } = watching();
    const controller = new AbortController();
    const response = await api(server.url, { signal: controller.signal });

    await leave(response, controller);

    server.answer = status(204);
    await api(server.url);
    expect(outcomes).toEqual(['success 200', 'success 204']);
  });

  test('lets the server know', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { api } = watching();

    await (await api(server.url)).body!.cancel();
    await half.left();

    const reader = (await api(server.url)).body!.getReader();
    await reader.read();
    await reader.cancel();
    await half.left();
  });

  test('leaves the other branch watched', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { api, outcomes } = watching();
    const response = await api(server.url);
    const clone = response.clone();
    const cancelled = response.body!.cancel();

    const reading = clone.text();
    half.cut();

    await expect(reading).rejects.toThrow('terminated');
    await cancelled;
    expect(outcomes).toEqual(BROKEN);
  });

  test('and finds no JSON in it, whatever its text is about, amends nothing', async () => {
    await using server = await startServer(status(200, 'connection refused'));
    const { api, outcomes } = watching();

    await expect((await api(server.url)).json()).rejects.toThrow(SyntaxError);
    expect(outcomes).toEqual(WHOLE);
  });

  test('and reads it twice amends nothing, though any error be a failure', async () => {
    await using server = await startServer(status(200, 'once'));
    const rules = defineRules([{ error: 'any', outcome: 'failure' }]);
    const breaker = endpointBreaker({}, { rules });
    const outcomes = outcomesOf(breaker);
    const api = wrapFetch(fetch, breaker, { watchBody: true });
    const response = await api(server.url);
    await response.text();

    await expect(response.text()).rejects.toThrow(TypeError);
    await expect(response.json()).rejects.toThrow(TypeError);
    expect(() => response.clone()).toThrow(TypeError);
    expect(outcomes).toEqual(WHOLE);
  });

  test('and finds no form in it amends nothing', async () => {
    await using server = await startServer(status(200, 'no form'));
    const { api, outcomes } = watching();

    await expect((await api(server.url)).formData()).rejects.toThrow(TypeError);
    expect(outcomes).toEqual(WHOLE);
  });
});

describe('a watched Response', () => {
  test('is the object that the given fetch made, and looks like it', async () => {
    await using server = await startServer(status(200, 'body', { 'x-header': 'value' }));
    let made: Response | undefined;
    const base = async (url: string): Promise<Response> => (made = await fetch(url));
    const response = await wrapFetch(base, undefined, { watchBody: true })(`${server.url}/path`);

    expect(response).toBe(made);
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({ ok: true, type: 'basic', url: `${server.url}/path` });
    expect(response.headers.get('x-header')).toBe('value');
    expect(Object.keys(response)).toEqual([]);
    expect(response.clone()).toMatchObject({ url: `${server.url}/path`, type: 'basic' });
  });

  test.for(
    Object.entries(waysToRead).filter(([name]) => name !== 'json()' && name !== 'formData()'),
  )('gives the whole body by %s', async ([, read]) => {
    await using server = await startServer(status(200, 'the whole body'));
    const plain = await read(await fetch(server.url)).catch(() => 'differs');
    const { api, outcomes } = watching();

    const watched = await read(await api(server.url));

    if (plain !== 'differs') expect(watched).toEqual(plain);
    expect(outcomes).toEqual(WHOLE);
  });

  test('gives JSON and forms', async () => {
    await using server = await startServer(status(200, '{"a":1}'));
    const { api } = watching();
    expect(await (await api(server.url)).json()).toEqual({ a: 1 });

    server.answer = status(200, 'a=1', formType);
    expect((await (await api(server.url)).formData()).get('a')).toBe('1');
  });

  test('gives a body of many chunks through a byte reader, byte by byte', async () => {
    const text = 'many chunks '.repeat(20_000);
    await using server = await startServer(status(200, text));
    const { api } = watching();

    expect(await readBytes((await api(server.url)).body!, 1_000)).toBe(text);
  });

  test('locks and uses up its body as a Response does', async () => {
    await using server = await startServer(status(200, 'body'));
    const { api } = watching();
    const response = await api(server.url);
    const { body } = response;
    expect(response.body).toBe(body);
    expect(response.bodyUsed).toBe(false);

    const reader = body!.getReader();
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(() => response.clone()).toThrow(TypeError);
    reader.releaseLock();
    expect(await response.clone().text()).toBe('body');
    await body!.getReader().read();

    expect(response.bodyUsed).toBe(true);
    await expect(response.text()).rejects.toThrow(TypeError);
  });

  test.for([204, 304])('with status %d is left alone, having no body', async (code) => {
    await using server = await startServer(status(code));
    const { api, outcomes } = watching();

    const response = await api(server.url);

    expect(Object.getOwnPropertyNames(response)).toEqual([]);
    expect(response.body).toBeNull();
    expect(outcomes).toEqual([`success ${code}`]);
  });

  test('to HEAD has an empty body', async () => {
    await using server = await startServer(status(200, 'body'));
    const { api } = watching();

    const response = await api(server.url, { method: 'HEAD' });

    expect(response.body).toBeNull();
    expect(await response.text()).toBe('');
  });

  test('reads nothing before it is asked to', async () => {
    let pulls = 0;
    const source = { pull: () => void pulls++ };
    const made = new Response(new ReadableStream(source, { highWaterMark: 0 }));
    const api = wrapFetch(
      standIn(() => made),
      undefined,
      { watchBody: true },
    );

    const { body } = await api('http://api.example.com/');
    await Promise.resolve();

    expect(body!.locked).toBe(false);
    expect(pulls).toBe(0);
  });

  test('shares no buffer between the branches of a stream that is no byte stream', async () => {
    const chunk = new TextEncoder().encode('chunk');
    const source = {
      start: (controller: ReadableStreamDefaultController): void => {
        controller.enqueue(chunk);
        controller.close();
      },
    };
    const made = new Response(new ReadableStream(source));
    const api = wrapFetch(
      standIn(() => made),
      undefined,
      { watchBody: true },
    );
    const response = await api('http://api.example.com/');
    const clone = response.clone();

    expect(await readAll(response.body!)).toBe('chunk');
    expect(await readAll(clone.body!)).toBe('chunk');
    expect(chunk.byteLength).toBe(5);
  });

  test('may be a mock that has only what a test needs', async () => {
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const mock = { status: 200, body: 'text', json: async () => ({ a: 1 }) };
    const api = wrapFetch(
      standIn(() => mock),
      breaker,
      { watchBody: true },
    );

    const response = await api('http://api.example.com/');

    expect(await response.json()).toEqual({ a: 1 });
    expect(outcomes).toEqual(WHOLE);

    const frozen = Object.freeze({ ...mock });
    const same = wrapFetch(
      standIn(() => frozen),
      breaker,
      { watchBody: true },
    );
    expect(await same('http://api.example.com/')).toBe(frozen);
  });

  test('is watched by each of two breakers', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const [inner, outer] = [endpointBreaker(), endpointBreaker()];
    const [innerOutcomes, outerOutcomes] = [outcomesOf(inner), outcomesOf(outer)];
    const watched = { watchBody: true };
    const api = wrapFetch(wrapFetch(fetch, inner, watched), outer, watched);

    const reading = readAll((await api(server.url)).body!);
    half.cut();

    await expect(reading).rejects.toThrow('terminated');
    expect([innerOutcomes, outerOutcomes]).toEqual([BROKEN, BROKEN]);
  });
});
