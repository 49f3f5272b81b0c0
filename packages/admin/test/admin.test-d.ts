import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ControlAction, HttpCircuitBreaker, HttpCircuitBreakerEvents } from '@recloser/core';
import { createServer } from 'node:http';
import { expectTypeOf, test } from 'vitest';
import {
  createAdminHandler,
  toNodeHandler,
  type AdminHandler,
  type AdminIntent,
  type AdminOptions,
  type BreakerList,
  type BreakerView,
  type RecentEvent,
} from '../src/index.ts';

const breaker = {} as HttpCircuitBreaker;

test('a handler answers a Request of fetch', () => {
  const handler = createAdminHandler(breaker, { authorize: () => true });

  expectTypeOf(handler).toEqualTypeOf<AdminHandler>();
  expectTypeOf<AdminHandler>().toEqualTypeOf<(request: Request) => Promise<Response>>();
});

test('there is no handler without authorize', () => {
  // @ts-expect-error: options are needed.
  createAdminHandler(breaker);
  // @ts-expect-error: authorize is needed.
  createAdminHandler(breaker, {});
  // @ts-expect-error: the options of a breaker make none.
  createAdminHandler({ level: 'host' }, { authorize: () => true });
  // @ts-expect-error: an unknown option.
  createAdminHandler(breaker, { authorize: () => true, base: '/' });
});

test('authorize is told what is wanted', () => {
  const options: AdminOptions = {
    authorize: (request, intent) => {
      expectTypeOf(request).toEqualTypeOf<Request>();
      expectTypeOf(intent).toEqualTypeOf<AdminIntent>();
      if (intent.kind === 'read') return true;
      expectTypeOf(intent.action).toEqualTypeOf<ControlAction>();
      expectTypeOf(intent.pattern).toEqualTypeOf<string>();
      return intent.action !== 'disable';
    },
    basePath: '/breakers',
    recentEvents: 100,
    clock: { now: () => 0, date: () => 0 },
    signal: new AbortController().signal,
  };
  createAdminHandler(breaker, options);
  createAdminHandler(breaker, { authorize: async () => true, basePath: undefined });
  const session: { readonly isAdmin?: boolean } = {};
  createAdminHandler(breaker, { authorize: () => session.isAdmin });
  // @ts-expect-error: a user is no yes.
  createAdminHandler(breaker, { authorize: () => ({ name: 'me' }) });
  // @ts-expect-error: a text is no yes.
  createAdminHandler(breaker, { authorize: async () => 'yes' });
});

test('a handler can be one of Node', () => {
  const handler = toNodeHandler(createAdminHandler(breaker, { authorize: () => true }));

  expectTypeOf(handler).toEqualTypeOf<
    (incoming: IncomingMessage, outgoing: ServerResponse) => void
  >();
  createServer(handler);
  // @ts-expect-error: it takes a handler of fetch.
  toNodeHandler((incoming: IncomingMessage) => incoming);
});

test('a client in TypeScript knows what the API answers', async () => {
  const list = (await new Response().json()) as BreakerList;

  expectTypeOf(list.at).toEqualTypeOf<number>();
  expectTypeOf(list.breakers).toEqualTypeOf<readonly BreakerView[]>();
  const [view] = list.breakers as readonly [BreakerView];
  expectTypeOf(view.health).toEqualTypeOf<'up' | 'degraded' | 'not-evaluated'>();
  expectTypeOf(view.openedBy?.status).toEqualTypeOf<number | undefined>();

  const { events } = (await new Response().json()) as { readonly events: readonly RecentEvent[] };
  const [event] = events as readonly [RecentEvent];
  expectTypeOf(event.type).toEqualTypeOf<keyof HttpCircuitBreakerEvents>();
  expectTypeOf(event.id).toEqualTypeOf<number>();
  expectTypeOf(event['reason']).toEqualTypeOf<unknown>();
});
