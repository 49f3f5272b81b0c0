import {
  CircuitBreaker,
  IllegalStateTransitionError,
  type ManualClock,
  type Permit,
} from '../../../src/index.ts';
import { breakerOptions, Ignored, Recorded, type Settings } from './breaker-settings.ts';
import { eventLines } from './event-lines.ts';
import type { ModelState } from './model/model-options.ts';
import type { EndStep, Step } from './steps.ts';

export interface RigClock {
  now(): number;
  date(): number;
  advance(ms: number): void;
  setTimer?: ManualClock['setTimer'];
}

export interface OneCall {
  readonly permit: Permit;
  readonly admittedAt: number;
  readonly admittedIn: ModelState;
  ended: boolean;
}

/** What a step came to. */
export type Answer = 'passed' | 'refused' | 'illegal' | 'done' | 'no such call';

/** Carries random steps out on a breaker, and keeps the permits that it gave. */
export class Rig {
  readonly clock: RigClock;
  readonly breaker: CircuitBreaker;
  readonly events: string[];
  readonly calls: OneCall[] = [];

  constructor(settings: Settings, clock: RigClock) {
    this.clock = clock;
    this.breaker = new CircuitBreaker('rig', { ...breakerOptions(settings), clock });
    this.events = eventLines(this.breaker);
  }

  perform(step: Step): Answer {
    switch (step.do) {
      case 'acquire':
        return this.acquire() ? 'passed' : 'refused';
      case 'end': {
        const call = this.find(step);
        if (!call) return 'no such call';
        this.end(call, step);
        return 'done';
      }
      case 'advance':
        this.clock.advance(step.ms);
        return 'done';
      case 'read':
        this.breaker.metrics();
        return 'done';
      case 'reset':
        this.breaker.reset();
        return 'done';
      default:
        return this.#moveByHand(step);
    }
  }

  acquire(): OneCall | undefined {
    const permit = this.breaker.tryAcquire();
    if (!permit) return undefined;
    const call = {
      permit,
      admittedAt: this.clock.now(),
      admittedIn: this.breaker.state,
      ended: false,
    };
    this.calls.push(call);
    return call;
  }

  find({ call, among }: EndStep): OneCall | undefined {
    const candidates = among === 'all' ? this.calls : this.calls.filter((each) => !each.ended);
    return candidates[call % candidates.length];
  }

  end(call: OneCall, { how, ms }: Pick<EndStep, 'how' | 'ms'>): void {
    call.ended = true;
    const { permit } = call;
    switch (how) {
      case 'failure':
        return ms === 0 ? permit.failure() : permit.failure(new Error('busy'), { retryAfter: ms });
      case 'good result':
        return permit.result('good');
      case 'bad result':
        return permit.result('bad');
      case 'recorded error':
        return permit.error(new Recorded());
      case 'ignored error':
        return permit.error(new Ignored());
      case 'other error':
        return permit.error(new Error('other'));
      case 'hold':
        return permit.hold(ms + 15);
      default:
        permit[how]();
    }
  }

  #moveByHand(step: Extract<Step, { do: 'move' | 'openFor' | 'openUntil' }>): Answer {
    try {
      if (step.do === 'move') moveByHand(this.breaker, step.to);
      else if (step.do === 'openFor') this.breaker.transitionToOpenStateFor(step.ms);
      else
        this.breaker.transitionToOpenStateUntil(new Date(Math.floor(this.clock.date()) + step.ms));
      return 'done';
    } catch (error) {
      if (error instanceof IllegalStateTransitionError) return 'illegal';
      throw error;
    }
  }
}

export function moveByHand(breaker: CircuitBreaker, to: ModelState): void {
  switch (to) {
    case 'closed':
      return breaker.transitionToClosedState();
    case 'open':
      return breaker.transitionToOpenState();
    case 'half-open':
      return breaker.transitionToHalfOpenState();
    case 'metrics-only':
      return breaker.transitionToMetricsOnlyState();
    case 'disabled':
      return breaker.transitionToDisabledState();
    case 'forced-open':
      return breaker.transitionToForcedOpenState();
  }
}
