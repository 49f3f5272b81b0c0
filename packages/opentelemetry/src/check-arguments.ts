import type { HttpCircuitBreaker } from '@recloser/core';
import {
  checkBoolean,
  checkHttpCircuitBreaker,
  checkNames,
  checkObject,
  shown,
} from '@recloser/core/adapter';
import type { InstrumentOptions } from './instrument.ts';

const KNOWN: readonly (keyof InstrumentOptions)[] = [
  'meterProvider',
  'attributes',
  'callDurations',
];

/** @throws TypeError that names the argument and its value */
export function checkArguments(breaker: HttpCircuitBreaker, options: InstrumentOptions): void {
  checkHttpCircuitBreaker('instrument: breaker', breaker);
  checkNames('instrument: options', checkObject('instrument: options', options), KNOWN);
  const { meterProvider, attributes, callDurations } = options;
  if (meterProvider !== undefined && typeof meterProvider?.getMeter !== 'function') {
    throw wrong('meterProvider', 'a MeterProvider', meterProvider);
  }
  if (callDurations !== undefined) checkBoolean('instrument: callDurations', callDurations);
  if (attributes !== undefined) checkAttributes(attributes);
}

function checkAttributes(attributes: unknown): void {
  const given = checkObject('instrument: attributes', attributes);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith('circuit_breaker.')) {
      throw new TypeError(`instrument: attributes: '${name}' is a name of the breaker's own`);
    }
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw wrong(`attributes['${name}']`, 'a string, a number or a boolean', value);
    }
  }
}

function wrong(what: string, expected: string, value: unknown): TypeError {
  return new TypeError(`instrument: ${what} must be ${expected}, but is ${shown(value)}`);
}
