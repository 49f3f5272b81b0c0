import { type CircuitBreaker, ManualClock } from '../../../src/index.ts';
import { modelOptions, type Settings } from './breaker-settings.ts';
import { ModelBreaker } from './model/model-breaker.ts';
import type { ModelCall } from './model/model-call.ts';
import { type Answer, type OneCall, Rig } from './rig.ts';
import type { EndStep, Step } from './steps.ts';

/** A breaker and the model side by side: every step is carried out on both. */
export class ModelRig extends Rig {
  readonly model: ModelBreaker;
  readonly #modelCalls = new Map<OneCall, ModelCall>();
  #modelAnswer: Answer = 'done';

  constructor(settings: Settings) {
    super(settings, new ManualClock({ now: 500, date: 500 }));
    this.model = new ModelBreaker(modelOptions(settings), this.clock.now());
  }

  /** What the model answers to the step that was performed last. */
  get modelAnswer(): Answer {
    return this.#modelAnswer;
  }

  modelCall(call: OneCall): ModelCall {
    return this.#modelCalls.get(call) as ModelCall;
  }

  override perform(step: Step): Answer {
    this.#modelAnswer = 'done';
    const answer = super.perform(step);
    this.model.touch(this.clock.now());
    if (step.do === 'reset') this.model.reset();
    if (step.do === 'move' && !this.model.moveTo(step.to)) this.#modelAnswer = 'illegal';
    if (step.do === 'openFor') this.#openFor(step.ms);
    if (step.do === 'openUntil')
      this.#openFor(Math.floor(this.clock.date()) + step.ms - this.clock.date());
    if (answer === 'no such call') this.#modelAnswer = answer;
    return answer;
  }

  override acquire(): OneCall | undefined {
    const call = super.acquire();
    this.model.touch(this.clock.now());
    const modelCall = this.model.acquire();
    this.#modelAnswer = modelCall ? 'passed' : 'refused';
    if (call && modelCall) this.#modelCalls.set(call, modelCall);
    return call;
  }

  override end(call: OneCall, step: Pick<EndStep, 'how' | 'ms'>): void {
    super.end(call, step);
    this.model.touch(this.clock.now());
    const modelCall = this.modelCall(call);
    switch (step.how) {
      case 'success':
      case 'good result':
      case 'other error':
        return this.model.success(modelCall);
      case 'failure':
        return this.model.failure(modelCall, step.ms === 0 ? {} : { retryAfter: step.ms });
      case 'bad result':
      case 'recorded error':
        return this.model.failure(modelCall);
      case 'trip':
        return this.model.failure(modelCall, { trip: true });
      case 'ignore':
      case 'ignored error':
        return this.model.ignore(modelCall);
      case 'hold':
        return this.model.hold(modelCall, step.ms + 15);
      case 'release':
        return this.model.release(modelCall);
      case 'amend':
        return this.model.amend(modelCall);
    }
  }

  #openFor(ms: number): void {
    if (!this.model.openFor(ms, 'manual')) this.#modelAnswer = 'illegal';
  }
}

/** What the breaker and the model are compared by. */
export function breakerFigures(breaker: CircuitBreaker): Record<string, number | string> {
  const metrics = breaker.metrics();
  return {
    state: breaker.state,
    failureRate: metrics.failureRate.toFixed(6),
    slowCallRate: metrics.slowCallRate.toFixed(6),
    buffered: metrics.numberOfBufferedCalls,
    failed: metrics.numberOfFailedCalls,
    successful: metrics.numberOfSuccessfulCalls,
    slow: metrics.numberOfSlowCalls,
    slowFailed: metrics.numberOfSlowFailedCalls,
    slowSuccessful: metrics.numberOfSlowSuccessfulCalls,
    notPermitted: metrics.numberOfNotPermittedCalls,
    inFlight: metrics.callsInFlight,
    inARow: metrics.consecutiveFailures,
    late: metrics.lateOutcomes,
    openings: metrics.openingsInARow,
    retryAfter: breaker.refusal()?.retryAfterMs ?? 'none',
  };
}

export function modelFigures(model: ModelBreaker): Record<string, number | string> {
  const numbers = model.counts.numbers(model.now);
  const refusal = model.refusal();
  return {
    state: model.state,
    failureRate: numbers.failureRate.toFixed(6),
    slowCallRate: numbers.slowCallRate.toFixed(6),
    buffered: numbers.buffered,
    failed: numbers.failed,
    successful: numbers.buffered - numbers.failed,
    slow: numbers.slow,
    slowFailed: numbers.slowFailed,
    slowSuccessful: numbers.slow - numbers.slowFailed,
    notPermitted: model.counts.notPermitted,
    inFlight: model.callsInFlight(),
    inARow: model.counts.failuresInARow(),
    late: model.lateOutcomes,
    openings: model.openings,
    retryAfter:
      refusal === 'open' || refusal === 'held'
        ? Math.ceil(model.openUntil - model.now) + 1
        : 'none',
  };
}
