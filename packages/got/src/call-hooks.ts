import type { Options } from 'got';
import type { GuardedCall } from './guarded-call.ts';

type Hooks = Options['hooks'];
type Listed = 'beforeRequest' | 'afterResponse' | 'beforeError';
type CalculateDelay = NonNullable<Options['retry']['calculateDelay']>;
type FollowRedirect = Exclude<Options['followRedirect'], boolean>;

interface Addition {
  readonly hooks: CallHooks;
  /** What it calls in its turn. */
  readonly over: unknown;
}

const additions = new WeakMap<object, Addition>();

/** What a guarded call puts into its options, to hear of what got does. */
export class CallHooks {
  readonly #guarded: GuardedCall;
  readonly #call: Options;
  readonly #beforeError: Hooks['beforeError'][number];

  constructor(guarded: GuardedCall, call: Options) {
    this.#guarded = guarded;
    this.#call = call;
    this.#beforeError = this.#added((error) => guarded.failed(error));
  }

  /**
   * Options of an earlier call may be used for another, as those of a page are for the next, with
   * what was put there.
   */
  static removeLeftOver(call: Options): void {
    const isLeftOver = (value: unknown): boolean => {
      const addition = additions.get(value as object);
      return addition !== undefined && addition.hooks.#call !== call;
    };
    const given = <F>(value: F): F => {
      let found: unknown = value;
      while (isLeftOver(found)) found = additions.get(found as object)!.over;
      return found as F;
    };
    const { hooks, retry } = call;
    for (const name of ['beforeRequest', 'afterResponse', 'beforeError'] satisfies Listed[]) {
      const list = hooks[name] as object[];
      if (list.some(isLeftOver)) hooks[name] = list.filter((hook) => !isLeftOver(hook)) as never[];
    }
    if (isLeftOver(retry.calculateDelay)) retry.calculateDelay = given(retry.calculateDelay!);
    if (isLeftOver(call.followRedirect)) call.followRedirect = given(call.followRedirect);
  }

  install(): void {
    const guarded = this.#guarded;
    const { hooks } = this.#call;
    const begins: Hooks['beforeRequest'][number] = () => guarded.begins();
    const sends: Hooks['beforeRequest'][number] = (hop) => this.#guardHop(hop as Options);
    hooks.beforeRequest = [this.#added(begins), ...hooks.beforeRequest, this.#added(sends)];

    const afterResponse: Hooks['afterResponse'][number] = (response) => {
      guarded.handedOver(response);
      return response;
    };
    hooks.afterResponse = [this.#added(afterResponse), ...hooks.afterResponse];
    this.#hearOfErrors(this.#call);

    const { followRedirect } = this.#call;
    if (typeof followRedirect !== 'function') return;
    const follows: FollowRedirect = function (this: unknown, response) {
      const isFollowed = followRedirect.call(this, response);
      if (!isFollowed) guarded.redirectNotFollowed();
      return isFollowed;
    };
    this.#call.followRedirect = this.#added(follows, followRedirect);
  }

  #guardHop(options: Options): void {
    // Not the option `request`: got 16 keeps its agent and timeouts for HTTP/2 from one of those.
    const requestFunction = options.getRequestFunction.bind(options);
    options.getRequestFunction = () => {
      const send = requestFunction();
      if (!this.#guarded.guards(options)) return send;
      // Handlers, hooks and retries may have set other ones by now.
      this.#hearOfErrors(options);
      return this.#guarded.requestFunction(options, send);
    };
  }

  #hearOfErrors({ hooks, retry }: Options): void {
    if (!hooks.beforeError.includes(this.#beforeError)) {
      hooks.beforeError = [this.#beforeError, ...hooks.beforeError];
    }
    const delay = retry.calculateDelay!;
    if (this.#isIn(delay)) return;
    const guarded = this.#guarded;
    // Called before the wait, and by got 14 for every error.
    const calculateDelay: CalculateDelay = function (this: unknown, state) {
      return guarded.mayRetry(state.error) ? delay.call(this, state) : 0;
    };
    retry.calculateDelay = this.#added(calculateDelay, delay);
  }

  #isIn(value: unknown): boolean {
    let addition = additions.get(value as object);
    while (addition !== undefined && addition.hooks !== this) {
      addition = additions.get(addition.over as object);
    }
    return addition !== undefined;
  }

  #added<F extends object>(addition: F, over?: unknown): F {
    additions.set(addition, { hooks: this, over });
    return addition;
  }
}
