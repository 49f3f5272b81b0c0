import {
  HttpCircuitBreaker,
  ManualClock,
  type HttpCircuitBreakerOptions,
  type Outcome,
} from '@recloser/core';
import { createAdminHandler, type AdminHandler, type AdminOptions } from '../src/index.ts';

export const base = 'http://admin.test';

export interface Admin {
  readonly breaker: HttpCircuitBreaker;
  readonly clock: ManualClock;
  readonly handler: AdminHandler;
  /** Ends a call to a host of that name. */
  call(host: string, status: number): Outcome | undefined;
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** JSON of a GET. */
  read<T = unknown>(path: string): Promise<T>;
  act(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** Breakers of hosts alone that open at the second failure, with a handler that allows all. */
export function setUpAdmin(
  options: Partial<AdminOptions> = {},
  breakerOptions: HttpCircuitBreakerOptions = {},
): Admin {
  const clock = new ManualClock({ date: Date.UTC(2026, 0, 1) });
  const breaker = new HttpCircuitBreaker({
    clock,
    level: 'host',
    hostBreaker: { consecutiveFailureThreshold: 2, waitDurationInOpenState: 30_000 },
    ...breakerOptions,
  });
  const handler = createAdminHandler(breaker, { authorize: () => true, clock, ...options });
  const ask: Admin['ask'] = (path, init) => handler(new Request(base + path, init));
  return {
    breaker,
    clock,
    handler,
    ask,
    call: (host, status) =>
      breaker.admit({ method: 'GET', origin: `https://${host}`, path: '/' }).responded(status),
    read: async <T>(path: string) => (await (await ask(path)).json()) as T,
    act: (body, headers = {}) =>
      ask('/api/control', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}

export function open(admin: Admin, host: string): void {
  for (let call = 0; call < 2; call++) admin.call(host, 503);
}
