import type { SignalLike } from '@recloser/core';

/**
 * What is used of undici's dispatchers. Its own types would bind the adapter to one major of it, and
 * users of Node's own fetch to having it at all.
 */
export type Dispatch = (request: DispatchRequest, handler: AnyHandler) => boolean;

export interface DispatchRequest {
  readonly method: string;
  /** Not known of a `Client` or a `Pool` of undici 7. */
  readonly origin?: string | URL;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | null;
  readonly upgrade?: unknown;
  readonly circuitBreaker?: unknown;
  /** An AbortSignal, or an EventEmitter. Fetch keeps its own to itself. */
  readonly signal?: Partial<SignalLike> | null;
  readonly body?: Upload | null;
}

/** What is used of a stream. */
interface Upload {
  readonly errored?: unknown;
  readonly destroyed?: unknown;
  destroy?(): unknown;
  on?(event: 'error', listener: () => void): unknown;
}

/** The caller's own, where it can be read. */
export function signalOf({ signal }: DispatchRequest): SignalLike | undefined {
  return typeof signal?.aborted === 'boolean' ? (signal as SignalLike) : undefined;
}

/** By lower-case names. A header sent more than once is a list. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Names and values by turns. */
export type RawHeaders = readonly (Uint8Array | string)[];

export interface Controller extends SignalLike {
  readonly rawHeaders?: RawHeaders;
  abort(reason?: unknown): void;
  pause(): void;
  resume(): void;
}

/** What a handler may have; dispatchers ask what it has. */
type Optional<Methods> = { readonly [Name in keyof Methods]?: Methods[Name] | undefined };

export type Handler = Optional<{
  onRequestStart(controller: Controller, context: unknown): unknown;
  onRequestUpgrade(
    controller: Controller,
    status: number,
    headers: Headers,
    socket: unknown,
  ): unknown;
  onResponseStart(
    controller: Controller,
    status: number,
    headers: Headers,
    message?: string,
  ): unknown;
  onResponseData(controller: Controller, chunk: Uint8Array): unknown;
  onResponseEnd(controller: Controller, trailers: Headers): unknown;
  /** There is no controller before there is a connection. */
  onResponseError(controller: Controller | null | undefined, error: unknown): unknown;
  onBodySent(chunk: unknown): unknown;
  onRequestSent(): unknown;
  onResponseStarted(): unknown;
}>;

/** As undici 6 has it, and with it Node 22. `onHeaders` and `onData` pause by returning false. */
export type LegacyHandler = Optional<{
  onConnect(abort: (reason?: unknown) => void, context?: unknown): unknown;
  onUpgrade(status: number, headers: RawHeaders, socket: unknown): unknown;
  onHeaders(status: number, headers: RawHeaders, resume: () => void, message: string): unknown;
  onData(chunk: Uint8Array): unknown;
  onComplete(trailers: RawHeaders): unknown;
  onError(error: unknown): unknown;
  onBodySent(chunk: unknown): unknown;
  onRequestSent(): unknown;
  onResponseStarted(): unknown;
}>;

export type AnyHandler = Handler | LegacyHandler;

export function isLegacy(handler: AnyHandler): handler is LegacyHandler {
  return typeof (handler as Handler).onRequestStart !== 'function';
}
