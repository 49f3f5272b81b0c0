import {
  CircuitBreaker,
  ManualClock,
  type CircuitBreakerOptions,
  type TransitionReason,
} from '@recloser/core';
import { describe, expect, test } from 'vitest';
import { circuitBreakerStates, isLegalTransition } from '../../packages/core/src/breaker/state.ts';
import { codesIn, docText, firstCodes, tableOf } from './page-tables.ts';

const page = docText('circuit-breaker');

describe('the states on the page on circuit breakers', () => {
  const rows = new Map(
    tableOf('circuit-breaker', 'state ').map((row) => [codesIn(row[0])[0], row]),
  );

  test('are those of the code', () => {
    expect([...rows.keys()]).toEqual(circuitBreakerStates);
  });

  test('are all drawn', () => {
    const [, diagram = ''] = /```mermaid\n(stateDiagram.*?)```/s.exec(page) ?? [];

    expect(diagram.match(/\w+/g)).toEqual(
      expect.arrayContaining(circuitBreakerStates.map((state) => state.replace('-', '_'))),
    );
  });

  test.each(circuitBreakerStates)('let a call pass, or not, as %s does', (initialState) => {
    const breaker = new CircuitBreaker('prices', {
      initialState,
      permittedNumberOfCallsInHalfOpenState: 1,
    });
    const isMade = breaker.tryAcquire() !== undefined;
    const [, aCall = ''] = rows.get(initialState) ?? [];

    expect(aCall).toMatch(isMade ? /^is made/ : /^is refused/);
    expect(breaker.refusal()?.reason).toBe(/reason: '([a-z-]+)'/.exec(aCall)?.[1]);
  });

  test('names the moves by hand that there are not', () => {
    const illegal = circuitBreakerStates.flatMap((from) =>
      circuitBreakerStates.flatMap((to) => (isLegalTransition(from, to) ? [] : [[from, to]])),
    );

    expect(illegal).toEqual([
      ['closed', 'half-open'],
      ['metrics-only', 'open'],
      ['metrics-only', 'half-open'],
    ]);
    expect(page).toContain(
      'three moves: `closed` to `half-open`, and `metrics-only` to `open` or `half-open`',
    );
  });
});

describe('the reasons on the page on circuit breakers', () => {
  const rows = tableOf('circuit-breaker', 'by ');
  const known = {
    'failure-rate': true,
    'slow-call-rate': true,
    'failure-count': true,
    'consecutive-failures': true,
    trip: true,
    hold: true,
    result: true,
    'trial-calls': true,
    'half-open-limit': true,
    'wait-elapsed': true,
    manual: true,
    reset: true,
  } satisfies Record<TransitionReason, true>;

  const clock = new ManualClock();
  /** Of each row, by its first code: options, and what opens a breaker that has them. */
  const openings: Readonly<
    Record<string, readonly [CircuitBreakerOptions, (breaker: CircuitBreaker) => void]>
  > = {
    failureRateThreshold: [
      { minimumNumberOfCalls: 2 },
      (breaker) => {
        breaker.acquire().failure();
        breaker.acquire().success();
      },
    ],
    slowCallRateThreshold: [
      { minimumNumberOfCalls: 1, slowCallDurationThreshold: 1 },
      (breaker) => {
        const permit = breaker.acquire();
        clock.advance(2);
        permit.success();
      },
    ],
    failureCountThreshold: [{ failureCountThreshold: 1 }, (breaker) => breaker.acquire().failure()],
    consecutiveFailureThreshold: [
      { consecutiveFailureThreshold: 1 },
      (breaker) => breaker.acquire().failure(),
    ],
    transitionOnResult: [
      { transitionOnResult: () => ({ openFor: 1 }) },
      (breaker) => breaker.acquire().result('busy'),
    ],
    trip: [{}, (breaker) => breaker.acquire().trip()],
    hold: [{}, (breaker) => breaker.acquire().hold(1)],
    maxWaitDurationInHalfOpenState: [
      { initialState: 'half-open', maxWaitDurationInHalfOpenState: 1 },
      () => clock.advance(2),
    ],
    'transitionToOpenState()': [{}, (breaker) => breaker.transitionToOpenState()],
  };

  test('of openings are all told', () => {
    expect(firstCodes('circuit-breaker', 'by ')).toEqual(
      expect.arrayContaining(Object.keys(openings)),
    );
    expect(rows).toHaveLength(Object.keys(openings).length);
  });

  test.each(Object.entries(openings))('are what an opening by %s bears', (by, [options, open]) => {
    const breaker = new CircuitBreaker('prices', { ...options, clock });
    const reasons: string[] = [];
    breaker.on('stateTransition', ({ to, reason }) => reasons.push(`${to} ${reason}`));
    open(breaker);
    const row = rows.find(([first]) => codesIn(first)[0] === by);

    expect(breaker.state).toBe('open');
    expect(codesIn(row?.[2]).map((reason) => `open ${reason}`)).toEqual(reasons);
  });

  test('are all named', () => {
    const words = new Set(codesIn(page.replaceAll(/^```.*?^```$/gms, '')));

    for (const reason of Object.keys(known)) {
      if (reason === 'reset') expect(words).toContain('reset()');
      else expect(words).toContain(reason);
    }
  });
});
