import { describe, expect, it } from 'vitest';
import { httpGuard } from './guards.ts';
import { faults } from './scenarios.ts';
import { simulate } from './simulate.ts';
import { faultTimeline } from './traffic.ts';

/** The last wait of 30 s with its jitter; then the next call, a good answer or two, at 10 a second. */
const LONGEST_WAIT = 36_000;
const TRIALS = 1500;

/** Spans from the end of a fault of two minutes and more, in each phase of the waits. */
function recoveries(server: string): { closed: number; answered: number } {
  const scenario = faults.find(({ name }) => name === server)!;
  const runs = Array.from({ length: 40 }, (_, index) => {
    const seed = 100 + index;
    const timeline = faultTimeline({ fault: 120_000 }, seed);
    const guard = httpGuard(scenario.options);
    return simulate({ scenario, callsPerSecond: 10, timeline, seed, guard });
  });
  return {
    closed: Math.max(...runs.map((run) => run.closedAfter ?? Infinity)),
    answered: Math.max(...runs.map((run) => run.answeredAfter ?? Infinity)),
  };
}

describe('the worst recovery at 10 calls a second', () => {
  it.each([
    ['outage: 503', 0],
    ['outage: connections refused', 0],
    ['1 bad endpoint of 20, 97 % of calls: 503', 0],
    ['all of 50 endpoints bad: 503', 0],
    ['429 for all', 0],
    // A trial call that was sent just before the end hangs as long as it hangs.
    ['hang, client timeout of 10 s', 10_000],
    ['hang, no client timeout', 30_000],
    ['slowness: 35–45 s', 30_000],
  ])('from “%s” is the longest wait and %i ms for a trial call that hangs', (server, hang) => {
    const { closed, answered } = recoveries(server);
    expect(answered).toBeLessThanOrEqual(closed);
    expect(closed).toBeLessThanOrEqual(LONGEST_WAIT + hang + TRIALS);
    expect(closed).toBeGreaterThan(0.8 * (LONGEST_WAIT + hang));
  });

  it.each(['429 for all, Retry-After 60 s', '429 for all, `honestRetryAfter`'])(
    'from “%s” is as long as the server asked for',
    (server) => {
      const { closed } = recoveries(server);
      expect(closed).toBeLessThanOrEqual(60_000 + TRIALS);
      expect(closed).toBeGreaterThan(LONGEST_WAIT);
    },
  );
});
