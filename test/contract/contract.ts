import type { FallbackOn, HttpCircuitBreaker } from '@recloser/core';
import type { Readable } from 'node:stream';
import type { Ending } from './standard-outcomes.ts';

/** What a driver gives the suite: one client, made as its users make it. */
export interface Driver {
  readonly name: string;
  /**
   * The client behind the breaker.
   * @param breaker  undefined makes the very same client without one, to compare with
   */
  make(breaker: HttpCircuitBreaker | undefined, options?: MakeOptions): ContractClient;
  readonly capabilities: Capabilities;
}

/** How a client is made. What a client can't have is named in `capabilities.lacks`. */
export interface MakeOptions {
  /**
   * The adapter's fallback. The driver hands its two arguments on, `request` at least with `method`
   * and `url`, and makes the text a response of the client's own type with status 200.
   */
  readonly fallback?: (
    cause: unknown,
    request: { readonly method: string; readonly url: string },
  ) => string;
  /** The adapter's option. */
  readonly fallbackOn?: FallbackOn;
  /**
   * Whether each attempt is counted or the call with all its retries: by the adapter's option, or by
   * the composition that its README tells.
   * @default 'attempt'
   */
  readonly count?: 'attempt' | 'call';
  /** Installs the adapter, with the same breaker, a second time over the first. */
  readonly twice?: boolean;
  /** HTTP/2 over TLS, ALPN included. */
  readonly http2?: boolean;
  /** A user's own code, in the form in which the client's users write it. */
  readonly hooks?: Hooks;
}

/** Each may throw, at once or later. */
export interface Hooks {
  /** Runs before the request gets to the breaker. A text answers the call: nothing is sent. */
  readonly before?: () => string | undefined | Promise<string | undefined>;
  /** Runs between the breaker and the network, as a rate limiter does. */
  readonly inside?: () => void | Promise<void>;
  /** Runs with every response, the failing ones too, after the breaker has seen it. */
  readonly after?: () => void | Promise<void>;
  /** Swallows what a call fails with, the refusal too: the text is the answer. */
  readonly swallow?: (error: unknown) => string;
}

export interface ContractClient {
  /**
   * Resolves for every status: the driver turns the client's error about a status into its response.
   * All else rejects with the client's very own error. Where the client can hand a response over
   * before its body, it does.
   */
  call(request: ContractRequest): Promise<ContractReply>;
  /** Closes the connections that the client keeps. */
  close?(): unknown;
}

export interface ContractRequest {
  readonly url: string;
  /** @default 'GET' */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream may fail while it is sent. */
  readonly body?: string | Readable;
  readonly signal?: AbortSignal;
  /** The client's own limit on the wait for the response (or for the whole of it), in ms. */
  readonly timeout?: number;
  /** The client's own limit on connecting, in ms. */
  readonly connectTimeout?: number;
  /** The client's own retries, of any failing status and any error. @default none */
  readonly retries?: Retries;
  /** @default 'follow' */
  readonly redirect?: 'follow' | 'manual';
  /** The option of a call that leaves it out. */
  readonly circuitBreaker?: false;
}

export interface Retries {
  /** Beyond the first attempt. */
  readonly limit: number;
  /** To be called whenever the client asks how long to wait; the wait is to be 0 ms, or the least. */
  readonly onBackoff?: () => void;
}

export interface ContractReply {
  readonly status: number;
  /** The whole body. Rejects with the client's own error. */
  text(): Promise<string>;
  /** Walks away from the body: cancels or destroys it. */
  leave(): unknown;
  /** What the client's user holds: given to `reportFailure` and `isDegraded`. */
  readonly original: unknown;
}

/** What a client may lack. */
export type Ability =
  /** Hands a response over before its body is there. */
  | 'streams'
  /** The adapter sees that a body breaks off. */
  | 'watched bodies'
  /** Decodes a body within what the adapter sees. */
  | 'watched decoding'
  | 'http2'
  /** `timeout` */
  | 'timeout'
  /** `timeout` also ends a body that stalls. */
  | 'body timeout'
  /** `connectTimeout` */
  | 'connect timeout'
  /** Retries of the client's own; without them the driver makes them by hand. */
  | 'retries'
  /** `count: 'call'` of the adapter's own; without it the driver composes it. */
  | 'count'
  /** Follows redirects. */
  | 'redirects'
  /** `circuitBreaker: false` */
  | 'left out'
  /** The caller's response is one that the adapter has seen, for `reportFailure` and `isDegraded`. */
  | 'known responses';

export interface Capabilities {
  /**
   * What this client can't do, each with the reason, which the name of the test shows. Where the
   * lack can be seen the test asserts what happens instead.
   */
  readonly lacks?: Readonly<Partial<Record<Ability, string>>>;
  /**
   * When the outcome is recorded: as soon as the headers are there, or with the whole response, where
   * the adapter sees nothing earlier.
   * @default 'headers'
   */
  readonly settles?: 'headers' | 'body';
  /** Whether a redirect that is followed is part of the attempt, or each hop its own. @default 'attempt' */
  readonly redirects?: 'attempt' | 'hop';
  /** Whether `fallbackOn: 'failure'` answers after the client's own retries. @default 'call' */
  readonly failureAnswered?: 'call' | 'attempt';
  /** What this client makes of an ending, where it isn't what `standardOutcomes` says. */
  readonly differs?: Readonly<Partial<Record<Ending, Difference>>>;
}

/** What stands in the place of the standard outcome. */
export interface Difference {
  /**
   * As `outcomesOf` gives them. With `failure deadline` where that is not the standard the client
   * would never end by itself, and the caller's deadline ends it.
   */
  readonly outcomes: readonly string[];
  /** Shown in the test's name. */
  readonly because: string;
}
