import {
  CallNotPermittedError,
  HttpCircuitBreaker,
  ManualClock,
  type Admission,
  type CircuitBreaker,
  type HttpCircuitBreakerEvents,
  type HttpCircuitBreakerOptions,
} from '../../src/index.ts';

export const HOST = 'https://api.example.com';
export const USERS = `GET ${HOST}/users`;

type Event = HttpCircuitBreakerEvents[keyof HttpCircuitBreakerEvents];

/** An HTTP breaker on a clock that stands still, and short words for what tests do with it. */
export class Rig {
  readonly clock: ManualClock = new ManualClock({ now: 5000, date: Date.UTC(2026, 10, 30, 12) });
  readonly http: HttpCircuitBreaker;

  constructor(options: HttpCircuitBreakerOptions = {}) {
    this.http = new HttpCircuitBreaker({ clock: this.clock, ...options });
  }

  admit(path = '/users', { method = 'GET', origin = HOST } = {}): Admission {
    return this.http.admit({ method, origin, path });
  }

  /** So many calls, one after the other, that are answered at once. */
  respond(status: number, { times = 1, path = '/users', origin = HOST, headers = {} } = {}): void {
    for (let call = 0; call < times; call++)
      this.admit(path, { origin }).responded(status, headers);
  }

  /** So many calls, one after the other, that end in this error at once. */
  fail(error: unknown, { times = 1, path = '/users', origin = HOST } = {}): void {
    for (let call = 0; call < times; call++) this.admit(path, { origin }).failed(error);
  }

  /** The refusal of a call, or undefined for one that is admitted (and then released). */
  refusal(path = '/users', origin: string = HOST): CallNotPermittedError | undefined {
    const answer = this.tryAdmit(path, origin);
    if (answer instanceof CallNotPermittedError) return answer;
    answer.released();
    return undefined;
  }

  tryAdmit(path = '/users', origin: string = HOST): Admission | CallNotPermittedError {
    try {
      return this.admit(path, { origin });
    } catch (error) {
      if (error instanceof CallNotPermittedError) return error;
      throw error;
    }
  }

  /** The breaker of a key that is there. */
  breaker(key: string): CircuitBreaker {
    const breaker = this.http.find(key);
    if (breaker === undefined) throw new Error(`there is no breaker '${key}'`);
    return breaker;
  }

  get host(): CircuitBreaker {
    return this.breaker(HOST);
  }

  get endpoint(): CircuitBreaker {
    return this.breaker(USERS);
  }

  get keys(): string[] {
    return this.http.snapshot().breakers.map(({ key }) => key);
  }

  /** A list that fills with the events of these types, in their order. */
  hear<Type extends keyof HttpCircuitBreakerEvents>(
    ...types: Type[]
  ): HttpCircuitBreakerEvents[Type][] {
    const heard: HttpCircuitBreakerEvents[Type][] = [];
    for (const type of types) this.http.on(type, (event) => heard.push(event));
    return heard;
  }
}

/** The events as words: `success of the host`, `failure of GET https://…/b`. */
export function words(events: readonly Event[]): string[] {
  const names = new Map([
    [HOST, 'the host'],
    [USERS, 'the endpoint'],
  ]);
  return events.map(({ type, breaker }) => `${type} of ${names.get(breaker) ?? breaker}`);
}

/** An error with a code, as clients throw it. */
export function coded(code: string): Error {
  return Object.assign(new Error('it broke'), { code });
}

export function retryAfter(value: string): { 'retry-after': string } {
  return { 'retry-after': value };
}
