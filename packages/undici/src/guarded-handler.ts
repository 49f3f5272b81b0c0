import {
  isLegacy,
  type AnyHandler,
  type Handler,
  type Headers,
  type LegacyHandler,
  type RawHeaders,
} from './dispatch.ts';
import type { Exchange } from './exchange.ts';

/**
 * The handler of whoever made the request, and the breaker told of what it hears. Every method by
 * name: they may be on a prototype, and may have private fields.
 */
export function guardedHandler(handler: AnyHandler, exchange: Exchange): AnyHandler {
  return isLegacy(handler)
    ? likeIn(handler, guardedLegacy(handler, exchange), ['onConnect', 'onHeaders', 'onError'])
    : likeIn(handler, guarded(handler, exchange), ['onResponseStart', 'onResponseError']);
}

/** Without the methods that the handler lacks: dispatchers refuse one that can't take its response. */
function likeIn<Kind extends AnyHandler>(
  handler: Kind,
  mine: Kind,
  needed: readonly (keyof Kind)[],
): Kind {
  for (const name of Object.keys(mine) as (keyof Kind)[]) {
    if (handler[name] === undefined && !needed.includes(name)) mine[name] = handler[name];
  }
  return mine;
}

function guarded(handler: Handler, exchange: Exchange): Handler {
  return {
    onRequestStart: (controller, context) =>
      exchange.started(() => handler.onRequestStart?.(controller, context)),
    onRequestUpgrade(controller, status, headers, socket) {
      exchange.responded(status, headers);
      return exchange.forward(() =>
        handler.onRequestUpgrade?.(controller, status, headers, socket),
      );
    },
    onResponseStart(controller, status, headers, message) {
      // Informational ones come before it.
      if (status >= 200) exchange.responded(status, headers, controller);
      return exchange.forward(() =>
        handler.onResponseStart?.(controller, status, headers, message),
      );
    },
    onResponseData: (controller, chunk) =>
      exchange.forward(() => handler.onResponseData?.(controller, chunk)),
    onResponseEnd: (controller, trailers) =>
      exchange.ended(() => handler.onResponseEnd?.(controller, trailers)),
    onResponseError(controller, error) {
      exchange.failed(error, controller);
      return exchange.forward(() => handler.onResponseError?.(controller, error));
    },
    onBodySent: (chunk) => exchange.forward(() => handler.onBodySent?.(chunk)),
    onRequestSent: () => exchange.forward(() => handler.onRequestSent?.()),
    onResponseStarted: () => exchange.forward(() => handler.onResponseStarted?.()),
  };
}

function guardedLegacy(handler: LegacyHandler, exchange: Exchange): LegacyHandler {
  let abort: (reason?: unknown) => void;
  const flowing = (call: () => unknown): unknown => {
    const flows = exchange.forward(call);
    return exchange.isHeld ? false : flows;
  };
  return {
    onConnect(end, context) {
      abort = end;
      const leave = (reason: unknown): void => {
        exchange.left(reason);
        end(reason);
      };
      return exchange.started(() => handler.onConnect?.(leave, context));
    },
    onUpgrade(status, headers, socket) {
      exchange.responded(status, headersOf(headers));
      return exchange.forward(() => handler.onUpgrade?.(status, headers, socket));
    },
    onHeaders(status, headers, resume, message) {
      if (status >= 200) {
        exchange.responded(status, headersOf(headers), {
          aborted: false,
          abort,
          resume,
          pause() {},
        });
      }
      return flowing(() => handler.onHeaders?.(status, headers, resume, message));
    },
    onData: (chunk) => flowing(() => handler.onData?.(chunk)),
    onComplete: (trailers) => exchange.ended(() => handler.onComplete?.(trailers)),
    onError(error) {
      exchange.failed(error, undefined);
      return exchange.forward(() => handler.onError?.(error));
    },
    onBodySent: (chunk) => exchange.forward(() => handler.onBodySent?.(chunk)),
    onRequestSent: () => exchange.forward(() => handler.onRequestSent?.()),
    onResponseStarted: () => exchange.forward(() => handler.onResponseStarted?.()),
  };
}

/** A handler of either kind, for an answer that comes from no dispatcher. */
export function upward(handler: AnyHandler): Handler {
  if (!isLegacy(handler)) return handler;
  return {
    onRequestStart: (controller, context) =>
      handler.onConnect?.((reason) => controller.abort(reason), context),
    onResponseStart(controller, status, _headers, message = '') {
      const resume = (): void => controller.resume();
      const flows = handler.onHeaders?.(status, controller.rawHeaders ?? [], resume, message);
      if (flows === false) controller.pause();
    },
    onResponseData(controller, chunk) {
      if (handler.onData?.(chunk) === false) controller.pause();
    },
    onResponseEnd: () => handler.onComplete?.([]),
    onResponseError: (_controller, error) => handler.onError?.(error),
  };
}

function headersOf(raw: RawHeaders): Headers {
  const headers: Record<string, string[]> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name, value] = [String(raw[index]).toLowerCase(), String(raw[index + 1])];
    (headers[name] ??= []).push(value);
  }
  return headers;
}
