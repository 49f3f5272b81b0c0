import { checkObject } from '../breaker/checks.ts';
import type { CircuitBreakerOptions } from '../breaker/options.ts';
import { checkSharedOptions } from '../registry/configurations.ts';

/**
 * Options of one breaker among those of an `HttpCircuitBreaker`. The clock stands beside them,
 * since all share one, and what counts is said by the rules.
 */
export type HttpBreakerOptions = Omit<
  CircuitBreakerOptions,
  'clock' | 'recordErrors' | 'ignoreErrors' | 'recordResult'
>;

/**
 * Checks the options of one layer, by themselves, so that an error names them where they stand.
 * @param where  what an error puts before an option's name, such as `hostBreaker.`
 */
export function checkHttpBreakerOptions(options: unknown, where: string): void {
  const given = checkObject(where.slice(0, -1), options);
  for (const name of ['recordErrors', 'ignoreErrors', 'recordResult']) {
    if (given[name] === undefined) continue;
    throw new TypeError(`${where}${name} has no effect on HTTP: say what counts by rules`);
  }
  checkSharedOptions(options, where);
}
