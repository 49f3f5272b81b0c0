import type { HttpCircuitBreaker } from '@recloser/core';
import { shown } from '@recloser/core/adapter';
import type { Registry, RegistryContentType } from 'prom-client';
import { BreakerSource } from './breaker-source.ts';
import { callMetrics } from './call-metrics.ts';
import { Exposition } from './exposition.ts';
import type { MetricDefinition } from './metric-definition.ts';
import { resolveOptions, type CollectMetricsOptions, type MetricNames } from './options.ts';
import { resilience4jMetrics } from './resilience4j-metrics.ts';
import { stateMetrics } from './state-metrics.ts';
import { wholeMetrics } from './whole-metrics.ts';

const definitions: Readonly<Record<MetricNames, readonly MetricDefinition[]>> = {
  recloser: [...callMetrics, ...stateMetrics, ...wholeMetrics],
  resilience4j: resilience4jMetrics,
};

const expositions: Readonly<
  Record<MetricNames, WeakMap<Registry<RegistryContentType>, Exposition>>
> = { recloser: new WeakMap(), resilience4j: new WeakMap() };

/**
 * Puts the metrics of an `HttpCircuitBreaker` on a register of prom-client. They are made as it is
 * scraped; between scrapes calls are counted, and prom-client is not asked. Counts of calls begin
 * here. The series of a breaker end with it.
 *
 *     const stop = collectMetrics(breaker);
 *     const text = await register.metrics();
 *
 * @returns the function that ends it, and takes the metrics off the register
 * @throws TypeError or RangeError for options that can't be
 * @throws Error where the register has this breaker under these names, or another breaker in the
 *   same group, or a metric of somebody else's by one of the names
 */
export function collectMetrics(
  breaker: HttpCircuitBreaker,
  options: CollectMetricsOptions = {},
): () => void {
  const resolved = resolveOptions(breaker, options);
  const { register, names, group } = resolved;
  const exposition = expositionOn(register, names);
  for (const other of exposition.sources) {
    if (other.breaker === breaker) {
      throw new Error(
        `collectMetrics: the register has the metrics of this breaker already, under the names of ${names}`,
      );
    }
    if (other.group === group) {
      const which = group === undefined ? 'without a group' : `in the group ${shown(group)}`;
      throw new Error(
        `collectMetrics: the register has the metrics of another breaker ${which}: give each breaker a group of its own`,
      );
    }
  }
  const source = new BreakerSource(breaker, resolved);
  exposition.add(source);
  return () => exposition.remove(source);
}

function expositionOn(register: Registry<RegistryContentType>, names: MetricNames): Exposition {
  const known = expositions[names].get(register);
  if (known?.isScraped === true) return known;
  // The register was cleared: nobody reads it any more.
  known?.end();
  const made = new Exposition(register, definitions[names]);
  expositions[names].set(register, made);
  return made;
}
