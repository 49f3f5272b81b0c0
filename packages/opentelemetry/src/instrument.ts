import {
  createNoopMeter,
  diag,
  metrics,
  type Attributes,
  type MeterProvider,
} from '@opentelemetry/api';
import type { HttpCircuitBreaker } from '@recloser/core';
import { annotateSpans } from './annotate-spans.ts';
import { checkArguments } from './check-arguments.ts';
import { reportMetrics } from './report-metrics.ts';

export interface InstrumentOptions {
  /**
   * Where the metrics go.
   * @default the global one, as it is when `instrument` is called
   */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * What every sample and span event bears besides. It tells breakers of one provider apart, whose
   * samples would overwrite each other. At most one of them may be without.
   * @default none
   */
  readonly attributes?: Readonly<Record<string, string | number | boolean>> | undefined;
  /**
   * Records how long each call took. It is most of what a call pays, more so with `attributes`: the
   * SDK computes a text of them at each record.
   * @default true
   */
  readonly callDurations?: boolean | undefined;
}

const reporting = new WeakMap<HttpCircuitBreaker, Set<MeterProvider>>();
/** What tells the breakers of a provider apart. */
const inUse = new WeakMap<MeterProvider, Set<string>>();

/**
 * Reports an `HttpCircuitBreaker` to OpenTelemetry: metrics of all its breakers, present and future,
 * and events on the active span for refusals and moves.
 *
 *     const stop = instrument(breaker);
 *
 * Register the SDK first: without `meterProvider` the global provider of this moment is used, and
 * where there is none nothing is counted, now or later. OpenTelemetry's `diag` is told so, which
 * prints it only if you set a logger for it.
 *
 * @returns the function that ends it; called again it does nothing
 * @throws TypeError that names the argument and its value; Error where this breaker is reported to
 *   this provider already, or another one with the same attributes; and what the provider throws
 */
export function instrument(
  breaker: HttpCircuitBreaker,
  options: InstrumentOptions = {},
): () => void {
  checkArguments(breaker, options);
  const provider = options.meterProvider ?? metrics.getMeterProvider();
  const providers = reporting.get(breaker) ?? new Set<MeterProvider>();
  if (providers.has(provider)) {
    throw new Error(
      'instrument: this breaker is reported to this meterProvider already; call what the first call returned to end that',
    );
  }
  const attributes = { ...options.attributes };
  const meter = provider.getMeter('@recloser/opentelemetry');
  const stops: (() => void)[] = [];
  if (meter === createNoopMeter()) {
    diag.warn(
      '@recloser/opentelemetry: no MeterProvider is registered, so no metrics are reported',
    );
  } else {
    const release = claim(provider, attributes);
    stops.push(release);
    try {
      stops.push(reportMetrics(breaker, meter, attributes, options.callDurations ?? true));
    } catch (error) {
      release();
      throw error;
    }
  }
  // A span has each event once, however many providers get the metrics.
  const isFirst = (): boolean => providers.values().next().value === provider;
  stops.push(annotateSpans(breaker, attributes, isFirst));
  providers.add(provider);
  reporting.set(breaker, providers);
  return () => {
    if (stops.length > 0) providers.delete(provider);
    for (const stop of stops.splice(0)) stop();
  };
}

/** @returns the function that lets others have these attributes */
function claim(provider: MeterProvider, attributes: Readonly<Attributes>): () => void {
  const parts = Object.entries(attributes).map((part) => JSON.stringify(part));
  const text = parts.toSorted().join();
  const texts = inUse.get(provider) ?? new Set<string>();
  if (texts.has(text)) {
    const which = text === '' ? 'without attributes' : 'with the same attributes';
    throw new Error(
      `instrument: another breaker is reported to this meterProvider ${which}, so that their samples would overwrite each other: give each attributes of its own, such as { client: 'shop' }`,
    );
  }
  texts.add(text);
  inUse.set(provider, texts);
  return () => texts.delete(text);
}
