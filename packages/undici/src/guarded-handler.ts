import type { Controller, Handler, Headers } from './dispatch.ts';
import type { Exchange } from './exchange.ts';
import { passedOn } from './passed-on.ts';

/**
 * The handler of whoever made the request, and the breaker told of what it hears. Its methods are
 * its own, for an interceptor that spreads it, and find the exchange by `this`: closures for each
 * request cost more than all the rest of the adapter (test/bench/parts/request.ts). It lacks what
 * the handler lacks: dispatchers refuse one that can't take its response.
 */
export class GuardedHandler implements Handler {
  readonly exchange: Exchange<Handler>;
  readonly onRequestStart: Handler['onRequestStart'] = onRequestStart;
  readonly onResponseStart: Handler['onResponseStart'] = onResponseStart;
  readonly onResponseError: Handler['onResponseError'] = onResponseError;
  readonly onRequestUpgrade: Handler['onRequestUpgrade'];
  readonly onResponseData: Handler['onResponseData'];
  readonly onResponseEnd: Handler['onResponseEnd'];
  readonly onBodySent: Handler['onBodySent'];
  readonly onRequestSent: Handler['onRequestSent'];
  readonly onResponseStarted: Handler['onResponseStarted'];

  constructor(exchange: Exchange<Handler>) {
    const { handler } = exchange;
    this.exchange = exchange;
    this.onRequestUpgrade = handler.onRequestUpgrade && onRequestUpgrade;
    this.onResponseData = handler.onResponseData && onResponseData;
    this.onResponseEnd = handler.onResponseEnd && onResponseEnd;
    this.onBodySent = handler.onBodySent && onBodySent;
    this.onRequestSent = handler.onRequestSent && onRequestSent;
    this.onResponseStarted = handler.onResponseStarted && onResponseStarted;
  }
}

const onBodySent = passedOn('onBodySent');
const onRequestSent = passedOn('onRequestSent');
const onResponseStarted = passedOn('onResponseStarted');

// Every method of the handler is called by name: it may be on a prototype, and may have private
// fields.

function onRequestStart(this: GuardedHandler, controller: Controller, context: unknown): unknown {
  const { exchange } = this;
  return exchange.started(() => exchange.handler.onRequestStart?.(controller, context));
}

function onRequestUpgrade(
  this: GuardedHandler,
  controller: Controller,
  status: number,
  headers: Headers,
  socket: unknown,
): unknown {
  const { exchange } = this;
  exchange.responded(status, headers);
  return exchange.forward(() =>
    exchange.handler.onRequestUpgrade?.(controller, status, headers, socket),
  );
}

function onResponseStart(
  this: GuardedHandler,
  controller: Controller,
  status: number,
  headers: Headers,
  message?: string,
): unknown {
  const { exchange } = this;
  // Informational ones come before it.
  if (status >= 200) exchange.responded(status, headers, controller);
  return exchange.forward(() =>
    exchange.handler.onResponseStart?.(controller, status, headers, message),
  );
}

function onResponseData(this: GuardedHandler, controller: Controller, chunk: Uint8Array): unknown {
  const { exchange } = this;
  return exchange.forward(() => exchange.handler.onResponseData?.(controller, chunk));
}

function onResponseEnd(this: GuardedHandler, controller: Controller, trailers: Headers): unknown {
  const { exchange } = this;
  return exchange.ended(() => exchange.handler.onResponseEnd?.(controller, trailers));
}

function onResponseError(
  this: GuardedHandler,
  controller: Controller | null | undefined,
  error: unknown,
): unknown {
  const { exchange } = this;
  exchange.failed(error, controller);
  return exchange.forward(() => exchange.handler.onResponseError?.(controller, error));
}
