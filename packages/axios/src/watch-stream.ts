import type { AxiosResponse } from 'axios';

/** What is used of a stream of Node's. */
interface Stream {
  readonly errored?: unknown;
  once(event: string, listener: () => void): unknown;
}

/** What is used of Node's `IncomingMessage`. */
interface Message extends Stream {
  /** All of it has arrived. */
  readonly complete?: boolean;
  readonly socket?: { readonly destroyed?: boolean } | null;
  /** `aborted` where it was ended from this side, as `pipeline` does. */
  readonly req?: { readonly aborted?: boolean } | null;
}

/**
 * Reports that a body which is a stream of Node's broke off: its connection ended too early, the
 * caller's signal ended it, or it could not be decoded. Nothing is reported of a consumer who leaves,
 * and nothing of web streams. It sets nothing flowing, and takes no error from anybody: `error` is
 * not listened to.
 */
export function watchStream(
  { data, request }: AxiosResponse<unknown>,
  isCancelled: () => boolean,
  report: (error: unknown) => void,
): void {
  if (!isStream(data)) return;
  // What axios hands out may be a decoder behind the message.
  const message: unknown = (request as { res?: unknown } | undefined)?.res ?? data;
  if (isStream(message)) {
    message.once('aborted', () => {
      const { complete, socket, req } = message as Message;
      // A consumer who leaves ends the connection after this, or by aborting the request.
      const isBroken = socket?.destroyed === true && req?.aborted !== true;
      if (complete !== true && (isBroken || isCancelled())) report(message.errored);
    });
  }
  data.once('close', () => {
    // All else that a decoder ends by came from one of its two sides.
    if (isDecodingError(data.errored)) report(data.errored);
  });
}

function isStream(value: unknown): value is Stream {
  const stream = value as { once?: unknown; pipe?: unknown } | null | undefined;
  return typeof stream?.once === 'function' && typeof stream.pipe === 'function';
}

function isDecodingError(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null | undefined)?.code);
  return /^(?:Z_|ERR__ERROR_|ZSTD_)/.test(code);
}
