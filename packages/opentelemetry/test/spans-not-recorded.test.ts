import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { AlwaysOffSampler } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startInstrumented, startTracing } from './tracing.ts';

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterAll(() => context.disable());

const price = { method: 'GET', url: 'https://api.example.com/price' };

describe('a call is refused as ever', () => {
  test('without an active span', () => {
    using tracing = startTracing();
    const { call } = startInstrumented();
    call(503);
    call(503);

    expect(call(200)).toBe(false);

    expect(tracing.exporter.getFinishedSpans()).toEqual([]);
  });

  test('where the span is not recorded', () => {
    using tracing = startTracing({ sampler: new AlwaysOffSampler() });
    const { breaker, call } = startInstrumented();
    const errors = vi.fn<() => void>();
    breaker.on('error', errors);
    call(503);
    call(503);

    const addEvent = vi.fn<() => void>();
    tracing.during('unsampled', (span) => {
      Object.assign(span, { addEvent });
      expect(() => breaker.admit(price)).toThrow('is open');
    });

    expect(addEvent).not.toHaveBeenCalled();
    expect(errors).not.toHaveBeenCalled();
  });

  test.each(['isRecording', 'addEvent'] as const)('where the span’s %s throws', (method) => {
    using tracing = startTracing();
    const { breaker } = startInstrumented();
    const errors = vi.fn<() => void>();
    breaker.on('error', errors);

    tracing.during('broken', (span) => {
      Object.assign(span, {
        [method]() {
          throw new Error('the tracer is broken');
        },
      });
      breaker.admit(price).responded(503);
      breaker.admit(price).responded(503);
      expect(() => breaker.admit(price)).toThrow('is open');
    });

    expect(errors).not.toHaveBeenCalled();
  });

  test('where the context manager throws', () => {
    const { breaker, call } = startInstrumented();
    const errors = vi.fn<() => void>();
    breaker.on('error', errors);
    const active = vi.spyOn(trace, 'getActiveSpan').mockImplementation(() => {
      throw new Error('the context is broken');
    });
    call(503);
    call(503);

    expect(call(200)).toBe(false);

    expect(active).toHaveBeenCalled();
    expect(errors).not.toHaveBeenCalled();
    active.mockRestore();
  });
});
