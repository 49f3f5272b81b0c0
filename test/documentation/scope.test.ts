import {
  hostDefaults,
  HttpCircuitBreaker,
  httpDefaults,
  lintConfiguration,
  ManualClock,
  type OutcomeRow,
} from '@recloser/core';
import { describe, expect, test } from 'vitest';
import { resolveHttpOptions } from '../../packages/core/src/http/resolve-http-options.ts';
import { docText, tableOf } from './watching-table.ts';

const page = docText('scope');
const host = 'https://api.example.com';
const endpoint = `GET ${host}/prices`;

/** What the endpoint and the host hear of one call. */
function heard(
  end: (breaker: HttpCircuitBreaker, clock: ManualClock) => void,
  rules: OutcomeRow[] = [],
) {
  const clock = new ManualClock();
  const breaker = new HttpCircuitBreaker({ rules, clock });
  const told: Record<string, string[]> = { [endpoint]: [], [host]: [] };
  for (const type of ['success', 'failure', 'ignored', 'held', 'stalledCall', 'amended'] as const) {
    breaker.on(type, (event) => {
      told[event.breaker]!.push('trip' in event ? 'trip' : type);
    });
  }
  end(breaker, clock);
  breaker.snapshot();
  return { endpoint: told[endpoint]!.join(), host: told[host]!.join() };
}

const call = (breaker: HttpCircuitBreaker) =>
  breaker.admit({ method: 'GET', url: `${host}/prices` });
const answered = (status: number) => (breaker: HttpCircuitBreaker) =>
  void call(breaker).responded(status);
const row = (
  outcome: OutcomeRow['outcome'],
  domain: OutcomeRow['domain'] = 'endpoint',
): OutcomeRow[] => [{ status: 503, outcome, domain, ...(outcome === 'hold' && { holdFor: 1000 }) }];

describe('what each level is told, on the page on scope', () => {
  /** In the order of the table. */
  const endings: readonly (readonly [start: string, ...ReturnType<typeof heard>[]])[] = [
    ['a success', heard(answered(200))],
    ['a failure or trip of the endpoint', heard(answered(503)), heard(answered(503), row('trip'))],
    [
      'a call that hangs, or never ends',
      heard((breaker, clock) => {
        call(breaker);
        clock.advance(httpDefaults.slowCallDurationThreshold! + 1);
      }),
    ],
    [
      'a failure or trip of the host',
      heard(answered(503), row('failure', 'host')),
      heard(answered(503), row('trip', 'host')),
    ],
    ['a hold of the endpoint', heard(answered(503), row('hold'))],
    ['a hold of the host', heard(answered(503), row('hold', 'host'))],
    ['what counts nowhere', heard(answered(503), row('ignore'))],
    [
      'a body that breaks off',
      heard((breaker) => {
        const admission = call(breaker);
        admission.responded(200);
        admission.bodyFailed(Object.assign(new Error('terminated'), { code: 'UND_ERR_SOCKET' }));
      }),
    ],
  ];

  test('has a row for each', () => {
    expect(tableOf('scope', 'ending ').map(([ending]) => ending)).toEqual(
      endings.map(([start]) => expect.stringMatching(new RegExp(`^${start}`))),
    );
  });

  test('is so', () => {
    expect(endings.map(([, ...told]) => told)).toEqual([
      [{ endpoint: 'success', host: 'success' }],
      [
        { endpoint: 'failure', host: 'failure' },
        // The trip has opened the endpoint's own breaker.
        { endpoint: 'trip', host: '' },
      ],
      [{ endpoint: 'stalledCall', host: 'stalledCall' }],
      [
        { endpoint: '', host: 'failure' },
        { endpoint: '', host: 'trip' },
      ],
      [{ endpoint: 'held', host: 'success' }],
      [{ endpoint: '', host: 'held' }],
      [{ endpoint: 'ignored', host: '' }],
      [{ endpoint: 'success,amended', host: 'success' }],
    ]);
  });

  test('tells a host nine failures of an endpoint that is down', () => {
    const breaker = new HttpCircuitBreaker({ clock: new ManualClock() });
    while (breaker.find(endpoint)?.state !== 'open') answered(503)(breaker);

    expect(breaker.find(host)?.metrics().numberOfFailedCalls).toBe(9);
    expect(page).toContain('adds only its first failures to its host, nine by the defaults');
  });
});

describe('the page on scope', () => {
  test('names every option for which hosts have defaults of their own', () => {
    const { failureRateThreshold, slowCallRateThreshold, consecutiveFailureThreshold } =
      hostDefaults;

    expect(page).toContain(
      `${failureRateThreshold} % failures, ${slowCallRateThreshold} % slow calls and ` +
        `${consecutiveFailureThreshold} failures in a row instead of ` +
        `${httpDefaults.failureRateThreshold} %, ${httpDefaults.slowCallRateThreshold} % and ` +
        `${httpDefaults.consecutiveFailureThreshold}`,
    );
  });

  test('says how many breakers are kept, and for how long', () => {
    const given = { partition: () => undefined };
    const { maxBreakers, maxEndpointsPerHost, maxPartitions, idleTimeout } =
      resolveHttpOptions(given);

    expect(page).toContain(`\`maxBreakers\` (${maxBreakers.toLocaleString('en')})`);
    expect(page).toContain(`\`maxEndpointsPerHost\` endpoints (${maxEndpointsPerHost})`);
    expect(page).toContain(`\`maxPartitions\` (${maxPartitions})`);
    expect(page).toContain(`\`idleTimeout\` (${idleTimeout / 60_000} minutes)`);
  });

  test('says how many trial calls a fleet sends', () => {
    const [warning] = lintConfiguration({}, { instances: 40 });

    expect(warning?.message).toContain('40 instances × 3 trial calls are 120 calls');
    expect(page).toContain('40 with 3 permitted send up to 120');
  });
});
