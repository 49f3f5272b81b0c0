import { trace, type Span } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type TracerProviderOptions,
} from '@opentelemetry/sdk-trace';
import { instrument } from '../src/index.ts';
import { startOutage, type Outage } from './outage.ts';

export interface Tracing extends Disposable {
  readonly exporter: InMemorySpanExporter;
  /** A span of this name while the work lasts; work that is a promise ends it itself. */
  readonly during: <T>(name: string, work: (span: Span) => T) => T;
  readonly eventsOf: (name: string) => readonly (readonly [string, object | undefined])[];
}

/** The real tracing, for `using`. */
export function startTracing(options: TracerProviderOptions = {}): Tracing {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor({ exporter })];
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors, ...options }));
  return {
    exporter,
    during: (name, work) =>
      trace.getTracer('test').startActiveSpan(name, (span) => {
        const result = work(span);
        if (!(result instanceof Promise)) span.end();
        return result;
      }),
    eventsOf(name) {
      const spans = exporter.getFinishedSpans().filter((span) => span.name === name);
      return spans.flatMap(({ events }) =>
        events.map((event) => [event.name, event.attributes] as const),
      );
    },
    [Symbol.dispose]: () => trace.disable(),
  };
}

export function startInstrumented(): Outage {
  const outage = startOutage();
  instrument(outage.breaker);
  return outage;
}
