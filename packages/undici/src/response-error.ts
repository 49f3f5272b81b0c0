import type { Headers } from './dispatch.ts';

/** Of an error that an interceptor beneath, as `retry` or `responseError`, made of a response. */
export function responseIn(error: unknown): { statusCode: number; headers: Headers } | undefined {
  const { code, statusCode, headers = {} } = (error ?? {}) as Partial<ResponseError>;
  if (typeof statusCode !== 'number' || !RESPONSE_ERRORS.includes(code!)) return undefined;
  return { statusCode, headers };
}

/** What a body broke off by. A `retry` beneath that can't resume it tells only of what came then. */
export function bodyError(error: unknown): unknown {
  if ((error as Partial<ResponseError> | undefined)?.code !== RETRY_ERROR) return error;
  const cut = new Error('the body broke off, and was not resumed', { cause: error });
  return Object.assign(cut, { code: 'UND_ERR_SOCKET' });
}

interface ResponseError {
  readonly code: string;
  readonly statusCode: number;
  readonly headers: Headers;
}

const RETRY_ERROR = 'UND_ERR_REQ_RETRY';

const RESPONSE_ERRORS: readonly string[] = [
  RETRY_ERROR,
  'UND_ERR_RESPONSE',
  'UND_ERR_RESPONSE_STATUS_CODE',
];
