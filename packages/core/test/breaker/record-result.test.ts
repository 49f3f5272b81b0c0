import { describe, expect, it } from 'vitest';
import { ResultRecordedAsFailureError } from '../../src/index.ts';
import { manualBreaker, only, typesOf } from './manual-breaker.ts';

describe('recordResult', () => {
  const options = { recordResult: (value: unknown) => value === 'bad', minimumNumberOfCalls: 2 };

  it('makes a returned value a failure, and the caller still gets it', async () => {
    const { breaker, events } = manualBreaker(options);
    expect(await breaker.execute(() => 'bad')).toBe('bad');
    expect(await breaker.execute(async () => 'bad')).toBe('bad');
    expect(breaker.state).toBe('open');
    const [{ error } = { error: undefined }] = only(events, 'failure');
    expect(error).toBeInstanceOf(ResultRecordedAsFailureError);
    expect(error).toMatchObject({
      name: 'ResultRecordedAsFailureError',
      code: 'ERR_RESULT_RECORDED_AS_FAILURE',
      breaker: 'test',
      result: 'bad',
    });
    expect((error as Error).message).toContain("'test'");
  });

  it('runs no fallback: the caller has a value', async () => {
    const { breaker } = manualBreaker(options);
    expect(await breaker.execute(() => 'bad', { fallback: () => 'fallback' })).toBe('bad');
  });

  it('is not asked about permit.success', () => {
    const { breaker, events } = manualBreaker({ recordResult: () => true });
    breaker.acquire().success();
    expect(typesOf(events)).toEqual(['success']);
  });

  it('that throws counts as no match, and an error event tells', async () => {
    const thrown = new Error('bug in the predicate');
    const { breaker, events } = manualBreaker({
      recordResult: () => {
        throw thrown;
      },
    });
    expect(await breaker.execute(() => 'value')).toBe('value');
    expect(typesOf(events)).toEqual(['error', 'success']);
    expect(only(events, 'error')).toMatchObject([{ error: thrown, source: 'recordResult' }]);
  });
});
