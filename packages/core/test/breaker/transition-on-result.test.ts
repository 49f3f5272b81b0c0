import { describe, expect, it } from 'vitest';
import type { CircuitBreakerOptions, CountedResult, OpenDecision } from '../../src/index.ts';
import {
  manualBreaker,
  movesOf,
  only,
  startDate,
  typesOf,
  type ManualBreaker,
} from './manual-breaker.ts';

interface Asked extends ManualBreaker {
  readonly asked: CountedResult[];
}

function asking(options: CircuitBreakerOptions = {}, answer?: OpenDecision): Asked {
  const asked: CountedResult[] = [];
  const transitionOnResult = (result: CountedResult): OpenDecision | undefined => {
    asked.push(result);
    return answer;
  };
  return { ...manualBreaker({ ...options, transitionOnResult }), asked };
}

describe('transitionOnResult', () => {
  it('is asked about values and errors that were counted', () => {
    const { breaker, asked } = asking({ recordErrors: [TypeError] });
    const [recorded, other] = [new TypeError(), new RangeError()];
    breaker.acquire().result(0);
    breaker.acquire().result('');
    breaker.acquire().error(recorded);
    breaker.acquire().error(other);
    breaker.acquire().failure(other);
    expect(asked).toStrictEqual([
      { value: 0 },
      { value: '' },
      { error: recorded },
      { error: other },
      { error: other },
    ]);
  });

  it.each([undefined, null, false] as const)(
    'that answers %s opens nothing, and is no error',
    (answer) => {
      const { breaker, events } = manualBreaker({ transitionOnResult: () => answer });
      breaker.acquire().result('maintenance');
      expect(breaker.state).toBe('closed');
      expect(only(events, 'error')).toEqual([]);
    },
  );

  it('is not asked about what was not counted, or is null or undefined', () => {
    const { breaker, asked } = asking({
      recordResult: (value) => value === 'bad',
      ignoreErrors: [RangeError],
    });
    breaker.acquire().result('bad');
    breaker.acquire().result(null);
    breaker.acquire().result(undefined);
    breaker.acquire().error(undefined);
    breaker.acquire().error(new RangeError());
    breaker.acquire().ignore(new Error('aborted'));
    breaker.acquire().release();
    breaker.acquire().success();
    expect(asked).toEqual([]);
  });

  it('is asked after counting', () => {
    const counted: number[] = [];
    const { breaker } = manualBreaker({
      transitionOnResult: () => {
        counted.push(breaker.metrics().numberOfBufferedCalls);
        return undefined;
      },
    });
    breaker.acquire().result('first');
    breaker.acquire().error(new Error('second'));
    expect(counted).toEqual([1, 2]);
  });

  it.each(['half-open', 'metrics-only', 'disabled'] as const)('is not asked in %s', (state) => {
    const { breaker, asked } = asking({ initialState: state });
    breaker.acquire().result('value');
    expect(asked).toEqual([]);
  });

  it('is not asked where the outcome itself has opened the breaker, or came in open', () => {
    const { breaker, asked } = asking({ minimumNumberOfCalls: 1 });
    const late = breaker.acquire();
    breaker.acquire().error(new Error('busy'));
    late.result('value');
    expect(breaker.metrics().numberOfBufferedCalls).toBe(2);
    expect(asked).toEqual([]);
  });

  it('opens for a span, and leaves the openings in a row', () => {
    const { breaker, clock, events } = asking({}, { openFor: 250 });
    breaker.acquire().result('maintenance');
    expect(typesOf(events)).toEqual(['success', 'stateTransition']);
    expect(events[1]).toMatchObject({ from: 'closed', to: 'open', reason: 'result', wait: 250 });
    expect(breaker.metrics()).toMatchObject({ openingsInARow: 0, totalOpenings: 1 });
    expect(breaker.refusal()?.reason).toBe('open');
    clock.advance(250);
    expect(breaker.tryAcquire()).toBeUndefined();
    clock.advance(1);
    expect(breaker.tryAcquire()).toBeDefined();
  });

  it('opens until a date of the wall clock, turned into a span once', () => {
    const { breaker, clock, events } = asking({}, { openUntil: new Date(startDate + 3000) });
    clock.advance(1000);
    breaker.acquire().error(new Error('closed for today'));
    expect(only(events, 'stateTransition')).toMatchObject([{ reason: 'result', wait: 2000 }]);
    expect(breaker.metrics().retryAfterMs).toBe(2001);
  });

  it('lets the next call try after a date that is past', () => {
    const { breaker, events } = asking({}, { openUntil: new Date(startDate - 1) });
    breaker.acquire().result('value');
    expect(breaker.state).toBe('open');
    expect(breaker.refusal()).toBeUndefined();
    breaker.acquire();
    expect(movesOf(events)).toEqual(['closed > open: result', 'open > half-open: wait-elapsed']);
  });

  it.each([undefined, null])('moves nothing by answering %s', (answer) => {
    const { breaker, events } = asking({}, answer as undefined);
    breaker.acquire().result('value');
    expect(breaker.state).toBe('closed');
    expect(typesOf(events)).toEqual(['success']);
  });

  it.each<[answer: unknown]>([
    [5],
    [true],
    ['open'],
    [{}],
    [{ openFor: NaN }],
    [{ openFor: -1 }],
    [{ openFor: '250' }],
    [{ openFor: undefined }],
    [{ openUntil: startDate }],
    [{ openUntil: new Date(NaN) }],
    [Promise.resolve({ openFor: 250 })],
  ])('moves nothing by the bad answer %o, and tells', async (answer) => {
    const { breaker, events } = asking({}, answer as OpenDecision);
    expect(await breaker.execute(() => 'value')).toBe('value');
    expect(breaker.state).toBe('closed');
    expect(only(events, 'error')).toMatchObject([{ source: 'transitionOnResult' }]);
    expect(breaker.metrics().numberOfBufferedCalls).toBe(1);
  });

  it('that throws moves nothing, and tells', async () => {
    const thrown = new Error('bug');
    const { breaker, events } = manualBreaker({
      transitionOnResult: () => {
        throw thrown;
      },
    });
    expect(await breaker.execute(() => 'value')).toBe('value');
    expect(typesOf(events)).toEqual(['success', 'error']);
    expect(events[1]).toMatchObject({ error: thrown, source: 'transitionOnResult' });
    expect(breaker.state).toBe('closed');
  });
});
