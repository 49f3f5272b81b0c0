import { ErrorAnswer } from './error-answer.ts';
import { plainError } from './plain-error.ts';
import { safeJson } from './safe-json.ts';

const always = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

/** With the headers that every answer has. */
export function answer(
  body: string | ReadableStream<Uint8Array<ArrayBuffer>> | null,
  headers: Readonly<Record<string, string>>,
  status: number = 200,
): Response {
  return new Response(body, { status, headers: { ...always, ...headers } });
}

/** @param json  an object, or its text */
export function jsonAnswer(
  json: object | string,
  status: number = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const text = typeof json === 'string' ? json : safeJson(json);
  return answer(text, { 'content-type': 'application/json; charset=utf-8', ...headers }, status);
}

/** For those who may read. */
export function errorAnswer(error: unknown): Response {
  if (error instanceof ErrorAnswer) {
    return jsonAnswer({ error: error.message }, error.status, error.headers);
  }
  const { name, message } = plainError(error);
  return jsonAnswer({ error: `the handler failed: ${name}: ${message}` }, 500);
}
