import { describe, expect, it } from 'vitest';
import {
  reportFailure,
  type HttpCircuitBreakerEvents,
  type HttpCircuitBreakerOptions,
} from '../../src/index.ts';
import { httpEventTypes } from '../../src/adapter.ts';
import { coded, Rig } from './http-rig.ts';

type Event = HttpCircuitBreakerEvents[keyof HttpCircuitBreakerEvents];

const options: HttpCircuitBreakerOptions = {
  level: 'endpoint',
  rules: [
    { name: 'teapot', status: 418, outcome: 'ignore' },
    { name: 'calm', status: 420, outcome: 'hold', holdFor: 1000 },
    { name: 'gone', status: 599, outcome: 'trip' },
  ],
  breaker: {
    minimumNumberOfCalls: 1,
    waitDurationInOpenState: 1000,
    permittedNumberOfCallsInHalfOpenState: 1,
    slowCallDurationThreshold: 100,
  },
};

/** The first event of a type that the steps cause. */
function eventOf(
  type: keyof HttpCircuitBreakerEvents,
  steps: (rig: Rig) => void,
  breaker: HttpCircuitBreakerOptions['breaker'] = {},
  more: HttpCircuitBreakerOptions = {},
): Event {
  const rig = new Rig({ ...options, ...more, breaker: { ...options.breaker, ...breaker } });
  const heard = rig.hear(type);
  steps(rig);
  return heard[0]!;
}

const heading = ['type', 'breaker', 'at', 'state'];
const fail = (rig: Rig): void => rig.respond(503);
const slow = (rig: Rig): void => {
  const admission = rig.admit();
  rig.clock.advance(101);
  admission.responded(200);
};
const throwing = (): never => {
  throw new Error('bug');
};

/** By what is in them: each event has those keys, in their order, and none whose value is undefined. */
const cases: [
  what: string,
  type: keyof HttpCircuitBreakerEvents,
  event: () => Event,
  keys: string[],
][] = [
  [
    'a success by its status',
    'success',
    () => eventOf('success', (rig) => rig.respond(200)),
    [...heading, 'elapsed', 'status', 'rule'],
  ],
  [
    'a success that had stalled',
    'success',
    () =>
      eventOf('success', slow, {
        detectStalledCalls: true,
        slowCallRateThreshold: 100,
        minimumNumberOfCalls: 9,
      }),
    [...heading, 'elapsed', 'stalled', 'status', 'rule'],
  ],
  [
    'a failure by its status',
    'failure',
    () => eventOf('failure', fail),
    [...heading, 'elapsed', 'status', 'rule', 'domain'],
  ],
  [
    'a failure by an error',
    'failure',
    () => eventOf('failure', (rig) => rig.fail(coded('ECONNREFUSED'))),
    [...heading, 'elapsed', 'error', 'kind', 'code', 'rule', 'domain'],
  ],
  [
    'a failure that trips',
    'failure',
    () => eventOf('failure', (rig) => rig.respond(599)),
    [...heading, 'elapsed', 'status', 'rule', 'domain', 'trip'],
  ],
  [
    'a failure that was written off',
    'failure',
    () =>
      eventOf(
        'failure',
        (rig) => {
          rig.admit();
          rig.clock.advance(5001);
          rig.endpoint.metrics();
        },
        { permitLease: 5000, detectStalledCalls: false },
      ),
    [...heading, 'elapsed', 'kind', 'writtenOff'],
  ],
  [
    'an ending ignored',
    'ignored',
    () => eventOf('ignored', (rig) => rig.respond(418)),
    [...heading, 'elapsed', 'status', 'rule'],
  ],
  [
    'a hold',
    'held',
    () => eventOf('held', (rig) => rig.respond(420)),
    [...heading, 'elapsed', 'status', 'rule', 'holdFor'],
  ],
  [
    'a success amended',
    'amended',
    () =>
      eventOf('amended', (rig) => {
        const response = {};
        rig.admit().responded(200, {}, response);
        reportFailure(response, 'errors');
      }),
    [...heading, 'elapsed', 'error', 'kind', 'status'],
  ],
  [
    'a late outcome',
    'lateOutcome',
    () =>
      eventOf('lateOutcome', (rig) => {
        const admission = rig.admit();
        rig.endpoint.reset();
        admission.responded(200);
      }),
    [...heading, 'elapsed', 'status', 'rule'],
  ],
  [
    'a stalled call',
    'stalledCall',
    () => eventOf('stalledCall', slow, { detectStalledCalls: true }),
    [...heading, 'elapsed', 'stalled'],
  ],
  [
    'a refusal',
    'notPermitted',
    () =>
      eventOf('notPermitted', (rig) => {
        fail(rig);
        rig.refusal();
      }),
    [...heading, 'reason'],
  ],
  [
    'a move',
    'stateTransition',
    () => eventOf('stateTransition', fail),
    [...heading, 'from', 'to', 'reason', 'wait'],
  ],
  [
    'a failure rate',
    'failureRateExceeded',
    () => eventOf('failureRateExceeded', fail),
    [...heading, 'rate'],
  ],
  [
    'a slow-call rate',
    'slowCallRateExceeded',
    () => eventOf('slowCallRateExceeded', slow, { slowCallRateThreshold: 50 }),
    [...heading, 'rate'],
  ],
  [
    'a reset',
    'reset',
    () =>
      eventOf('reset', (rig) => {
        rig.respond(200);
        rig.endpoint.reset();
      }),
    heading,
  ],
  [
    'an error of a breaker',
    'error',
    () => eventOf('error', fail, { waitDurationInOpenState: throwing }),
    [...heading, 'error', 'source'],
  ],
  [
    'a breaker added',
    'breakerAdded',
    () => eventOf('breakerAdded', fail),
    ['type', 'breaker', 'key', 'at'],
  ],
];

describe('the own keys of the event of', () => {
  it.each(cases)('%s', (_, type, make, keys) => {
    const event = make();
    expect(event.type).toBe(type);
    expect(Object.keys(event)).toStrictEqual(keys);
    expect(Object.values(event)).not.toContain(undefined);
  });

  it('a named breaker, which has its key too', () => {
    const overrides = [{ path: '/users', name: 'users' }];
    const named = eventOf('success', (rig) => rig.respond(200), {}, { overrides });
    expect(Object.keys(named)).toStrictEqual([
      'type',
      'breaker',
      'key',
      'at',
      'state',
      'elapsed',
      'status',
      'rule',
    ]);
    const moved = eventOf('stateTransition', fail, {}, { overrides });
    expect(Object.keys(moved).slice(0, 5)).toStrictEqual(['type', 'breaker', 'key', 'at', 'state']);
  });

  it('a move that ends an outage', () => {
    const rig = new Rig(options);
    const heard = rig.hear('stateTransition');
    fail(rig);
    rig.clock.advance(1001);
    rig.respond(200);
    expect(Object.keys(heard.at(-1)!)).toStrictEqual([
      ...heading,
      'from',
      'to',
      'reason',
      'recoveryMs',
    ]);
  });
});

it('every type of event of a call is here', () => {
  const here = new Set(cases.map(([, type]) => type));
  const others = [
    'breakerEvicted',
    'registryFull',
    'endpointLimitReached',
    'partitionLimitReached',
    'control',
  ];
  expect(httpEventTypes.filter((type) => !here.has(type))).toEqual(others);
});
