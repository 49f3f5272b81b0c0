import {
  hostDefaults,
  HttpCircuitBreaker,
  httpDefaults,
  lintConfiguration,
  ManualClock,
  type Admission,
  type HttpBreakerOptions,
  type OutcomeRow,
} from '@recloser/core';
import { describe, expect, test } from 'vitest';
import { resolveHttpOptions } from '../../packages/core/src/http/resolve-http-options.ts';
import { docText, tableOf } from './page-tables.ts';

const page = docText('scope');
const host = 'https://api.example.com';
const endpoint = `GET ${host}/prices`;
const request = { method: 'GET', url: `${host}/prices` };

interface Call {
  readonly rules?: OutcomeRow[];
  readonly breaker?: HttpBreakerOptions;
  readonly end: (admission: Admission, clock: ManualClock) => void;
}

interface Ending {
  readonly row: readonly [ending: string, endpoint: string, host: string];
  readonly told: readonly (readonly [call: Call, endpoint: string, host: string])[];
}

function answered(
  status: number,
  outcome?: OutcomeRow['outcome'],
  domain: OutcomeRow['domain'] = 'endpoint',
): Call {
  const end: Call['end'] = (admission) => void admission.responded(status);
  if (outcome === undefined) return { end };
  return {
    rules: [{ status, outcome, domain, ...(outcome === 'hold' && { holdFor: 1000 }) }],
    end,
  };
}

function hanging(ms: number, slowCallDurationThreshold: number = ms): Call {
  return { breaker: { slowCallDurationThreshold }, end: (_, clock) => clock.advance(ms + 1) };
}

const brokenOff: Call = {
  end: (admission) => {
    admission.responded(200);
    admission.bodyFailed(Object.assign(new Error('terminated'), { code: 'UND_ERR_SOCKET' }));
  },
};

/** The events of the endpoint and of the host. */
function heard({ rules = [], breaker: options = {}, end }: Call): Record<string, string> {
  const clock = new ManualClock();
  const breaker = new HttpCircuitBreaker({ rules, breaker: options, clock });
  const told: Record<string, string[]> = { [endpoint]: [], [host]: [] };
  for (const type of ['success', 'failure', 'ignored', 'held', 'stalledCall', 'amended'] as const) {
    breaker.on(type, (event) => told[event.breaker]!.push('trip' in event ? 'trip' : type));
  }
  end(breaker.admit(request), clock);
  breaker.snapshot();
  return Object.fromEntries(Object.entries(told).map(([key, events]) => [key, events.join(', ')]));
}

describe('what each level is told, on the page on scope', () => {
  /** The rows of the table, and beside them what calls with such an ending tell. */
  const endings: readonly Ending[] = [
    {
      row: ['a success', 'success', 'success'],
      told: [[answered(200), 'success', 'success']],
    },
    {
      row: [
        'a failure or trip of the endpoint',
        'failure, trip',
        "a failure, while the endpoint's own breaker is closed after it; else nothing",
      ],
      told: [
        [answered(503), 'failure', 'failure'],
        [answered(503, 'trip'), 'trip', ''],
      ],
    },
    {
      row: [
        'a call that hangs, or never ends',
        'slow success; failure',
        'the same, on the same condition',
      ],
      told: [
        [hanging(httpDefaults.slowCallDurationThreshold!), 'stalledCall', 'stalledCall'],
        [hanging(httpDefaults.permitLease!, 1e6), 'failure', 'failure'],
      ],
    },
    {
      row: ['a failure or trip of the host', 'nothing: not reached', 'failure, trip'],
      told: [
        [answered(503, 'failure', 'host'), '', 'failure'],
        [answered(503, 'trip', 'host'), '', 'trip'],
      ],
    },
    {
      row: ['a hold of the endpoint', 'hold', 'success: it answered'],
      told: [[answered(503, 'hold'), 'held', 'success']],
    },
    {
      row: ['a hold of the host', 'nothing', 'hold'],
      told: [[answered(503, 'hold', 'host'), '', 'held']],
    },
    {
      row: ['what counts nowhere', 'an `ignored` event', 'nothing'],
      told: [[answered(503, 'ignore'), 'ignored', '']],
    },
    {
      row: [
        'a body that breaks off; `reportFailure`',
        'failure',
        'nothing: it has counted the answer as a success',
      ],
      told: [[brokenOff, 'success, amended', 'success']],
    },
  ];

  test('is the table', () => {
    expect(tableOf('scope', 'ending ')).toEqual(endings.map(({ row }) => row));
  });

  test.each(
    endings.flatMap(({ row: [ending], told }) => told.map((each) => [ending, each] as const)),
  )('is so of %s', (_, [call, endpointHears, hostHears]) => {
    expect(heard(call)).toEqual({ [endpoint]: endpointHears, [host]: hostHears });
  });

  test('tells a host nine failures of an endpoint that is down', () => {
    const breaker = new HttpCircuitBreaker({ clock: new ManualClock() });
    while (breaker.find(endpoint)?.state !== 'open') breaker.admit(request).responded(503);

    expect(breaker.find(host)?.metrics().numberOfFailedCalls).toBe(9);
    expect(page).toContain('adds only its first failures to its host, nine by the defaults');
  });
});

describe('the page on scope', () => {
  test('names every option for which hosts have defaults of their own', () => {
    const { failureRateThreshold, slowCallRateThreshold, consecutiveFailureThreshold, ...limit } =
      hostDefaults;

    expect(Object.keys(limit)).toEqual([
      'maxWaitDurationInHalfOpenState',
      'transitionToStateAfterWaitDuration',
    ]);
    expect(page).toContain("nor the limit of a host's half-open");

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
