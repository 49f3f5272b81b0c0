import type { Random } from '@recloser/test-support/random';

export type Ending =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly error: Error };

/** How a call ends, and how many ms after it was sent: Infinity for one that never does. */
export interface Answer {
  readonly after: number;
  readonly ending: Ending;
}

/** What the server, and the network before it, do with one call. */
export type Behaviour = (random: Random) => Answer;

const ok: Ending = { status: 200 };
const unavailable: Ending = { status: 503 };
const refusal: Ending = {
  error: Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  }),
};
// As AbortSignal.timeout ends a call.
const timedOut: Ending = { error: new DOMException('The operation timed out', 'TimeoutError') };

/** 20 ms and more, 50 ms on the average. */
const quickly = (random: Random): number => 20 + random.exponential(30);

export const quick: Behaviour = (random) => ({ after: quickly(random), ending: ok });

export const failing: Behaviour = (random) => ({ after: quickly(random), ending: unavailable });

export const refusing: Behaviour = () => ({ after: 1, ending: refusal });

export const hanging: Behaviour = () => ({ after: Infinity, ending: ok });

/** Good answers, between so many ms after the call and so many. */
export function taking(least: number, most: number): Behaviour {
  return (random) => ({ after: random.between(least, most), ending: ok });
}

/** This share of the calls fails. */
export function failingAt(share: number): Behaviour {
  return (random) => (random.next() < share ? failing(random) : quick(random));
}

/** 429 for everything, with a Retry-After of so many seconds where one is given. */
export function limiting(retryAfter?: number): Behaviour {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return (random) => ({ after: quickly(random), ending: { status: 429, headers } });
}

/** The client gives up after so many ms. */
export function withTimeout(ms: number, behaviour: Behaviour): Behaviour {
  return (random) => {
    const answer = behaviour(random);
    return answer.after > ms ? { after: ms, ending: timedOut } : answer;
  };
}

export function isGood({ after, ending }: Answer): boolean {
  return after < Infinity && ending === ok;
}
