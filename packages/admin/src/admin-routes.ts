import type { HttpCircuitBreaker } from '@recloser/core';
import { answer, jsonAnswer } from './answers.ts';
import type { AdminClock } from './admin-clock.ts';
import type { Authorization } from './authorization.ts';
import { BreakerViews } from './breaker-views.ts';
import { carryOut, parseControlOrder } from './control-order.ts';
import { cutText } from './cut-text.ts';
import { ErrorAnswer } from './error-answer.ts';
import { isSameOrigin } from './is-same-origin.ts';
import { LiveFeed } from './live-feed.ts';
import { Openings } from './openings.ts';
import { Page } from './page.ts';
import { onlyParameter } from './only-parameter.ts';
import { printErrors } from './print-errors.ts';
import { readBody } from './read-body.ts';
import { listOf, RecentEvents } from './recent-events.ts';
import type { ResolvedAdminOptions } from './resolve-admin-options.ts';
import { safeJson } from './safe-json.ts';

interface Route {
  readonly method: 'GET' | 'POST';
  readonly answer: (request: Request, url: URL) => Response | Promise<Response>;
}

/** What is answered to those who may read. */
export class AdminRoutes {
  readonly #breaker: HttpCircuitBreaker;
  readonly #authorization: Authorization;
  readonly #basePath: string;
  readonly #clock: AdminClock;
  readonly #recent: RecentEvents;
  readonly #views: BreakerViews;
  readonly #live: LiveFeed;
  readonly #signal: AbortSignal | undefined;
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(
    breaker: HttpCircuitBreaker,
    authorization: Authorization,
    { basePath, clock, recentEvents, signal }: ResolvedAdminOptions,
  ) {
    this.#breaker = breaker;
    this.#authorization = authorization;
    this.#basePath = basePath;
    this.#clock = clock;
    this.#recent = new RecentEvents(breaker, recentEvents, clock);
    const openings = new Openings(breaker);
    this.#views = new BreakerViews(breaker, openings, clock);
    this.#live = new LiveFeed(breaker, this.#views, this.#recent, clock);
    this.#signal = signal;
    const stopPrinting = printErrors(breaker);
    const stop = (): void => {
      this.#live.stop();
      this.#recent.stop();
      openings.stop();
      stopPrinting();
    };
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    const page = new Page();
    this.#routes = new Map<string, Route>([
      ['', { method: 'GET', answer: () => page.answer() }],
      ['/', { method: 'GET', answer: () => page.answer() }],
      ['/api/breakers', { method: 'GET', answer: () => jsonAnswer(this.#views.list()) }],
      ['/api/breaker', { method: 'GET', answer: (_, url) => this.#one(url) }],
      ['/api/events', { method: 'GET', answer: (_, url) => this.#events(url) }],
      ['/api/health', { method: 'GET', answer: () => jsonAnswer(breaker.health()) }],
      ['/api/live', { method: 'GET', answer: (request, url) => this.#follow(request, url) }],
      ['/api/control', { method: 'POST', answer: (request) => this.#control(request) }],
    ]);
  }

  /** @throws ErrorAnswer */
  async answer(request: Request): Promise<Response> {
    if (this.#signal?.aborted === true) throw new ErrorAnswer(503, 'the service is shutting down');
    const url = new URL(request.url);
    const { pathname } = url;
    const isBelow = pathname.startsWith(this.#basePath);
    const route = isBelow ? this.#routes.get(pathname.slice(this.#basePath.length)) : undefined;
    if (route === undefined) throw this.#nothingAt(pathname);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (method !== route.method) {
      const allow = route.method === 'GET' ? 'GET, HEAD' : route.method;
      throw new ErrorAnswer(405, `allowed is ${allow}`, { allow });
    }
    const response = await route.answer(request, url);
    return request.method === 'HEAD' ? new Response(null, response) : response;
  }

  #nothingAt(path: string): ErrorAnswer {
    const basePath = this.#basePath === '' ? '/' : this.#basePath;
    return new ErrorAnswer(404, `there is nothing at ${cutText(path)}; basePath is ${basePath}`);
  }

  #one(url: URL): Response {
    const key = onlyParameter(url, 'key');
    if (key === undefined) throw new ErrorAnswer(400, 'key is missing');
    const found = this.#views.find(key);
    if (found === undefined) throw new ErrorAnswer(404, 'there is no breaker of this key');
    const { at, breaker } = found;
    const events = listOf(this.#recent.of(key));
    return jsonAnswer(
      `{"at":${JSON.stringify(at)},"breaker":${safeJson(breaker)},"events":${events}}`,
    );
  }

  #events(url: URL): Response {
    const events = this.#recent.after(afterOf(url) ?? 0);
    return jsonAnswer(`{"events":${listOf(events)}}`);
  }

  #follow(request: Request, url: URL): Response {
    const after = idOf(request.headers.get('last-event-id')) ?? afterOf(url) ?? 0;
    const body = request.method === 'HEAD' ? null : this.#live.open(after, request.signal);
    return answer(body, {
      'content-type': 'text/event-stream; charset=utf-8',
      // What compresses, or nginx, would hold events back.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      // Kept for further requests it would keep a server that closes waiting.
      connection: 'close',
    });
  }

  async #control(request: Request): Promise<Response> {
    if (!isSameOrigin(request)) {
      const why = 'orders are taken from the page of this server only, or from no page';
      throw new ErrorAnswer(403, why);
    }
    const [type = ''] = (request.headers.get('content-type') ?? '').split(';');
    if (type.trim().toLowerCase() !== 'application/json') {
      throw new ErrorAnswer(415, 'the content-type must be application/json');
    }
    const order = parseControlOrder(await readBody(request, this.#clock));
    const { action, pattern } = order;
    await this.#authorization.check(request, { kind: 'act', action, pattern });
    return jsonAnswer(carryOut(this.#breaker, order));
  }
}

function afterOf(url: URL): number | undefined {
  const text = onlyParameter(url, 'after');
  if (text === undefined) return undefined;
  const id = idOf(text);
  if (id === undefined) throw new ErrorAnswer(400, 'after must be the id of an event');
  return id;
}

/** Undefined for what is none. */
function idOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}
