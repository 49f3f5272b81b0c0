import type { CircuitBreakerState } from '@recloser/core';
import { circuitBreakerStates } from '@recloser/core/adapter';
import { ofBreakers, type MetricDefinition } from './metric-definition.ts';

/** @param labelOf  how a state is written */
export function stateMetric(
  name: string,
  labelOf: (state: CircuitBreakerState) => string,
): MetricDefinition {
  const statesAndLabels = circuitBreakerStates.map(
    (state) => [state, { state: labelOf(state) }] as const,
  );
  return ofBreakers(
    {
      name,
      type: 'gauge',
      help: 'One series for each state: 1 for the one it is in, 0 for the others.',
    },
    ({ metrics }) =>
      statesAndLabels.map(([state, labels]) => ({
        value: Number(state === metrics.state),
        labels,
      })),
  );
}
