import type { Attributes, BatchObservableResult, Meter } from '@opentelemetry/api';
import type { HttpCircuitBreaker } from '@recloser/core';
import { CallStatistics } from '@recloser/telemetry';
import { DurationRecorder } from './duration-recorder.ts';
import { ObservedInstruments } from './observed-instruments.ts';
import { Observation } from './observation.ts';

/**
 * Counts the calls of all breakers, and is read at each collection.
 * @returns the function that ends it
 */
export function reportMetrics(
  breaker: HttpCircuitBreaker,
  meter: Meter,
  attributes: Readonly<Attributes>,
  callDurations: boolean,
): () => void {
  const instruments = new ObservedInstruments(meter);
  const recorder = new DurationRecorder(meter, attributes, callDurations);
  const statistics = new CallStatistics(breaker, { observer: recorder });
  const observation = new Observation(statistics, instruments, attributes);
  const { all } = instruments;
  const observe = (result: BatchObservableResult): void => {
    recorder.handOver();
    observation.observe(result);
  };
  meter.addBatchObservableCallback(observe, all);
  return () => {
    statistics.stop();
    observation.end(() => meter.removeBatchObservableCallback(observe, all));
  };
}
