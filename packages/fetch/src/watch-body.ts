type ReadMethod = 'text' | 'json' | 'arrayBuffer' | 'blob' | 'formData' | 'bytes';

const READ_METHODS: readonly ReadMethod[] = [
  'text',
  'json',
  'arrayBuffer',
  'blob',
  'formData',
  'bytes',
];

/** By whom a response is watched already. */
const watchers = new WeakMap<Response, WeakSet<object>>();

/** Some platforms give even these a stream. */
const STATUSES_WITHOUT_BODY: readonly number[] = [101, 103, 204, 205, 304];

/**
 * Reports that the body of a response broke off, whoever reads it and however. Nothing is reported of
 * a body that the consumer does not read, or leaves. The response stays the very object: a new one
 * would lose its `url`, and a proxy is no Response to native code. So it is overridden on itself, and
 * the native body is locked no sooner than it is read.
 */
export function watchBody<R extends Response>(
  response: R,
  breaker: object,
  report: (error: unknown) => void,
): R {
  if (STATUSES_WITHOUT_BODY.includes(response.status)) return response;
  // A mock may give one response to many calls: the first of each breaker watches it.
  const own = watchers.get(response) ?? new WeakSet();
  if (own.has(breaker)) return response;
  watchers.set(response, own.add(breaker));
  const nativeBody = bodyGetter(response);
  // Not touched before somebody asks for it: a body that is read whole is faster without a stream.
  let body: ReadableStream | null | undefined;

  for (const name of READ_METHODS) {
    // Not every runtime has `bytes`.
    const read: unknown = response[name];
    if (typeof read !== 'function') continue;
    const value = async (...args: unknown[]): Promise<unknown> => {
      if (body?.locked) throw new TypeError('Body is unusable: it is locked by a reader');
      const wasUsed = response.bodyUsed;
      try {
        return await Reflect.apply(read, response, args);
      } catch (error) {
        // A body that is no JSON came whole; the message quotes its text, which may say anything.
        if (!wasUsed && !isSyntaxError(error)) report(error);
        throw error;
      }
    };
    override(response, name, { value, writable: true });
  }

  const clone: unknown = Reflect.get(response, 'clone');
  if (typeof clone === 'function') {
    const value = (): Response => {
      if (body?.locked) throw new TypeError('Response.clone: Body is locked by a reader');
      return watchBody(Reflect.apply(clone, response, []) as Response, breaker, report);
    };
    override(response, 'clone', { value, writable: true });
  }

  override(response, 'body', {
    get: () => (body ??= nativeBody() == null ? null : watchedStream(nativeBody, report)),
  });
  return response;
}

/** Of whichever realm: a test runner may have one of its own. */
function isSyntaxError(error: unknown): boolean {
  return (error as { name?: unknown } | null | undefined)?.name === 'SyntaxError';
}

/** Not enumerable, like what it hides. A frozen stand-in stays as it is. */
function override(response: Response, name: string, property: PropertyDescriptor): void {
  Reflect.defineProperty(response, name, { ...property, configurable: true });
}

/** Reads `body` as the response has it now, and so not the override that is about to hide it. */
function bodyGetter(response: Response): () => ReadableStream | null | undefined {
  for (let owner: object | null = response; owner !== null; owner = Object.getPrototypeOf(owner)) {
    const found = Object.getOwnPropertyDescriptor(owner, 'body');
    if (found !== undefined) return () => (found.get ? found.get.call(response) : found.value);
  }
  return () => undefined;
}

function watchedStream(
  nativeBody: () => ReadableStream | null | undefined,
  report: (error: unknown) => void,
): ReadableStream {
  let reader: ReadableStreamDefaultReader | undefined;
  const open = (
    controller: ReadableByteStreamController | ReadableStreamDefaultController,
  ): ReadableStreamDefaultReader => {
    const opened = nativeBody()!.getReader();
    // Tells even where nobody goes on reading, and nothing where the consumer leaves.
    opened.closed.catch((error: unknown) => {
      report(error);
      controller.error(error);
    });
    return opened;
  };
  const source = {
    async pull(
      controller: ReadableByteStreamController | ReadableStreamDefaultController,
    ): Promise<void> {
      reader ??= open(controller);
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      controller.close();
      if ('byobRequest' in controller) controller.byobRequest?.respond(0);
    },
    cancel(reason: unknown): Promise<void> {
      return (reader ?? nativeBody()!).cancel(reason);
    },
  };
  // A byte stream takes its chunks' buffers over; the branches of another stream may share them.
  return isByteStream(nativeBody()!)
    ? new ReadableStream({ ...source, type: 'bytes' }, { highWaterMark: 0 })
    : new ReadableStream(source, { highWaterMark: 0 });
}

function isByteStream(stream: ReadableStream): boolean {
  try {
    stream.getReader({ mode: 'byob' }).releaseLock();
    return true;
  } catch {
    return false;
  }
}
