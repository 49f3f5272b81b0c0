import { honestRetryAfter } from '@recloser/core';
import { fiftyEndpoints, oneBadEndpoint, scenario, type Scenario } from './scenario.ts';
import { failing, failingAt, hanging, limiting, refusing, taking, withTimeout } from './server.ts';

const hangingUntilTimeout = withTimeout(10_000, hanging);

/** What breaks, for a time, and heals. */
export const faults: readonly Scenario[] = [
  scenario('outage: 503', failing),
  scenario('outage: connections refused', refusing),
  scenario('hang, client timeout of 10 s', hangingUntilTimeout),
  scenario('hang, no client timeout', hanging),
  scenario('brown-out: 30 % errors', failingAt(0.3)),
  scenario('slowness: 35–45 s', taking(35_000, 45_000)),
  scenario('1 bad endpoint of 20, 97 % of calls: 503', failing, oneBadEndpoint),
  scenario('1 bad endpoint: hang, client timeout of 10 s', hangingUntilTimeout, oneBadEndpoint),
  scenario('1 bad endpoint: hang, no client timeout', hanging, oneBadEndpoint),
  scenario('all of 50 endpoints bad: 503', failing, fiftyEndpoints),
  scenario('429 for all', limiting()),
  scenario('429 for all, Retry-After 60 s', limiting(60)),
  scenario('429 for all, `honestRetryAfter`', limiting(60), {
    options: { rules: honestRetryAfter },
  }),
];

/** What stays as it is, and must open nothing. */
export const slowByNature: Scenario = scenario('slow by nature: 10–25 s', taking(10_000, 25_000));

export const noises: readonly Scenario[] = [
  scenario('noise: 1 % errors', failingAt(0.01)),
  scenario('noise: 5 % errors', failingAt(0.05)),
];
