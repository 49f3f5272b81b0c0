import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { CircuitBreaker, HttpCircuitBreaker } from '@recloser/core';
import { describe, expect, test } from 'vitest';
import { instrument, type InstrumentOptions } from '../src/index.ts';

describe('what cannot be instrumented is said at once', () => {
  const breaker = new HttpCircuitBreaker();

  test.each([
    [undefined, 'undefined'],
    [new CircuitBreaker('prices'), 'a CircuitBreaker'],
  ])('%s in place of the breaker', (value, found) => {
    expect(() => instrument(value as unknown as HttpCircuitBreaker)).toThrow(
      new TypeError(
        `instrument: breaker must be an HttpCircuitBreaker, but is ${found}: make one, and hand it to the adapter of your client, too`,
      ),
    );
  });

  test.each([
    [null, 'instrument: options must be an object, but is null'],
    [
      { meterprovider: undefined },
      "instrument: options: 'meterprovider' is not known; did you mean 'meterProvider'?",
    ],
    [
      { interval: 5 },
      "instrument: options: 'interval' is not known; known are meterProvider, attributes, callDurations",
    ],
    [{ meterProvider: null }, 'instrument: meterProvider must be a MeterProvider, but is null'],
    [{ meterProvider: {} }, 'instrument: meterProvider must be a MeterProvider, but is an object'],
    [{ callDurations: 0 }, 'instrument: callDurations must be true or false, but is 0'],
    [{ attributes: 'shop' }, "instrument: attributes must be an object, but is 'shop'"],
    [
      { attributes: { client: ['shop'] } },
      "instrument: attributes['client'] must be a string, a number or a boolean, but is a list",
    ],
    [
      { attributes: { 'circuit_breaker.key': 'x' } },
      "instrument: attributes: 'circuit_breaker.key' is a name of the breaker's own",
    ],
  ])('%o as options', (value, message) => {
    expect(() => instrument(breaker, value as InstrumentOptions)).toThrow(new TypeError(message));
  });

  test('a provider in place of the options', () => {
    const provider = new MeterProvider();

    expect(() => instrument(breaker, provider as InstrumentOptions)).toThrow(
      'instrument: options must be a plain object, but is a MeterProvider',
    );
  });
});
