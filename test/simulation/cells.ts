import { countGuard, httpGuard, type MakeGuard } from './guards.ts';
import type { Run } from './observer.ts';
import type { Scenario, Timeline } from './scenario.ts';
import { faults, noises, slowByNature } from './scenarios.ts';
import { simulate } from './simulate.ts';
import { faultTimeline, steadyTimeline, traffics, type Traffic } from './traffic.ts';

/** One scenario at one traffic, in as many runs as there are seeds. */
export interface Cell {
  readonly scenario: Scenario;
  readonly traffic: Traffic;
  /** Of what stays as it is: the span of all runs together, in ms. */
  readonly steadyFor: number | undefined;
  /** Through the HTTP breaker, and through the textbook's. */
  readonly http: readonly Run[];
  readonly counting: readonly Run[];
}

/** Of the textbook's breaker, within 10 s. */
export const FAILURES = 5;

export function simulateAll(): Cell[] {
  return [
    ...faults.flatMap((scenario) =>
      traffics.map((traffic) =>
        cell(scenario, traffic, undefined, (seed) => faultTimeline(traffic, seed)),
      ),
    ),
    ...traffics.map((traffic) => steady(slowByNature, traffic, traffic.slowByNature)),
    ...noises.flatMap((scenario) =>
      traffics.map((traffic) => steady(scenario, traffic, traffic.noise)),
    ),
  ];
}

function steady(scenario: Scenario, traffic: Traffic, span: number): Cell {
  return cell(scenario, traffic, span, () => steadyTimeline(span / traffic.seeds.length));
}

function cell(
  scenario: Scenario,
  traffic: Traffic,
  steadyFor: number | undefined,
  timelineOf: (seed: number) => Timeline,
): Cell {
  const { callsPerSecond, seeds } = traffic;
  const runs = <Call>(guard: MakeGuard<Call>): Run[] =>
    seeds.map((seed) =>
      simulate({ scenario, callsPerSecond, timeline: timelineOf(seed), seed, guard }),
    );
  return {
    scenario,
    traffic,
    steadyFor,
    http: runs(httpGuard(scenario.options)),
    counting: runs(countGuard(FAILURES)),
  };
}
