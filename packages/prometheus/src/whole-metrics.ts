import { ofTheWhole, one, type MetricDefinition } from './metric-definition.ts';
import type { Labels } from './scraped-metric.ts';

/** What is told of a whole `HttpCircuitBreaker`. */
export const wholeMetrics: readonly MetricDefinition[] = [
  ofTheWhole(
    { name: 'circuit_breaker_breakers', type: 'gauge', help: 'Breakers that there are.' },
    ({ breakers }) => one(breakers.length),
  ),
  ofTheWhole(
    {
      name: 'circuit_breaker_evictions_total',
      type: 'counter',
      help: 'Breakers that were forgotten to make room, or for being idle.',
    },
    ({ evictions }) => one(evictions),
  ),
  ofTheWhole(
    {
      name: 'circuit_breaker_overflows_total',
      type: 'counter',
      help: 'Calls of a new key that got no breaker for want of room: nothing guards them.',
    },
    ({ overflows }) => one(overflows),
  ),
  ofTheWhole(
    {
      name: 'circuit_breaker_unguarded_requests_total',
      type: 'counter',
      help: 'Requests that no breaker guarded, for any reason.',
    },
    ({ unguarded }) => one(unguarded),
  ),
  ofTheWhole(
    {
      name: 'circuit_breaker_operator_orders',
      type: 'gauge',
      help: "Orders of an operator's that stand, by whether they end by themselves.",
      aggregator: 'max',
    },
    ({ orders }) => {
      const counts = new Map<string, { value: number; readonly labels: Labels }>();
      for (const { action, expiresAt } of orders) {
        const expires = String(expiresAt !== undefined);
        const known = counts.get(`${action} ${expires}`);
        if (known === undefined)
          counts.set(`${action} ${expires}`, { value: 1, labels: { action, expires } });
        else known.value++;
      }
      return [...counts.values()];
    },
  ),
];
