import { HttpCircuitBreaker, ManualClock, type HttpCircuitBreakerOptions } from '@recloser/core';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { AdminServer } from './admin-server.ts';
import { openPage, type OpenOptions } from './open-page.ts';

/** The handler tells of changes once a second at the most. */
const TELLS_BY_THEN = 1001;

/** A breaker, its handler, and the page of it. */
export class ServedPage {
  readonly clock: ManualClock;
  readonly breaker: HttpCircuitBreaker;
  readonly server: AdminServer;

  private constructor(clock: ManualClock, breaker: HttpCircuitBreaker, server: AdminServer) {
    this.clock = clock;
    this.breaker = breaker;
    this.server = server;
  }

  /** Opens after three failures in a row, for 30 s; judges by five calls or more. */
  static async serve(options: HttpCircuitBreakerOptions = {}): Promise<ServedPage> {
    const clock = new ManualClock({ date: Date.UTC(2026, 4, 6, 12) });
    const breaker = ServedPage.breakerWith(clock, options);
    const server = await AdminServer.start(breaker, clock);
    onTestFinished(async () => server.stop());
    return new ServedPage(clock, breaker, server);
  }

  static breakerWith(
    clock: ManualClock,
    { breaker, ...options }: HttpCircuitBreakerOptions = {},
  ): HttpCircuitBreaker {
    return new HttpCircuitBreaker({
      level: 'endpoint',
      clock,
      breaker: {
        consecutiveFailureThreshold: 3,
        minimumNumberOfCalls: 5,
        waitDurationInOpenState: 30_000,
        ...breaker,
      },
      ...options,
    });
  }

  async open(options?: OpenOptions): Promise<Page> {
    return openPage(this.server.url, options);
  }

  /** Calls this path of api.example.com. Those that are refused are not made. */
  call(path: string, status: number, times = 1): void {
    const url = `https://api.example.com${path}`;
    for (let made = 0; made < times; made++) {
      try {
        this.breaker.admit({ url, method: 'GET' }).responded(status);
      } catch {
        // Refused, as it is meant to be.
      }
    }
  }

  /** Has the page told what changed. */
  tell(): void {
    this.clock.advance(TELLS_BY_THEN);
  }
}

/** The key of `call`. */
export function keyOf(path: string): string {
  return `GET https://api.example.com${path}`;
}
