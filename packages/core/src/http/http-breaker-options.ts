import { checkNames, checkObject } from '../breaker/checks.ts';
import type { CircuitBreakerOptions } from '../breaker/options.ts';
import { circuitBreakerOptionNames } from '../breaker/resolve-options.ts';
import type { WaitDuration } from '../breaker/wait-duration.ts';
import { checkSharedOptions } from '../registry/configurations.ts';
import { checkIsNoBreaker } from './http-breaker-brand.ts';

/** Options that say what counts: over HTTP the rules do. */
const replacedByRules: readonly string[] = [
  'recordErrors',
  'ignoreErrors',
  'recordResult',
  'transitionOnResult',
];

const names = circuitBreakerOptionNames.filter(
  (name) => name !== 'clock' && !replacedByRules.includes(name),
);

/**
 * Options of one breaker among those of an `HttpCircuitBreaker`: the breaker's own, with defaults for
 * HTTP. The clock stands beside them, since all share one, and what counts is said by the rules.
 */
export interface HttpBreakerOptions extends Omit<
  CircuitBreakerOptions,
  'clock' | 'recordErrors' | 'ignoreErrors' | 'recordResult' | 'transitionOnResult'
> {
  /**
   * Percent of failed calls, in (0, 100], at which it opens: at or above.
   *
   * A host takes every endpoint with it, so more has to fail there.
   * @default 50; hosts 80
   */
  readonly failureRateThreshold?: number;
  /**
   * Percent of slow calls, in (0, 100], at which it opens: at or above.
   *
   * Slowness is an endpoint's matter: a host opens by it only where every call is slow.
   * @default 80; hosts 100
   */
  readonly slowCallRateThreshold?: number;
  /**
   * A call that takes strictly longer, in ms, is slow.
   *
   * It is measured to the headers, by axios to the end of the body unless that is streamed. The
   * default must not cut off what is slow by nature, such as reports, uploads and language models:
   * lower it to a few times your 99th percentile. A host goes by its endpoints' thresholds.
   * @default 30_000
   */
  readonly slowCallDurationThreshold?: number;
  /**
   * Whether the window holds the last calls or the last whole seconds.
   *
   * A window of seconds follows the traffic, and forgets idle gaps.
   * @default 'time-based'
   */
  readonly slidingWindowType?: 'count-based' | 'time-based';
  /**
   * Seconds (at most 3,600), or calls. A type given without a size brings its own.
   *
   * One call a second fills the minimum in it, and what is over is soon forgotten.
   * @default 30
   */
  readonly slidingWindowSize?: number;
  /**
   * Below so many calls in the window both rates read -1 and decide nothing.
   *
   * No verdict on a handful: 5 or 10 open by noise where traffic is low.
   * @default 20
   */
  readonly minimumNumberOfCalls?: number;
  /**
   * So many failures in a row open it, at any traffic.
   *
   * Finds a dead dependency in 10 calls, and a host out of reach in 20. Where 30 percent of calls
   * fail, 10 in a row come up by chance once in 240,000 calls.
   * @default 10; hosts 20
   */
  readonly consecutiveFailureThreshold?: number;
  /**
   * How long an open breaker refuses: ms, growing waits as data, or a function of the openings in a
   * row. A wait of n ms still refuses at n ms exactly.
   *
   * Patient with what stays broken, quick with what recovers; the jitter keeps instances from
   * coming back together. A Retry-After header can put the end off.
   * @default { initial: 5000, multiplier: 2, max: 30_000, randomizationFactor: 0.2 }
   */
  readonly waitDurationInOpenState?: WaitDuration;
  /**
   * Trial calls of a half-open period.
   *
   * A sample, no crowd: every instance sends so many.
   * @default 3
   */
  readonly permittedNumberOfCallsInHalfOpenState?: number;
  /**
   * The longest that half-open may last, in ms; 0 means no limit.
   *
   * A trial call that hangs cannot hold the breaker, and one that is not yet slow is not yet
   * judged.
   * @default the slowCallDurationThreshold in force; hosts 30_000
   */
  readonly maxWaitDurationInHalfOpenState?: number;
  /**
   * Where half-open goes at its limit.
   *
   * At little traffic a trial call that went well then closes it, though fewer came than are
   * permitted.
   * @default 'evaluate'
   */
  readonly transitionToStateAfterWaitDuration?: 'open' | 'closed' | 'evaluate';
  /**
   * Count a call that is still out after the slow threshold at once, not when it ends.
   *
   * A dependency that takes connections and then hangs gives nothing else to count.
   * @default true
   */
  readonly detectStalledCalls?: boolean;
  /**
   * A call out for longer, in ms, is written off as a slow failure.
   *
   * Longer than any client's own default wait for headers.
   * @default 360_000
   */
  readonly permitLease?: number;
}

/**
 * Checks the options of one layer, by themselves, so that an error names them where they stand.
 * @param where  what an error puts before an option's name, such as `hostBreaker.`
 */
export function checkHttpBreakerOptions(options: unknown, where: string): void {
  const given = checkObject(where.slice(0, -1), options);
  checkIsNoBreaker(where.slice(0, -1), given);
  for (const name of replacedByRules) {
    if (given[name] === undefined) continue;
    throw new TypeError(`${where}${name} has no effect on HTTP: say what counts by rules`);
  }
  if ('clock' in given) checkSharedOptions(options, where);
  checkNoTimeout(where.slice(0, -1), given);
  checkNames(where.slice(0, -1), given, names);
  checkSharedOptions(options, where);
}

/** The likeliest slips: the options of a breaker, one level too high, and a timeout. */
export function checkBreakerOptionsAreBelow(what: string, given: object): void {
  checkIsNoBreaker(what, given);
  checkNoTimeout(what, given);
  for (const name of Object.keys(given)) {
    if (replacedByRules.includes(name)) {
      throw new TypeError(`${what}: '${name}' has no effect on HTTP: say what counts by rules`);
    }
    if (names.includes(name)) {
      throw new TypeError(`${what}: '${name}' belongs under breaker: { ${name}: … }`);
    }
  }
}

function checkNoTimeout(what: string, given: object): void {
  if (!('timeout' in given)) return;
  throw new TypeError(
    `${what}: 'timeout' is not known: Recloser sets no timeouts; give the client one, ` +
      'as { signal: AbortSignal.timeout(2000) } to fetch',
  );
}
