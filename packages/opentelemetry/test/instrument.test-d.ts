import type { MeterProvider } from '@opentelemetry/api';
import type { MeterProvider as SdkMeterProvider } from '@opentelemetry/sdk-metrics';
import { HttpCircuitBreaker, type CircuitBreaker } from '@recloser/core';
import { expectTypeOf, test } from 'vitest';
import { instrument, type InstrumentOptions } from '../src/index.ts';

const breaker = new HttpCircuitBreaker();

test('instrument gives the function that ends it', () => {
  expectTypeOf(instrument).returns.toEqualTypeOf<() => void>();
  expectTypeOf(instrument).parameter(0).toEqualTypeOf<HttpCircuitBreaker>();
  expectTypeOf(instrument).parameter(1).toEqualTypeOf<InstrumentOptions | undefined>();
});

test('only an HttpCircuitBreaker can be instrumented', () => {
  // @ts-expect-error: it knows no HTTP.
  instrument({} as CircuitBreaker);
  // @ts-expect-error: options of a breaker are no breaker.
  instrument({ breaker: { failureRateThreshold: 40 } });
});

test('the provider of the SDK and any other are taken', () => {
  instrument(breaker, { meterProvider: {} as SdkMeterProvider });
  instrument(breaker, { meterProvider: {} as MeterProvider });
  instrument(breaker, { meterProvider: undefined });
  // @ts-expect-error: a meter is no provider.
  instrument(breaker, { meterProvider: {} as ReturnType<MeterProvider['getMeter']> });
});

test('attributes are single values, and options that are constants are options', () => {
  const options = {
    attributes: { client: 'shop', shard: 3, canary: true },
    callDurations: false,
  } as const;
  instrument(breaker, options);
  expectTypeOf(options).toExtend<InstrumentOptions>();
  // @ts-expect-error: a list is no single value.
  instrument(breaker, { attributes: { clients: ['shop'] } });
  // @ts-expect-error: an unknown option.
  instrument(breaker, { meterprovider: undefined });
});
