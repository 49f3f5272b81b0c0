// From a request to the breakers of its host and its endpoint: both keys are derived and both
// breakers found, with what does that within `admit`. Then `admit` whole, which also asks both of
// them, and makes what ends the request. The texts are made anew for each request, as they are in
// programs, and that is not measured.

import {
  CircuitBreaker,
  HttpCircuitBreaker,
  httpDefaults,
  type Admission,
  type Permit,
  type RequestLike,
} from '@recloser/core';
import { Listeners } from '../../../packages/core/src/breaker/listeners.ts';
import { BreakerFinder } from '../../../packages/core/src/http/breaker-finder.ts';
import { GuardTable } from '../../../packages/core/src/http/guard-table.ts';
import { KeyLimits } from '../../../packages/core/src/http/key-limits.ts';
import { RequestKeys } from '../../../packages/core/src/http/request-key.ts';
import { resolveHttpOptions } from '../../../packages/core/src/http/resolve-http-options.ts';
import { BreakerStore } from '../../../packages/core/src/registry/breaker-store.ts';
import { nsPerCallInBatches } from '../measure.ts';
import type { Part } from '../part.ts';
import { atMost, compared } from '../table.ts';

const BATCH = 1000;
const USERS_SEEN = 64;
const origin = 'https://api.example.com';

let user = 0;
const seen = (): string => `/users/${user++ % USERS_SEEN}`;
const unseen = (): string => `/users/${1_000_000 + user++}`;

const byUrl = (path: () => string) => (): RequestLike => ({ method: 'GET', url: origin + path() });
const split = (path: () => string) => (): RequestLike => ({ method: 'GET', origin, path: path() });

function nsOf(request: () => RequestLike, endsToo: boolean): number {
  const breaker = new HttpCircuitBreaker();
  const requests: RequestLike[] = Array.from({ length: BATCH }, request);
  // New for each response, as a client makes them.
  const headers: Record<string, string>[] = [];
  const admissions: Admission[] = [];
  const end = (): void => {
    for (const admission of admissions) admission.responded(200);
    admissions.length = 0;
  };
  return nsPerCallInBatches(
    BATCH,
    () => {
      for (let index = 0; index < BATCH; index++) {
        requests[index] = request();
        headers[index] = { 'content-type': 'text/plain' };
      }
    },
    () => {
      for (let index = 0; index < BATCH; index++) {
        const admission = breaker.admit(requests[index]!);
        if (endsToo) admission.responded(200, headers[index]);
        else admissions.push(admission);
      }
      return endsToo ? BATCH : admissions.length;
    },
    end,
  );
}

function nsOfFinding(request: () => RequestLike): number {
  const { given, clock, maxBreakers, idleTimeout, ...most } = resolveHttpOptions({});
  const listeners = new Listeners([]);
  const store = new BreakerStore({ maxBreakers, idleTimeout, clock, listeners });
  const limits = new KeyLimits(most.maxEndpointsPerHost, most.maxPartitions);
  const finder = new BreakerFinder(given, new GuardTable(given, clock), store, limits, {
    made() {},
    failed() {},
    endpointLimitReached() {},
    partitionLimitReached() {},
  });
  const keys = new RequestKeys();
  const requests: RequestLike[] = Array.from({ length: BATCH }, request);
  return nsPerCallInBatches(
    BATCH,
    () => {
      for (let index = 0; index < BATCH; index++) requests[index] = request();
    },
    () => {
      let found = 0;
      for (let index = 0; index < BATCH; index++) {
        const each = requests[index]!;
        const { host, endpoint } = finder.find(each, keys.resolve(each)!);
        if (host !== undefined && endpoint !== undefined) found++;
      }
      return found;
    },
    () => {},
  );
}

/** What is left of `admit` where there are no keys. */
function nsOfTwoBreakers(): number {
  const options = { ...httpDefaults, maxWaitDurationInHalfOpenState: 30_000 };
  const host = new CircuitBreaker('host', options);
  const endpoint = new CircuitBreaker('endpoint', options);
  const permits: Permit[] = [];
  return nsPerCallInBatches(
    BATCH,
    () => {},
    () => {
      for (let index = 0; index < BATCH; index++) {
        permits.push(host.tryAcquire()!, endpoint.tryAcquire()!);
      }
      return permits.length / 2;
    },
    () => {
      for (const permit of permits) permit.success();
      permits.length = 0;
    },
  );
}

function nsOfUrlAlone(): number {
  const urls: string[] = [];
  return nsPerCallInBatches(
    BATCH,
    () => {
      for (let index = 0; index < BATCH; index++) urls[index] = origin + seen();
    },
    () => {
      let parsed = 0;
      for (let index = 0; index < BATCH; index++) {
        if (new URL(urls[index]!).origin === origin) parsed++;
      }
      return parsed;
    },
    () => {},
  );
}

const alone = 'new URL(url).origin alone';
const rows = {
  'a URL seen lately': 500,
  'a new URL of a known route': 1600,
  'origin and path apart': 250,
} as const;

export const part: Part<number> = {
  title: 'From a request to both breakers',
  contestants: {
    [alone]: nsOfUrlAlone,
    'a URL seen lately': () => nsOfFinding(byUrl(seen)),
    'a new URL of a known route': () => nsOfFinding(byUrl(unseen)),
    'origin and path apart': () => nsOfFinding(split(seen)),
    'origin and path apart, new path': () => nsOfFinding(split(unseen)),
    'admit: a URL seen lately': () => nsOf(byUrl(seen), false),
    'admit: a new URL of a known route': () => nsOf(byUrl(unseen), false),
    'admit: origin and path apart': () => nsOf(split(seen), false),
    'admit: origin and path apart, new path': () => nsOf(split(unseen), false),
    'admit: two breakers without keys, tryAcquire': nsOfTwoBreakers,
    'admit and ending: a URL seen lately': () => nsOf(byUrl(seen), true),
    'admit and ending: origin and path apart': () => nsOf(split(seen), true),
  },
  report: compared({
    unit: 'ns',
    reference: alone,
    note:
      '`admit` also asks both breakers and makes what ends the request. The texts are new for each ' +
      'request, the headers for each response.',
    targets: (medians) =>
      Object.entries(rows).map(([name, limit]) =>
        atMost(`request to both breakers: ${name}`, limit, medians[name]!, 'ns'),
      ),
  }),
};
