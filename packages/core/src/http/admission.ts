import type { FailureDetails, Permit } from '../breaker/permit.ts';
import type { AdmissionContext } from './admission-context.ts';
import { errorKind, type SignalLike } from './error-kind.ts';
import type { HeadersLike } from './header-value.ts';
import type { Outcome, Verdict } from './outcome-row.ts';
import type { ResponseLike } from './outcome-policy.ts';
import { rememberAdmission } from './report-failure.ts';
import type { RequestKey } from './request-key.ts';

/** What is known of an ending. */
interface Ending {
  readonly error?: unknown;
  readonly kind?: string;
  readonly code?: string | undefined;
  readonly response?: ResponseLike | undefined;
}

/**
 * One admitted request: the permits of its endpoint and its host, and one ending. It ends once, by
 * `responded`, `failed` or `released`; after `responded` its body may still fail. None of them
 * throws.
 */
export class Admission {
  readonly #context: AdmissionContext | undefined;
  readonly #key: RequestKey | undefined;
  readonly #endpoint: Permit | undefined;
  readonly #host: Permit | undefined;
  #response: ResponseLike | undefined;
  #hasEnded = false;

  /**
   * Where both permits are given the host's follows the endpoint's; without any it is the admission
   * of an unguarded request, and does nothing.
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
   * Calls what sends the request. Where that meets, before it returns, another adapter that asks
   * the same `HttpCircuitBreaker` about the same request, the request passes there: it is counted
   * once.
   */
  send<T>(call: () => T): T {
    const context = this.#context;
    if (context === undefined) return call();
    const outer = context.sending;
    context.sending = this.#key;
    try {
      return call();
    } finally {
      context.sending = outer;
    }
  }

  /**
   * The status and the headers are known: they settle it, so that no unread body holds anything.
   * @param headers  anything with `get(name)`, or a plain object
   * @param response  the client's own response, for a predicate in the rules
   */
  responded(status: number, headers?: HeadersLike, response?: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const permit = this.#endpoint ?? this.#host;
    if (permit === undefined) return;
    // A stand-in of a client may answer anything.
    const number = typeof status === 'number' ? status : NaN;
    const ending = { response: { status: number, headers, response } };
    this.#response = ending.response;
    const verdict = this.#context!.policy.onResponse(this.#key!, permit, ending.response);
    this.#settle(verdict, ending);
    if (verdict.outcome === 'success') rememberAdmission(response, this);
  }

  /**
   * The call ended without a response.
   * @param signal  the caller's own, which tells whether the caller ended it
   */
  failed(error: unknown, signal?: SignalLike | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const permit = this.#endpoint ?? this.#host;
    if (permit === undefined) return;
    const kind = errorKind(error, signal ?? undefined);
    this.#settle(this.#context!.policy.onError(this.#key!, permit, error, kind), {
      error,
      ...kind,
    });
  }

  /**
   * After `responded`: the body broke off. Where the rules say failure, the success recorded is
   * amended.
   */
  bodyFailed(error: unknown, signal?: SignalLike | null): void {
    if (!this.#hasEnded) return this.failed(error, signal);
    const permit = this.#endpoint ?? this.#host;
    const response = this.#response;
    if (permit === undefined || response === undefined) return;
    const kind = errorKind(error, signal ?? undefined);
    const verdict = this.#context!.policy.onError(this.#key!, permit, error, kind, response);
    if (verdict.outcome === 'failure' || verdict.outcome === 'trip') {
      permit.amend(error, detailsOf(verdict, { ...kind, response }));
    }
    permit.machine.announcer.deliver();
  }

  /** The caller found a failure in the body of a success. @internal */
  failureReported(reason: unknown): boolean {
    const status = this.#response?.status;
    return (this.#endpoint ?? this.#host)?.amend(reason, { kind: 'reported', status }) ?? false;
  }

  /** Nothing was sent after all. */
  released(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#endpoint?.release();
    this.#host?.release();
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

  /**
   * The endpoint is told first; then the host, by the domain of the row and by what became of the
   * endpoint.
   */
  #settle(verdict: Verdict, ending: Ending): void {
    const endpoint = this.#endpoint;
    const host = this.#host;
    if (endpoint === undefined || host === undefined) {
      return this.#end((endpoint ?? host)!, verdict.outcome, verdict, ending);
    }
    const context = this.#context!;
    context.beginStep();
    try {
      this.#endBoth(endpoint, host, verdict, ending);
    } finally {
      context.endStep();
    }
  }

  #endBoth(endpoint: Permit, host: Permit, verdict: Verdict, ending: Ending): void {
    const { outcome, domain } = verdict;
    if (domain === 'host' && outcome !== 'success' && outcome !== 'ignore') {
      // It was never reached.
      endpoint.release();
      return this.#end(host, outcome, verdict, ending);
    }
    this.#end(endpoint, outcome, verdict, ending);
    // The endpoint measures for both.
    host.slow = endpoint.slow;
    const failed = outcome === 'failure' || outcome === 'trip';
    if (outcome === 'ignore' || (failed && isDown(endpoint))) host.release();
    else if (failed) host.failure(ending.error, detailsOf(verdict, ending));
    else this.#end(host, 'success', verdict, ending);
  }

  #end(permit: Permit, outcome: Outcome, verdict: Verdict, ending: Ending): void {
    if (outcome === 'success') {
      const isHeard = permit.machine.announcer.wants('success');
      return permit.success(isHeard ? detailsOf(verdict, ending) : undefined);
    }
    const details = detailsOf(verdict, ending);
    const { policy } = this.#context!;
    if (outcome === 'ignore') return permit.ignore(ending.error, details);
    if (outcome === 'hold') return permit.hold(policy.holdFor(verdict), details);
    const retryAfter = policy.retryAfter(ending.response?.headers);
    if (outcome === 'trip') permit.trip(ending.error, { ...details, retryAfter });
    else permit.failure(ending.error, { ...details, retryAfter });
  }
}

/** A failing endpoint speaks for its host only until its own breaker knows. */
function isDown({ machine }: Permit): boolean {
  return machine.state.name === 'open' || machine.state.name === 'half-open';
}

function detailsOf({ row }: Verdict, { kind, code, response }: Ending): FailureDetails {
  return { kind, code, status: response?.status, rule: row };
}
