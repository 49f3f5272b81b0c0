import { HttpCircuitBreaker, ManualClock, type HttpCircuitBreakerOptions } from '@recloser/core';
import { CallStatistics, type BreakerSeries, type CallStatisticsOptions } from '../src/index.ts';

export const HOST = 'https://api.example.com';
export const USERS = `GET ${HOST}/users`;

/** An HTTP breaker that opens at two failures in a row, on a clock moved by hand, and its statistics. */
export class Rig {
  readonly clock: ManualClock = new ManualClock();
  readonly http: HttpCircuitBreaker;
  readonly statistics: CallStatistics;

  constructor(options: CallStatisticsOptions = {}, http: HttpCircuitBreakerOptions = {}) {
    this.http = new HttpCircuitBreaker({
      clock: this.clock,
      breaker: {
        consecutiveFailureThreshold: 2,
        waitDurationInOpenState: 1000,
        permittedNumberOfCallsInHalfOpenState: 1,
      },
      ...http,
    });
    this.statistics = new CallStatistics(this.http, options);
  }

  /** A call that is answered after so many ms; a refused one is not made. */
  respond(status: number, { ms = 0, path = '/users', origin = HOST } = {}): void {
    try {
      const admission = this.http.admit({ method: 'GET', origin, path });
      this.clock.advance(ms);
      admission.responded(status);
    } catch {
      // Refused.
    }
  }

  /** A call that ends in an error with this code. */
  fail(code: string): void {
    const admission = this.http.admit({ method: 'GET', origin: HOST, path: '/users' });
    admission.failed(Object.assign(new Error('it broke'), { code }));
  }

  get keys(): string[] {
    return [...this.statistics.series].map(({ key }) => key);
  }

  series(key: string): BreakerSeries {
    const found = [...this.statistics.series].find((series) => series.key === key);
    if (found === undefined) throw new Error(`there is no series of '${key}'`);
    return found;
  }

  /** What was counted of a key, as words: `success × 3`, `failure refused host × 1`. */
  calls(key: string): string[] {
    return this.series(key).calls.map(({ outcome, kind, rule, domain, count }) =>
      [outcome, kind, rule && `'${rule}'`, domain, `× ${count}`].filter(Boolean).join(' '),
    );
  }
}
