import { trace, type Attributes, type Span } from '@opentelemetry/api';
import type { HttpCircuitBreaker } from '@recloser/core';
import { listenWhileAwake } from '@recloser/core/adapter';
import { attributesOf } from './attributes-of.ts';

/**
 * Adds an event to the active span for each refusal and each move. Without a span that records no
 * event is made.
 * @param isFirst  whether it is this one's turn, where there are several
 * @returns the function that ends it
 */
export function annotateSpans(
  breaker: HttpCircuitBreaker,
  shared: Readonly<Attributes>,
  isFirst: () => boolean,
): () => void {
  const isAwake = (): boolean => isFirst() && recordingSpan() !== undefined;
  const annotate = (
    name: string,
    {
      breaker: breakerName,
      key = breakerName,
    }: { readonly breaker: string; readonly key?: string },
    what: Attributes,
  ): void => {
    const span = recordingSpan();
    if (span === undefined) return;
    const identity = { key, name: breakerName, level: breaker.levelOf(key) };
    try {
      span.addEvent(name, { ...attributesOf(identity, shared), ...what });
    } catch {
      // The tracing of others is no matter of a call.
    }
  };
  const stops = [
    listenWhileAwake(
      breaker,
      'notPermitted',
      (event) => {
        const what = { 'circuit_breaker.reason': event.reason };
        annotate('circuit_breaker.call_not_permitted', event, what);
      },
      isAwake,
    ),
    listenWhileAwake(
      breaker,
      'stateTransition',
      (event) => {
        const { from, to, reason } = event;
        annotate('circuit_breaker.state_transition', event, {
          'circuit_breaker.from': from,
          'circuit_breaker.to': to,
          'circuit_breaker.reason': reason,
        });
      },
      isAwake,
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function recordingSpan(): Span | undefined {
  try {
    const span = trace.getActiveSpan();
    return span?.isRecording() === true ? span : undefined;
  } catch {
    return undefined;
  }
}
