import type { ErrorKind } from './records.ts';

class NetError extends Error {
  readonly kind: ErrorKind = 'net';
}

class TimeoutError extends NetError {
  override readonly kind: ErrorKind = 'timeout';
}

class ReadTimeoutError extends TimeoutError {
  override readonly kind: ErrorKind = 'readTimeout';
}

class AppError extends Error {
  readonly kind: ErrorKind = 'app';
}

export const errorClasses = {
  net: NetError,
  timeout: TimeoutError,
  readTimeout: ReadTimeoutError,
  app: AppError,
  any: Error,
} as const;

export function errorOfKind(kind: ErrorKind): Error {
  return new errorClasses[kind](kind);
}

export function kindOf(error: unknown): ErrorKind | undefined {
  return error instanceof NetError || error instanceof AppError ? error.kind : undefined;
}
