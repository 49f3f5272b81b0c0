import type { OutcomeDetails } from '../breaker/events.ts';
import type { Permit } from '../breaker/permit.ts';
import type { AdmissionContext } from './admission-context.ts';
import { isMarkedDegraded } from './degradation.ts';
import { errorKind, type KindOfError, type SignalLike } from './error-kind.ts';
import type { HeadersLike } from './header-value.ts';
import type { Outcome, Verdict } from './outcome-row.ts';
import type { ResponseLike } from './outcome-policy.ts';
import { rememberAdmission } from './report-failure.ts';
import type { RequestKey } from './request-key.ts';
import { asItIs, type InContext, type SentRequest } from './request-storage.ts';

/**
 * One admitted request: the permits of its endpoint and its host, and one ending. It ends once, by
 * `responded`, `failed` or `released`; after `responded` its body may still fail. None of them
 * throws.
 */
export class Admission {
  readonly #context: AdmissionContext | undefined;
  readonly #key: RequestKey | undefined;
  readonly #endpoint: Permit | undefined;
  #host: Permit | undefined;
  #status: number | undefined = undefined;
  #headers: HeadersLike | undefined = undefined;
  #response: unknown = undefined;
  #sent: SentRequest | undefined = undefined;
  #hasEnded = false;

  /**
   * Where both permits are given the host's follows the endpoint's; without any it is the admission
   * of an unguarded request, and does nothing. With a context alone it is that of a request which
   * another layer has sent: its calls run in their context, for that layer to be found.
   * @internal
   */
  constructor(context?: AdmissionContext, key?: RequestKey, endpoint?: Permit, host?: Permit) {
    this.#context = context;
    this.#key = key;
    this.#endpoint = endpoint;
    this.#host = host;
    if (endpoint !== undefined && host !== undefined) endpoint.observer = this;
  }

  /**
   * Calls what sends the request. Where that meets another adapter that asks the same
   * `HttpCircuitBreaker` about the same request before this admission ends, the request passes
   * there: it is counted once. Where there is no `AsyncLocalStorage`, as in browsers, it has to meet
   * it before `call` returns.
   */
  send<T>(call: () => T): T {
    const context = this.#context;
    if (context === undefined || this.#key === undefined) return call();
    // One for all tries of a client that repeats it, which are over together.
    this.#sent ??= { key: this.#key, isOver: this.#hasEnded };
    return context.storage.run(this.#sent, call);
  }

  /**
   * For clients that call back in the asynchronous context of whoever opened the connection: what
   * runs a call in the context of now. Where no request has to be followed across awaits it only
   * calls.
   */
  inContext(): InContext {
    return this.#context === undefined ? asItIs : this.#context.storage.snapshot();
  }

  /**
   * The status and the headers are known: they settle it, so that no unread body holds anything.
   * @param headers  anything with `get(name)`, or a plain object
   * @param response  the client's own response, for a predicate in the rules and `reportFailure`;
   *   where there is none yet the headers stand for it
   * @returns what it was recorded as; undefined where no breaker guards the request, where it had
   *   ended before, and for a response that is marked as degraded: that is recorded nowhere
   */
  responded(status: number, headers?: HeadersLike, response?: unknown): Outcome | undefined {
    if (this.#endsAgain()) return undefined;
    const permit = this.#endpoint ?? this.#host;
    if (permit === undefined) return undefined;
    // The answer of another layer's fallback, so nothing came from the dependency.
    if (isMarkedDegraded(response ?? headers)) {
      this.#release();
      return undefined;
    }
    // A stand-in of a client may answer anything.
    this.#status = typeof status === 'number' ? status : NaN;
    this.#headers = headers;
    this.#response = response;
    const { policy } = this.#context!;
    const verdict =
      policy.onPlainStatus(this.#status) ?? policy.onResponse(this.#key!, permit, this.#answer()!);
    this.#settle(verdict, undefined, undefined);
    if (verdict.outcome === 'success') rememberAdmission(response ?? headers, this);
    return verdict.outcome;
  }

  /**
   * The call ended without a response.
   * @param signal  the caller's own, which tells whether the caller ended it
   * @returns what it was recorded as; undefined where no breaker guards the request, or where it had
   *   ended before
   */
  failed(error: unknown, signal?: SignalLike | null): Outcome | undefined {
    if (this.#endsAgain()) return undefined;
    const permit = this.#endpoint ?? this.#host;
    if (permit === undefined) return undefined;
    const kind = errorKind(error, signal ?? undefined);
    const verdict = this.#context!.policy.onError(this.#key!, permit, error, kind, undefined);
    this.#settle(verdict, error, kind);
    return verdict.outcome;
  }

  /**
   * After `responded`: the body broke off. Where the rules say failure, the success recorded is
   * amended.
   * @returns what the rules make of it; undefined where no breaker guards the request
   */
  bodyFailed(error: unknown, signal?: SignalLike | null): Outcome | undefined {
    if (!this.#hasEnded) return this.failed(error, signal);
    const permit = this.#endpoint ?? this.#host;
    const answer = this.#answer();
    if (permit === undefined || answer === undefined) return undefined;
    const kind = inBody(errorKind(error, signal ?? undefined));
    const verdict = this.#context!.policy.onError(this.#key!, permit, error, kind, answer);
    if (verdict.outcome === 'failure' || verdict.outcome === 'trip') {
      permit.amend(error, this.#detailsOf(verdict, kind));
    }
    permit.machine.announcer.deliver();
    return verdict.outcome;
  }

  /** The caller found a failure in the body of a success. @internal */
  failureReported(reason: unknown): boolean {
    const details = { kind: 'reported', status: this.#status };
    return (this.#endpoint ?? this.#host)?.amend(reason, details) ?? false;
  }

  /** Nothing was sent after all. */
  released(): void {
    if (!this.#endsAgain()) this.#release();
  }

  /** The endpoint found the call stalled: a slow success there, and so at the host. @internal */
  stalled(): void {
    if (isDown(this.#endpoint!)) this.#host!.release();
    else this.#host!.stall(this.#host!.machine.touch());
  }

  /** The endpoint's lease ran out: a slow failure there, and so at the host. @internal */
  writtenOff(): void {
    if (isDown(this.#endpoint!)) this.#host!.release();
    else this.#host!.writeOff(this.#host!.machine.touch());
  }

  /** Ends it. True where it had ended before. */
  #endsAgain(): boolean {
    const hadEnded = this.#hasEnded;
    this.#hasEnded = true;
    if (this.#sent !== undefined) this.#sent.isOver = true;
    // As with the host's permit: whoever keeps the response would keep it.
    this.#sent = undefined;
    return hadEnded;
  }

  /** The response, or undefined where the call ended without one. */
  #answer(): ResponseLike | undefined {
    if (this.#status === undefined) return undefined;
    return { status: this.#status, headers: this.#headers, response: this.#response };
  }

  #release(): void {
    this.#endpoint?.release();
    this.#host?.release();
  }

  #settle(verdict: Verdict, error: unknown, kind: KindOfError | undefined): void {
    const endpoint = this.#endpoint;
    const host = this.#host;
    const details = this.#detailsOf(verdict, kind);
    if (endpoint === undefined || host === undefined) {
      return this.#end((endpoint ?? host)!, verdict.outcome, verdict, error, details);
    }
    const context = this.#context!;
    context.beginStep();
    try {
      this.#endBoth(endpoint, host, verdict, error, details);
    } finally {
      context.endStep();
    }
    // Whoever keeps the response keeps this admission, and an amendment is the endpoint's alone: without
    // this permit and what was sent it holds 265 bytes instead of 430 (test/bench/parts/heap.ts).
    this.#host = undefined;
  }

  /**
   * The endpoint is told first; then the host, by the domain of the row and by what became of the
   * endpoint.
   */
  #endBoth(
    endpoint: Permit,
    host: Permit,
    verdict: Verdict,
    error: unknown,
    details: OutcomeDetails,
  ): void {
    const { outcome, domain } = verdict;
    if (domain === 'host' && outcome !== 'success' && outcome !== 'ignore') {
      // It was never reached.
      endpoint.release();
      return this.#end(host, outcome, verdict, error, details);
    }
    this.#end(endpoint, outcome, verdict, error, details);
    // The endpoint measures for both.
    host.slow = endpoint.slow;
    const failed = outcome === 'failure' || outcome === 'trip';
    if (outcome === 'ignore' || (failed && isDown(endpoint))) host.release();
    else if (failed) host.failure(error, details);
    else this.#end(host, 'success', verdict, error, details);
  }

  #end(
    permit: Permit,
    outcome: Outcome,
    verdict: Verdict,
    error: unknown,
    details: OutcomeDetails,
  ): void {
    if (outcome === 'success') return permit.success(details);
    const { policy } = this.#context!;
    if (outcome === 'ignore') return permit.ignore(error, details);
    if (outcome === 'hold') return permit.hold(policy.holdFor(verdict), details);
    const retryAfter = policy.retryAfter(this.#headers);
    if (outcome === 'trip') permit.trip(error, { ...details, retryAfter });
    else permit.failure(error, { ...details, retryAfter });
  }

  #detailsOf(verdict: Verdict, kind: KindOfError | undefined): OutcomeDetails {
    const { row: rule, outcome } = verdict;
    const domain = outcome === 'failure' || outcome === 'trip' ? verdict.domain : undefined;
    return { kind: kind?.kind, code: kind?.code, status: this.#status, rule, domain };
  }
}

/** Clients with one timeout for all have one error for it, too. */
function inBody(kind: KindOfError): KindOfError {
  return kind.kind === 'response-timeout' ? { ...kind, kind: 'body-timeout' } : kind;
}

/** A failing endpoint speaks for its host only until its own breaker knows. */
function isDown({ machine }: Permit): boolean {
  return machine.state.name === 'open' || machine.state.name === 'half-open';
}
