import { checkAbove, checkCount, checkNames, checkObject } from '../breaker/checks.ts';
import { minimumInForce, resolveClock, type ResolvedOptions } from '../breaker/resolve-options.ts';
import { GuardTable, type PlacedGuard } from './guard-table.ts';
import { hostDefaults } from './http-defaults.ts';
import { HttpCircuitBreaker } from './http-circuit-breaker.ts';
import type { HttpCircuitBreakerOptions } from './http-options.ts';
import { lintRules } from './lint-rules.ts';
import { lintUnits } from './lint-units.ts';
import type { OutcomeRow } from './outcome-row.ts';
import { rulesOf } from './outcome-rules.ts';
import type { CompiledOverride } from './override.ts';
import type { RequestLike } from './request-key.ts';
import { isCovered } from './row-coverage.ts';

/** What is known of the client and the traffic; what is left out is not looked at. */
export interface LintContext {
  /** The client's timeout, in ms. */
  readonly timeout?: number;
  /** Calls a second of one instance, to the endpoint that is called the least often. */
  readonly callsPerSecond?: number;
  /** Instances of the service, each of which has breakers of its own. */
  readonly instances?: number;
}

/** What will not do what it seems to. `rule` is a finding of `lintRules`. */
export type ConfigurationWarningKind =
  | 'slow-threshold-above-timeout'
  | 'minimum-never-reached'
  | 'window-shorter-than-timeout'
  | 'many-trial-calls'
  | 'limit-below-slow-threshold'
  | 'lease-below-slow-threshold'
  | 'host-default-in-force'
  | 'override-hidden'
  | 'unit'
  | 'rule';

/** Something legal that will not do what it seems to. */
export interface ConfigurationWarning {
  /** Where in the configuration: `breaker`, `configs.x`, `overrides[0]`, `rules[2]`, `idleTimeout`. */
  readonly where: string;
  readonly kind: ConfigurationWarningKind;
  /** What will happen, and what to do. */
  readonly message: string;
}

/** What a fleet may send at one try without a thought, however little its traffic is. */
const FEW_TRIAL_CALLS = 20;

type Warn = (kind: ConfigurationWarningKind, message: string) => void;

/**
 * Looks for what is legal but will not do what it seems to: for a review, or a test in one's own
 * build. It makes no breaker.
 *
 *     lintConfiguration(options, { timeout: 2000, callsPerSecond: 5, instances: 12 });
 *
 * @throws TypeError or RangeError for a configuration that is wrong, as `new HttpCircuitBreaker`
 *   does
 */
export function lintConfiguration<Request extends RequestLike = RequestLike>(
  given: HttpCircuitBreakerOptions<Request>,
  context: LintContext = {},
): ConfigurationWarning[] {
  // No request is made: whose the functions are does not matter.
  const options = given as HttpCircuitBreakerOptions;
  checkContext(context);
  // Finds whatever is wrong, and makes no breaker yet.
  new HttpCircuitBreaker(options);
  const table = new GuardTable(options, resolveClock(options.clock));
  const warnings: ConfigurationWarning[] = lintUnits(options);
  const seen = new Set<string>();
  for (const placed of table.placedGuards) {
    for (const warning of lintGuard(placed, options, context)) {
      // What an override inherits is told once, where it stands.
      if (seen.has(`${placed.level} ${warning.message}`)) continue;
      seen.add(`${placed.level} ${warning.message}`);
      warnings.push(warning);
    }
  }
  warnings.push(...lintHosts(options));
  for (const [hidden, override] of table.overrides.entries()) {
    const by = table.overrides.findIndex((earlier) => hides(earlier, override));
    if (by < 0 || by >= hidden) continue;
    const message = `overrides[${by}] comes first and matches all that this one does: it never applies`;
    warnings.push({ where: `overrides[${hidden}]`, kind: 'override-hidden', message });
  }
  for (const { row, message } of lintRules(rulesOf(options.rules))) {
    warnings.push({ where: row === undefined ? 'rules' : `rules[${row}]`, kind: 'rule', message });
  }
  return warnings;
}

function lintGuard(
  { where, level, guard }: PlacedGuard,
  { level: kept = 'both' }: HttpCircuitBreakerOptions,
  context: LintContext,
): ConfigurationWarning[] {
  const warnings: ConfigurationWarning[] = [];
  const warn: Warn = (kind, message) => warnings.push({ where, kind, message });
  // Beside an endpoint's breaker that of a host measures no time of its own.
  const measures = level === 'endpoint' || kept === 'host';
  lintTraffic(guard.options, context, warn);
  lintTrialCalls(guard.options, context, warn);
  if (measures) lintTimes(guard.options, context, warn);
  return warnings;
}

function lintTraffic(options: ResolvedOptions, context: LintContext, warn: Warn): void {
  const { slidingWindowType, slidingWindowSize: seconds, consecutiveFailureThreshold } = options;
  if (slidingWindowType !== 'time-based') return;
  const { callsPerSecond, timeout } = context;
  const minimum = minimumInForce(options);
  if (callsPerSecond !== undefined && callsPerSecond * seconds < minimum) {
    const rest =
      consecutiveFailureThreshold === Infinity
        ? 'set consecutiveFailureThreshold, or a longer window'
        : `only consecutiveFailureThreshold (${consecutiveFailureThreshold}) can open it`;
    warn(
      'minimum-never-reached',
      `at ${callsPerSecond} calls a second a window of ${seconds} s holds ${callsPerSecond * seconds}, ` +
        `and never the minimumNumberOfCalls (${minimum}): its rates decide nothing; ${rest}`,
    );
  }
  if (timeout !== undefined && seconds * 1000 < timeout) {
    warn(
      'window-shorter-than-timeout',
      `the window (${seconds} s) is shorter than the client's timeout (${timeout} ms): ` +
        `it has forgotten the first calls of an outage before the last of them time out`,
    );
  }
}

function lintTrialCalls(options: ResolvedOptions, context: LintContext, warn: Warn): void {
  const { permittedNumberOfCallsInHalfOpenState: permitted } = options;
  const { instances = 1, callsPerSecond } = context;
  const most = Math.max(FEW_TRIAL_CALLS, (callsPerSecond ?? 0) * instances);
  if (instances > 1 && permitted * instances > most) {
    warn(
      'many-trial-calls',
      `${instances} instances × ${permitted} trial calls are ${permitted * instances} calls at each try` +
        (callsPerSecond === undefined ? '' : ', more than a second of the whole traffic') +
        ': lower permittedNumberOfCallsInHalfOpenState, or spread the waits by randomizationFactor',
    );
  }
}

function lintTimes(options: ResolvedOptions, { timeout }: LintContext, warn: Warn): void {
  const { slowCallDurationThreshold: slow, maxWaitDurationInHalfOpenState: limit } = options;
  if (timeout !== undefined && slow >= timeout) {
    warn(
      'slow-threshold-above-timeout',
      `slowCallDurationThreshold (${slow} ms) is not below the client's timeout (${timeout} ms): ` +
        'no answer is ever slow, since it has failed by then; lower it to a few times the 99th percentile',
    );
  }
  if (options.transitionToStateAfterWaitDuration === 'evaluate' && limit > 0 && limit < slow) {
    warn(
      'limit-below-slow-threshold',
      `maxWaitDurationInHalfOpenState (${limit} ms) is below slowCallDurationThreshold (${slow} ms): ` +
        'a trial call that is still healthy is judged as hung',
    );
  }
  if (options.permitLease <= slow) {
    warn(
      'lease-below-slow-threshold',
      `permitLease (${options.permitLease} ms) is not above slowCallDurationThreshold (${slow} ms): ` +
        'calls are written off as failures before they are slow',
    );
  }
}

/** A row that is lowered for every breaker, and for hosts stays at their own default. */
function lintHosts({
  level,
  breaker,
  hostBreaker,
}: HttpCircuitBreakerOptions): ConfigurationWarning[] {
  const lowered = breaker?.consecutiveFailureThreshold ?? Infinity;
  const inForce = hostDefaults.consecutiveFailureThreshold ?? Infinity;
  const isOwn = hostBreaker?.consecutiveFailureThreshold !== undefined;
  if (level === 'endpoint' || isOwn || lowered >= inForce) return [];
  const message =
    `consecutiveFailureThreshold (${lowered}) does not reach hosts, whose default is ${inForce}: ` +
    `a host that refuses connections is found after ${inForce} calls; set it in hostBreaker, too`;
  return [{ where: 'breaker', kind: 'host-default-in-force', message }];
}

/** Does the earlier one surely match all that the later one does, at each level that it changes? */
function hides(earlier: CompiledOverride, later: CompiledOverride): boolean {
  const changesAll = (['host', 'endpoint'] as const).every(
    (level) => earlier.changes(level) || !later.changes(level),
  );
  return changesAll && isCovered(conditionsOf(later), [conditionsOf(earlier)]);
}

/** An override's conditions are those of a row. */
function conditionsOf({ override: { host, method, path } }: CompiledOverride): OutcomeRow {
  return {
    ...(host !== undefined && { host }),
    ...(method !== undefined && { method }),
    ...(path !== undefined && { path }),
    outcome: 'success',
  };
}

function checkContext(context: LintContext): void {
  checkNames('context', checkObject('context', context), [
    'timeout',
    'callsPerSecond',
    'instances',
  ]);
  const { timeout, callsPerSecond, instances } = context;
  if (timeout !== undefined) checkAbove('context.timeout', timeout, 0);
  if (callsPerSecond !== undefined) checkAbove('context.callsPerSecond', callsPerSecond, 0);
  if (instances !== undefined) checkCount('context.instances', instances);
}
