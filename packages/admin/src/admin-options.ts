import type { Clock, ControlAction } from '@recloser/core';

/** What a request wants: to look, or to give an operator's order. */
export type AdminIntent =
  | { readonly kind: 'read' }
  | { readonly kind: 'act'; readonly action: ControlAction; readonly pattern: string };

export interface AdminOptions {
  /**
   * Whether a request may do what it wants. Only `true`, or a promise of it, is a yes; all else, an
   * error among it, is a 403. Every request is asked about as one that reads, the page among them;
   * one that acts is then asked about again, with its action and the pattern of the breakers. It must
   * not read the body of the request; it may read that of a clone.
   */
  readonly authorize: (
    request: Request,
    intent: AdminIntent,
  ) => boolean | undefined | PromiseLike<boolean | undefined>;
  /**
   * What the path of the URL begins with where the handler is mounted, as the handler gets to see it.
   * @default '/'
   */
  readonly basePath?: string | undefined;
  /**
   * How many events are kept, the latest: a whole number from 1 to 10,000.
   * @default 200
   */
  readonly recentEvents?: number | undefined;
  /**
   * Dates the answers and times what is live. Give the one that the breaker has, if it has its own.
   * @default the system's
   */
  readonly clock?: Clock | undefined;
  /**
   * Ends the handler once it is aborted: live streams end, it listens to the breaker no more, and
   * answers all with a 503. Without it a server does not close while somebody follows.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Answers a request. It never rejects: what is no `Request` is a 500, and told to `console.error`. */
export type AdminHandler = (request: Request) => Promise<Response>;
