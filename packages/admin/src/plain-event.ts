import type { HttpCircuitBreakerEvents } from '@recloser/core';
import { cutText } from './cut-text.ts';
import { plainError } from './plain-error.ts';

type AnyEvent = HttpCircuitBreakerEvents[keyof HttpCircuitBreakerEvents];

const MOST_KEYS = 100;

/**
 * An event as plain and small data, that keeps nothing of it alive. Of the keys that an order moved
 * and skipped it has the first, and the numbers of all.
 */
export function plainEvent(event: AnyEvent): Readonly<Record<string, unknown>> {
  const { type, breaker, at, ...rest } = event;
  const key = 'key' in event ? event.key : undefined;
  const plain: Record<string, unknown> = { type, key: key ?? breaker, name: breaker, at };
  for (const [field, value] of Object.entries(rest)) {
    if (field === 'key') continue;
    if (field === 'error') plain['error'] = plainError(value);
    else if (Array.isArray(value)) {
      plain[`${field}Count`] = value.length;
      plain[field] = value.slice(0, MOST_KEYS).map(plainValue);
    } else plain[field] = plainValue(value);
  }
  return plain;
}

/** Undefined, and so left out, for what JSON does not know. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value);
  if (typeof value === 'boolean' || Number.isFinite(value)) return value;
  return undefined;
}
