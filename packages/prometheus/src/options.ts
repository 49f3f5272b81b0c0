import {
  checkChoice,
  checkHttpCircuitBreaker,
  checkNames,
  checkObject,
  checkText,
  shown,
} from '@recloser/core/adapter';
import { checkBounds } from '@recloser/telemetry';
import { register as globalRegister, type Registry, type RegistryContentType } from 'prom-client';

/** Whose names the metrics bear. */
export type MetricNames = 'recloser' | 'resilience4j';

export interface CollectMetricsOptions {
  /** Where the metrics are scraped from. @default the global one of prom-client */
  readonly register?: Registry<RegistryContentType> | undefined;
  /**
   * `resilience4j` gives the names, labels and units of Resilience4j with Micrometer, for dashboards
   * and alerts that exist. Both may be collected of one breaker, by two calls.
   * @default 'recloser'
   */
  readonly names?: MetricNames | undefined;
  /**
   * A label `group` on every series, to tell breakers on one register apart. At most one of them may
   * be without a group.
   * @default none
   */
  readonly group?: string | undefined;
  /**
   * Tells only of the hosts, or only of the endpoints: where keys are many, all are too many for a
   * metrics server. Breakers of your own keys are told of in any case.
   * @default both
   */
  readonly level?: 'host' | 'endpoint' | undefined;
  /**
   * Upper bounds of the buckets of the durations of calls, in seconds, ascending.
   * @default those of OpenTelemetry's HTTP client durations: 0.005 to 10
   */
  readonly durationBuckets?: readonly number[] | undefined;
  /**
   * Upper bounds of the buckets of the times from open to closed, in seconds, ascending.
   * @default 1 to 3600
   */
  readonly recoveryBuckets?: readonly number[] | undefined;
}

export interface ResolvedOptions {
  readonly register: Registry<RegistryContentType>;
  readonly names: MetricNames;
  readonly group: string | undefined;
  readonly level: 'host' | 'endpoint' | undefined;
  readonly durationBuckets: readonly number[] | undefined;
  readonly recoveryBuckets: readonly number[] | undefined;
}

const NAMES: readonly MetricNames[] = ['recloser', 'resilience4j'];
const LEVELS = ['host', 'endpoint'] as const;
const KNOWN: readonly (keyof CollectMetricsOptions)[] = [
  'register',
  'names',
  'group',
  'level',
  'durationBuckets',
  'recoveryBuckets',
];

/** @throws TypeError or RangeError that names what is wrong */
export function resolveOptions(breaker: unknown, options: unknown): ResolvedOptions {
  checkHttpCircuitBreaker('collectMetrics: breaker', breaker);
  const given = checkObject('collectMetrics: options', options);
  checkNames('collectMetrics: options', given, KNOWN);
  const { register = globalRegister, names = 'recloser', group, level } = given;
  return {
    register: checkRegister(register),
    names: checkChoice('collectMetrics: names', names, NAMES),
    group: group === undefined ? undefined : checkText('collectMetrics: group', group),
    level: level === undefined ? undefined : checkChoice('collectMetrics: level', level, LEVELS),
    durationBuckets: bucketsIn(given, 'durationBuckets'),
    recoveryBuckets: bucketsIn(given, 'recoveryBuckets'),
  };
}

function checkRegister(value: unknown): Registry<RegistryContentType> {
  if (isRegistry(value)) return value;
  throw new TypeError(
    `collectMetrics: register must be a Registry of prom-client, but is ${shown(value)}`,
  );
}

/** Also of another copy of prom-client. */
function isRegistry(value: unknown): value is Registry<RegistryContentType> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'getSingleMetric' in value &&
    typeof value.getSingleMetric === 'function'
  );
}

function bucketsIn(
  given: Readonly<Record<string, unknown>>,
  name: 'durationBuckets' | 'recoveryBuckets',
): readonly number[] | undefined {
  const buckets = given[name];
  return buckets === undefined ? undefined : checkBounds(`collectMetrics: ${name}`, buckets);
}
