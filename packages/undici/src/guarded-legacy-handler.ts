import type { Headers, LegacyHandler, RawHeaders } from './dispatch.ts';
import type { Exchange } from './exchange.ts';
import { passedOn } from './passed-on.ts';

type Abort = (reason?: unknown) => void;

/** What `GuardedHandler` is, for a handler as undici 6 has it. */
export class GuardedLegacyHandler implements LegacyHandler {
  readonly exchange: Exchange<LegacyHandler>;
  readonly connection: { abort: Abort } = { abort: () => {} };
  readonly onConnect: LegacyHandler['onConnect'] = onConnect;
  readonly onHeaders: LegacyHandler['onHeaders'] = onHeaders;
  readonly onError: LegacyHandler['onError'] = onError;
  readonly onUpgrade: LegacyHandler['onUpgrade'];
  readonly onData: LegacyHandler['onData'];
  readonly onComplete: LegacyHandler['onComplete'];
  readonly onBodySent: LegacyHandler['onBodySent'];
  readonly onRequestSent: LegacyHandler['onRequestSent'];
  readonly onResponseStarted: LegacyHandler['onResponseStarted'];

  constructor(exchange: Exchange<LegacyHandler>) {
    const { handler } = exchange;
    this.exchange = exchange;
    this.onUpgrade = handler.onUpgrade && onUpgrade;
    this.onData = handler.onData && onData;
    this.onComplete = handler.onComplete && onComplete;
    this.onBodySent = handler.onBodySent && onBodySent;
    this.onRequestSent = handler.onRequestSent && onRequestSent;
    this.onResponseStarted = handler.onResponseStarted && onResponseStarted;
  }
}

const onBodySent = passedOn('onBodySent');
const onRequestSent = passedOn('onRequestSent');
const onResponseStarted = passedOn('onResponseStarted');

function onConnect(this: GuardedLegacyHandler, abort: Abort, context?: unknown): unknown {
  const { exchange } = this;
  this.connection.abort = abort;
  const leave = (reason: unknown): void => {
    exchange.left(reason);
    abort(reason);
  };
  return exchange.started(() => exchange.handler.onConnect?.(leave, context));
}

function onUpgrade(
  this: GuardedLegacyHandler,
  status: number,
  headers: RawHeaders,
  socket: unknown,
): unknown {
  const { exchange } = this;
  exchange.responded(status, headersOf(headers));
  return exchange.forward(() => exchange.handler.onUpgrade?.(status, headers, socket));
}

function onHeaders(
  this: GuardedLegacyHandler,
  status: number,
  headers: RawHeaders,
  resume: () => void,
  message: string,
): unknown {
  const { exchange } = this;
  if (status >= 200) {
    const { abort } = this.connection;
    exchange.responded(status, headersOf(headers), { aborted: false, abort, resume, pause() {} });
  }
  return flowing(exchange, () => exchange.handler.onHeaders?.(status, headers, resume, message));
}

function onData(this: GuardedLegacyHandler, chunk: Uint8Array): unknown {
  const { exchange } = this;
  return flowing(exchange, () => exchange.handler.onData?.(chunk));
}

function onComplete(this: GuardedLegacyHandler, trailers: RawHeaders): unknown {
  const { exchange } = this;
  return exchange.ended(() => exchange.handler.onComplete?.(trailers));
}

function onError(this: GuardedLegacyHandler, error: unknown): unknown {
  const { exchange } = this;
  exchange.failed(error, undefined);
  return exchange.forward(() => exchange.handler.onError?.(error));
}

/** What is held stops the connection. */
function flowing(exchange: Exchange, call: () => unknown): unknown {
  const flows = exchange.forward(call);
  return exchange.isHeld ? false : flows;
}

function headersOf(raw: RawHeaders): Headers {
  const headers: Record<string, string[]> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name, value] = [String(raw[index]).toLowerCase(), String(raw[index + 1])];
    (headers[name] ??= []).push(value);
  }
  return headers;
}
