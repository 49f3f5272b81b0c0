import type { Histogram } from '@recloser/telemetry';
import type { OwnSample } from './metric-definition.ts';
import type { Labels } from './scraped-metric.ts';

const labelsOfBuckets = new WeakMap<readonly number[], Map<Labels, readonly Labels[]>>();

/**
 * Buckets that hold those below them, sum and count, in seconds, as Prometheus wants them.
 * @param labels  of which there are few objects: what is made of them is kept
 */
export function histogramSamples(
  name: string,
  { bounds, counts, count, sum }: Histogram,
  labels: Labels,
): OwnSample[] {
  const metricName = `${name}_bucket`;
  let below = 0;
  const samples: OwnSample[] = bucketLabels(bounds, labels).map((bucket, index) => {
    below += counts[index]!;
    return { value: below, labels: bucket, metricName };
  });
  samples.push({ value: sum / 1000, labels, metricName: `${name}_sum` });
  samples.push({ value: count, labels, metricName: `${name}_count` });
  return samples;
}

function bucketLabels(bounds: readonly number[], labels: Labels): readonly Labels[] {
  let known = labelsOfBuckets.get(bounds);
  if (known === undefined) labelsOfBuckets.set(bounds, (known = new Map()));
  let made = known.get(labels);
  if (made === undefined) {
    made = [...bounds.map(seconds), '+Inf'].map((le) => ({ le, ...labels }));
    known.set(labels, made);
  }
  return made;
}

/** As they were given: 0.0021 * 1000 / 1000 is 0.0021000000000000003. */
function seconds(ms: number): number {
  return Number((ms / 1000).toPrecision(12));
}
