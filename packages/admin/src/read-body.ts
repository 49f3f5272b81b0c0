import type { AdminClock } from './admin-clock.ts';
import { ErrorAnswer } from './error-answer.ts';

const MOST_BYTES = 10_000;
const MOST_MS = 10_000;

/**
 * The text of a small body.
 * @throws ErrorAnswer for one that is too large, takes too long, breaks off or is no text
 */
export async function readBody(request: Request, clock: AdminClock): Promise<string> {
  if (request.bodyUsed) {
    throw new ErrorAnswer(500, 'the body was read before: authorize must read request.clone()');
  }
  if (Number(request.headers.get('content-length')) > MOST_BYTES) throw tooLarge();
  // Of a clone, since authorize is asked again.
  const reader = request.clone().body?.getReader();
  if (reader === undefined) return '';
  let cancelTimer = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancelTimer = clock.setTimer(() => reject(tooSlow()), MOST_MS);
  });
  try {
    return decode(await Promise.race([readAll(reader), late]));
  } catch (error) {
    // One that stalls may never answer this.
    reader.cancel().catch(() => {});
    request.body?.cancel().catch(() => {});
    throw error;
  } finally {
    cancelTimer();
  }
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  const all = new Uint8Array(MOST_BYTES);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : 'it broke off';
      throw new ErrorAnswer(400, `the body could not be read: ${why}`);
    });
    if (done) return all.subarray(0, length);
    if (length + value.length > MOST_BYTES) throw tooLarge();
    all.set(value, length);
    length += value.length;
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ErrorAnswer(400, 'the body must be UTF-8');
  }
}

function tooLarge(): ErrorAnswer {
  return new ErrorAnswer(413, `the body must have at most ${MOST_BYTES} bytes`);
}

function tooSlow(): ErrorAnswer {
  const message = `the body did not arrive within ${MOST_MS} ms`;
  return new ErrorAnswer(408, message, { connection: 'close' });
}
