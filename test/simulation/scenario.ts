import type { HttpCircuitBreakerOptions } from '@recloser/core';
import type { Random } from '@recloser/test-support/random';
import { quick, type Behaviour } from './server.ts';

/** When the server breaks, when it heals, and when the run ends, in ms from its start. */
export interface Timeline {
  readonly breaksAt: number;
  readonly healsAt: number;
  readonly endsAt: number;
}

export interface Scenario {
  readonly name: string;
  /** How what breaks behaves while it is broken. */
  readonly faulty: Behaviour;
  readonly usual: Behaviour;
  /** The path of the next call. */
  readonly path: (random: Random) => string;
  /** Whether calls to this path meet the fault. */
  readonly breaks: (path: string) => boolean;
  /** Of the HTTP breaker, beyond its defaults. */
  readonly options: HttpCircuitBreakerOptions;
}

export function scenario(name: string, faulty: Behaviour, rest: Partial<Scenario> = {}): Scenario {
  return {
    name,
    faulty,
    usual: quick,
    path: () => '/prices',
    breaks: () => true,
    options: {},
    ...rest,
  };
}

/** 97 % of the calls go to one endpoint, which is the one to break; the rest to 19 others. */
export const oneBadEndpoint = {
  path: (random: Random): string =>
    random.next() < 0.97 ? '/bad' : `/good/${letter(Math.floor(random.next() * 19))}`,
  breaks: (path: string): boolean => path === '/bad',
};

/** 50 endpoints, called alike. */
export const fiftyEndpoints = {
  path: (random: Random): string => {
    const endpoint = Math.floor(random.next() * 50);
    return `/${letter(endpoint % 25)}/${letter(Math.floor(endpoint / 25))}`;
  },
};

// Letters, since digits would be folded into one route.
function letter(index: number): string {
  return String.fromCharCode(97 + index);
}
