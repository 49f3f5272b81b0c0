import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CircuitBreaker, type CircuitBreakerOptions } from '../../src/index.ts';
import { only, recordEvents } from './manual-breaker.ts';

/** A breaker whose clock answers whatever the test sets, and whose timers never fire. */
function steered(options: CircuitBreakerOptions = {}) {
  const time = { now: 1000 };
  const clock = { now: () => time.now, date: () => 0, setTimer: () => () => {} };
  const breaker = new CircuitBreaker('test', { ...options, clock });
  return { breaker, time, events: recordEvents(breaker) };
}

const absurd: [what: string, readings: number[]][] = [
  ['1e16', [1e16]],
  ['1e20', [1e20]],
  ['the greatest number', [Number.MAX_VALUE]],
  ['all of these, NaN and -1e20', [1e16, NaN, 1e20, -1e20, Number.MAX_VALUE]],
];

describe.each(absurd)('a clock that answers, between right readings, %s', (_, readings) => {
  it('keeps no breaker open longer than its wait', () => {
    const { breaker, time, events } = steered();
    for (const reading of readings) {
      time.now = reading;
      expect(breaker.state).toBe('closed');
      time.now = 1010;
      expect(breaker.state).toBe('closed');
    }
    breaker.transitionToOpenStateFor(5000);
    time.now = 6010;
    expect(breaker.refusal()).toBeDefined();
    time.now = 6011;
    expect(breaker.refusal()).toBeUndefined();
    expect(only(events, 'error')).toHaveLength(readings.length);
  });

  it('neither ends nor prolongs a wait that has begun', () => {
    const { breaker, time } = steered();
    breaker.transitionToOpenStateFor(5000);
    for (const reading of readings) {
      time.now = reading;
      breaker.metrics();
      time.now = 1001;
      expect(breaker.metrics().retryAfterMs).toBe(5000);
    }
    time.now = 6001;
    expect(breaker.refusal()).toBeUndefined();
  });

  it('makes no call slow', () => {
    const { breaker, time, events } = steered({ slowCallDurationThreshold: 100 });
    for (const reading of readings) {
      time.now = 1000;
      const permit = breaker.acquire();
      time.now = reading;
      permit.success();
    }
    expect(new Set(only(events, 'success').map(({ elapsed }) => elapsed))).toEqual(new Set([0]));
    expect(breaker.metrics().numberOfSlowCalls).toBe(0);
  });
});

describe('a clock that counts nanoseconds since the epoch', () => {
  it('is told of at every reading', () => {
    const { breaker, time, events } = steered();
    for (let reading = 1; reading <= 3; reading++) {
      time.now = 1_700_000_000_000_000_000 + reading * 1000;
      breaker.acquire().success();
    }
    const errors = only(events, 'error');
    expect(errors.length).toBeGreaterThanOrEqual(3);
    for (const { source, error } of errors) {
      expect(source).toBe('clock');
      expect(error).toMatchObject({
        message: expect.stringMatching(/milliseconds.*1700000000000/),
      });
    }
  });
});

/**
 * The states that a breaker is in at these readings, one after the other. It runs in a process of
 * its own, since a loop without an end is stopped by nothing else.
 */
async function statesAt(readings: string, options = ''): Promise<unknown> {
  const index = new URL('../../src/index.ts', import.meta.url).href;
  const program = `
    import { CircuitBreaker } from ${JSON.stringify(index)};
    console.error = () => {};
    let reading = 0;
    const breaker = new CircuitBreaker('test', {
      clock: { now: () => reading, date: () => 0, setTimer: () => () => {} }, ${options}
    });
    const states = ${readings}.map((next) => {
      reading = next;
      if (breaker.state === 'closed') breaker.transitionToOpenState();
      return breaker.state;
    });
    console.log(JSON.stringify(states));
  `;
  const flags = ['--no-warnings', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 20_000 });
  return JSON.parse(stdout);
}

describe('a breaker that moves by itself', { timeout: 60_000 }, () => {
  const moving = `
    automaticTransitionFromOpenToHalfOpenEnabled: true,
    waitDurationInOpenState: 1,
    maxWaitDurationInHalfOpenState: 1,
  `;

  it.each([
    ['1e16', '[1e16]', ['open']],
    ['1e20 once', '[5, 1e20, 5]', ['open', 'open', 'open']],
    [
      'the greatest number again and again',
      '[Number.MAX_VALUE, 0, Number.MAX_VALUE]',
      ['open', 'open', 'open'],
    ],
    ['nanoseconds', '[1.7e18, 1.7e18 + 1e9]', ['open', 'open']],
  ])('comes to an end with a clock that answers %s', async (_, readings, states) => {
    expect(await statesAt(readings, moving)).toEqual(states);
  });

  it('comes to an end with a clock near 2 ** 53 that has stepped back', async () => {
    const end = Number.MAX_SAFE_INTEGER;
    const states = await statesAt(`[${end - 1000}, 0, 500, 2000, 9000, 1e6]`, moving);
    expect(states).toHaveLength(6);
  });

  it('comes to an end with a clock whose greatest number comes again and again', async () => {
    const states = await statesAt('[Number.MAX_VALUE, 0, Number.MAX_VALUE, 0, 1]');
    expect(states).toEqual(Array(5).fill('open'));
  });
});
