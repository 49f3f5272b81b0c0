import {
  HttpCircuitBreaker,
  type CircuitBreakerOptions,
  type HttpCircuitBreakerEvents,
  type HttpCircuitBreakerOptions,
} from '@recloser/core';
import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { Ability, ContractClient, ContractRequest, Driver, MakeOptions } from './contract.ts';
import { standardOutcomes, type Ending } from './standard-outcomes.ts';

/** A client behind a breaker of its own, and what is recorded there. */
export interface Guarded {
  readonly client: ContractClient;
  readonly breaker: HttpCircuitBreaker;
  /** As `outcomesOf` gives them. */
  readonly outcomes: string[];
}

const DEADLINE = 'failure deadline';

/** Where a call goes. */
interface Target extends AsyncDisposable {
  readonly url: string;
}

interface EndingTest<S extends Target> {
  /** @default the ending's own name */
  readonly name?: string;
  /** What is shown in the name where the client lacks it. */
  readonly needs?: readonly Ability[];
  readonly made?: MakeOptions;
  /** Starts what ends the call; each client gets its own. */
  readonly start: () => Promise<S>;
  /**
   * Makes one call, to its end. Where a client declares that it would hang, `request` brings a
   * deadline.
   * @default reads the response
   */
  readonly end?: (
    client: ContractClient,
    server: S,
    request: Partial<ContractRequest>,
  ) => Promise<unknown>;
}

type Limit = Pick<ContractRequest, 'signal' | 'timeout' | 'connectTimeout'>;

/** What the groups of the contract share: the driver, and every breaker and client it made. */
export class Suite {
  readonly driver: Driver;
  readonly #breakers: HttpCircuitBreaker[] = [];
  readonly #clients: ContractClient[] = [];

  constructor(driver: Driver) {
    this.driver = driver;
    afterAll(async () => {
      for (const client of this.#clients) await client.close?.();
    });
  }

  /** A breaker for each endpoint that lets one call out at a time, unless the options say otherwise. */
  guarded(
    options: CircuitBreakerOptions = {},
    others: HttpCircuitBreakerOptions = {},
    made: MakeOptions = {},
  ): Guarded {
    return this.guardedBy(endpointBreaker(options, others), made);
  }

  guardedBy(breaker: HttpCircuitBreaker, made: MakeOptions = {}): Guarded {
    this.#breakers.push(breaker);
    return { client: this.client(breaker, made), breaker, outcomes: outcomesOf(breaker) };
  }

  client(breaker: HttpCircuitBreaker | undefined, made: MakeOptions = {}): ContractClient {
    const client = this.driver.make(breaker, made);
    this.#clients.push(client);
    return client;
  }

  /** Why the client can't do this, undefined where it can. */
  lack(ability: Ability): string | undefined {
    return this.driver.capabilities.lacks?.[ability];
  }

  /** The client's own timeout; where it lacks that, the caller's deadline. */
  limit(ability: 'timeout' | 'connect timeout' | 'body timeout', ms: number): Limit {
    if (this.lack(ability) !== undefined) return { signal: AbortSignal.timeout(ms) };
    return ability === 'connect timeout' ? { connectTimeout: ms } : { timeout: ms };
  }

  /** What is to be recorded of an ending. */
  outcomesOf(ending: Ending): readonly string[] {
    const { capabilities } = this.driver;
    return capabilities.differs?.[ending]?.outcomes ?? standardOutcomes(capabilities)[ending];
  }

  /** A name, and the reasons why this client's test differs from the standard. */
  title(name: string, needs: readonly Ability[], ending?: Ending): string {
    const { differs = {}, lacks = {} } = this.driver.capabilities;
    const reasons = [
      ...needs.map((ability) => lacks[ability]),
      ending === undefined ? undefined : differs[ending]?.because,
    ].filter((reason) => reason !== undefined);
    return reasons.length === 0 ? name : `${name} (${reasons.join('; ')})`;
  }

  /**
   * @param without  what holds instead for a client that lacks what the test needs; the test itself
   *   where it serves both
   */
  test(
    name: string,
    needs: readonly Ability[],
    run: () => Promise<void>,
    without: () => Promise<void> = run,
  ): void {
    const lacks = needs.some((ability) => this.lack(ability) !== undefined);
    const isDifferent = lacks && without !== run;
    const title = this.title(name, needs);
    test(`${isDifferent ? `not here: ${title}` : title}`, lacks ? without : run);
  }

  /** Tests what is recorded of an ending, and that the caller meets what it meets without a breaker. */
  testEnding<S extends Target>(ending: Ending, how: EndingTest<S>): void {
    const { name = ending, needs = [], start, made = {} } = how;
    const { end = (client, { url }, request) => read(client, { url, ...request }) } = how;
    const outcomes = this.outcomesOf(ending);
    const standard: readonly string[] = standardOutcomes(this.driver.capabilities)[ending];
    const hangs = outcomes.includes(DEADLINE) && !standard.includes(DEADLINE);
    const endOn = async (client: ContractClient): Promise<unknown> => {
      await using server = await start();
      return await end(client, server, hangs ? { signal: AbortSignal.timeout(100) } : {});
    };
    test(`${this.title(`${name}: ${inShort(outcomes)}`, needs, ending)}`, async () => {
      const { client, breaker, outcomes: recorded } = this.guarded({}, {}, made);

      const [bare, met] = await Promise.all([
        shownEnding(endOn(this.client(undefined, made))),
        shownEnding(endOn(client)),
      ]);

      await aTurn();
      expect(recorded).toEqual(outcomes);
      expect(callsInFlight(breaker)).toEqual([0]);
      expect(met).toEqual(bare);
    });
  }

  /** To be declared last. */
  testNothingIsLeft(): void {
    test('after all that, no permit is out', () => {
      expect(this.#breakers.flatMap(callsInFlight).filter((calls) => calls !== 0)).toEqual([]);
    });
  }
}

/** As in `success 302, 20 times; failure 503`. */
function inShort(outcomes: readonly string[]): string {
  const runs: { readonly outcome: string; times: number }[] = [];
  for (const outcome of outcomes) {
    const last = runs.at(-1);
    if (last?.outcome === outcome) last.times++;
    else runs.push({ outcome, times: 1 });
  }
  const all = runs.map(({ outcome, times }) =>
    times > 1 ? `${outcome}, ${times} times` : outcome,
  );
  return all.join('; ') || 'counted nowhere';
}

/** A server that does not exist. */
export async function nobodyAt(url: string | Promise<string>): Promise<Target> {
  return { url: await url, async [Symbol.asyncDispose]() {} };
}

/** The whole text. */
export async function read(client: ContractClient, request: ContractRequest): Promise<string> {
  return (await client.call(request)).text();
}

/** The next event of a type. */
export function nextEvent<Type extends keyof HttpCircuitBreakerEvents>(
  breaker: HttpCircuitBreaker,
  type: Type,
): Promise<HttpCircuitBreakerEvents[Type]> {
  return new Promise((resolve) => {
    const off = breaker.on(type, (event) => {
      off();
      resolve(event);
    });
  });
}

/** What comes late has come then: a second record of the same call. */
export async function aTurn(): Promise<void> {
  await setImmediate();
}

async function shownEnding(call: Promise<unknown>): Promise<unknown> {
  try {
    return { resolved: await call };
  } catch (error) {
    return shown(error);
  }
}

/** What a caller goes by, but for numbers: ports and spans of time. */
export function shown(error: unknown): unknown {
  if (!(error instanceof Error)) return { error };
  const { name, message, code } = error as NodeJS.ErrnoException;
  return { type: error.constructor.name, name, code, message: message.replaceAll(/\d+/g, '#') };
}

/** What a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  const value = await promise.then(
    (resolved) => ({ resolved }),
    (error: unknown) => ({ error }),
  );
  if ('error' in value) return value.error;
  throw new Error(`resolves with ${String(value.resolved)}, though it was to fail`);
}
