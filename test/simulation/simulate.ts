import { ManualClock } from '@recloser/core';
import type { MakeGuard } from './guards.ts';
import { Observer, type Run } from './observer.ts';
import { PendingCalls } from './pending-calls.ts';
import { Random } from '@recloser/test-support/random';
import { isGood, type Answer } from './server.ts';
import type { Scenario, Timeline } from './scenario.ts';

export interface Simulation<Call> {
  readonly scenario: Scenario;
  readonly callsPerSecond: number;
  readonly timeline: Timeline;
  readonly seed: number;
  readonly guard: MakeGuard<Call>;
}

interface Out<Call> {
  readonly call: Call;
  readonly path: string;
  readonly sentAt: number;
  readonly answer: Answer;
}

/**
 * Calls arrive at random, each asks the guard, and those that it admits end as the server decides.
 * What arrives, and how it would be answered, depends on the seed alone, so that all guards meet
 * the same. Ends early once all is well again after a fault.
 */
export function simulate<Call>({
  scenario,
  callsPerSecond,
  timeline,
  seed,
  guard: makeGuard,
}: Simulation<Call>): Run {
  const { breaksAt, healsAt, endsAt } = timeline;
  const clock = new ManualClock();
  const random = new Random(seed);
  const observer = new Observer(timeline);
  const guard = makeGuard({ clock, seed, onMove: (event) => observer.moved(event) });
  const pending = new PendingCalls<Out<Call>>();
  const gap = (): number => whole(random.exponential(1000 / callsPerSecond));

  let arrival = gap();
  for (;;) {
    const now = Math.min(arrival, pending.nextDue);
    if (now > endsAt || observer.isDone) break;
    clock.advance(now - clock.now());
    if (pending.nextDue <= arrival) {
      const { call, path, sentAt, answer } = pending.take();
      guard.end(call, answer.ending);
      if (isGood(answer) && scenario.breaks(path)) observer.answered(sentAt, now);
      continue;
    }
    arrival += gap();
    const path = scenario.path(random);
    const isFaulty = breaksAt <= now && now < healsAt && scenario.breaks(path);
    const answer = (isFaulty ? scenario.faulty : scenario.usual)(random);
    const call = guard.admit(path);
    observer.arrived(now, isFaulty, isGood(answer), call !== undefined);
    if (call === undefined || answer.after === Infinity) continue;
    pending.add(now + whole(answer.after), { call, path, sentAt: now, answer });
  }
  return observer.run();
}

/** In 64ths of a ms, which add up exactly. */
function whole(ms: number): number {
  return Math.round(ms * 64) / 64;
}
