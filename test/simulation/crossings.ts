import { countGuard, httpGuard, type MakeGuard } from './guards.ts';
import type { Run } from './observer.ts';
import { scenario } from './scenario.ts';
import { failingAt, type Behaviour } from './server.ts';
import { simulate } from './simulate.ts';
import { steadyTimeline } from './traffic.ts';

/** A count of failures held against a server that is well but for a few errors. */
export interface Crossing {
  readonly failures: number;
  readonly errors: number;
  /** Of the traffic at which as many failures as open it are to be expected in each window. */
  readonly ofCritical: number;
  readonly callsPerSecond: number;
  /** That a window of 10 s holds so many failures: computed, and the share of windows that did. */
  readonly probability: number;
  readonly openedWindows: number;
  /** The same server for 20 minutes, through the count breaker and through the HTTP breaker. */
  readonly counting: Run;
  readonly http: Run;
}

const WINDOW = 10;
const WINDOWS = 400;
export const MINUTES = 20;

export function simulateCrossings(): Crossing[] {
  return [0.01, 0.05].flatMap((errors) =>
    [3, 5].flatMap((failures) =>
      [0.25, 0.5, 1, 2].map((ofCritical) => crossing(failures, errors, ofCritical)),
    ),
  );
}

function crossing(failures: number, errors: number, ofCritical: number): Crossing {
  const expected = failures * ofCritical;
  const callsPerSecond = expected / (errors * WINDOW);
  const run = <Call>(
    guard: MakeGuard<Call>,
    server: Behaviour,
    seconds: number,
    seed: number,
  ): Run => {
    const timeline = steadyTimeline(seconds * 1000);
    const steady = scenario('noise', server);
    return simulate({ scenario: steady, callsPerSecond, timeline, seed, guard });
  };
  const count = countGuard(failures);
  const windows = Array.from({ length: WINDOWS }, (_, seed) =>
    run(count, atOnce(failingAt(errors)), WINDOW, seed),
  );
  return {
    failures,
    errors,
    ofCritical,
    callsPerSecond,
    probability: atLeast(failures, expected),
    openedWindows: windows.filter(({ openings }) => openings > 0).length / WINDOWS,
    counting: run(count, failingAt(errors), MINUTES * 60, 1),
    http: run(httpGuard(), failingAt(errors), MINUTES * 60, 1),
  };
}

/** So that a window holds all the calls that arrive in it. */
function atOnce(behaviour: Behaviour): Behaviour {
  return (random) => ({ ...behaviour(random), after: 0 });
}

/** Of a Poisson distribution. */
function atLeast(events: number, expected: number): number {
  let term = Math.exp(-expected);
  let less = 0;
  for (let number = 0; number < events; number++) {
    less += term;
    term *= expected / (number + 1);
  }
  return 1 - less;
}
