import fc from 'fast-check';
import { errorKinds } from '../../src/http/error-kind.ts';
import { circuitBreakerStates } from '../../src/breaker/state.ts';

const count = (most = Number.MAX_SAFE_INTEGER) => fc.constantFrom(1, 2, 20, 100, most);
const percent = fc.constantFrom(0.1, 50, 99.9, 100);
const span = fc.constantFrom(0.5, 1, 2000, 1e9);
const flag = fc.boolean();
const oneOrMore = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof(one, fc.array(one, { minLength: 1, maxLength: 2 }));
const rarely = <T>(usual: fc.Arbitrary<T>, ...rest: T[]) =>
  fc.oneof({ weight: 30, arbitrary: usual }, fc.constantFrom(...rest));
/** Text of characters that mean something, beside texts that are right. */
const near = (alphabet: string, ...right: string[]) =>
  fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...right) },
    fc.string({ unit: fc.constantFrom(...alphabet.split('')), maxLength: 8 }),
  );

const host = near(
  '*.:[]ab1-%/ @\\?#',
  'api.example.com',
  '*.example.com',
  '*',
  '*:8443',
  'a.org:65535',
  'a.org:0080',
  'bücher.example',
  '[::1]',
  '[::1]:80',
  'A.ORG',
);
const path = near(
  '/:*aB_1{}?#%.\\ é',
  '/',
  '/users/:id',
  '/files/*',
  '/*/x',
  '/a:b',
  '//',
  '/%7Eme',
);
const method = near("GETz-_!' /é", 'GET', 'post', 'M-SEARCH', "x'y");
const status = fc.oneof(
  fc.constantFrom<unknown>(100, 503, 999, 'any', '5xx', '1XX', '9xX', '500-504', '500-500'),
  near('0159xX-a', '404-404', '504-599'),
);
const errorWord = fc.oneof(
  fc.constantFrom<string>('any', 'ECONNRESET', 'h2', ...errorKinds),
  near('aZ1-', 'dns'),
);

const breakerFields = {
  failureRateThreshold: percent,
  slowCallRateThreshold: percent,
  slowCallDurationThreshold: span,
  slidingWindowType: fc.constantFrom('count-based', 'time-based'),
  slidingWindowSize: rarely(fc.constantFrom(2, 30, 3600), 3601, 10_000_000),
  minimumNumberOfCalls: rarely(fc.constantFrom(2, 20, 100), 1, Number.MAX_SAFE_INTEGER),
  failureCountThreshold: rarely(fc.constant(1), 5, 30),
  consecutiveFailureThreshold: count(),
  waitDurationInOpenState: fc.oneof(
    fc.constantFrom(1, 1.5, 60_000),
    fc.record(
      {
        initial: fc.constantFrom(1, 5000),
        multiplier: fc.constantFrom(0.5, 1, 2),
        max: fc.constantFrom(1, 30_000),
        randomizationFactor: fc.constantFrom(0, 0.2, 1),
      },
      { requiredKeys: ['initial'] },
    ),
  ),
  automaticTransitionFromOpenToHalfOpenEnabled: flag,
  permittedNumberOfCallsInHalfOpenState: count(10_000_000),
  maxConcurrentCallsInHalfOpenState: count(),
  maxWaitDurationInHalfOpenState: rarely(fc.constantFrom(1, 30_000), 0),
  transitionToStateAfterWaitDuration: fc.constantFrom('open', 'closed', 'evaluate'),
  maxConcurrentCalls: count(),
  detectStalledCalls: flag,
  permitLease: span,
  initialState: fc.constantFrom(...circuitBreakerStates),
  writableStackTraceEnabled: flag,
};
const breaker = fc.record(breakerFields, { requiredKeys: [] });
const configs = fc.record({
  patient: breaker,
  strict: fc.record(
    { ...breakerFields, base: rarely(fc.constant('patient'), 'strict', 'unknown') },
    { requiredKeys: [] },
  ),
});

const row = fc
  .record(
    {
      name: fc.constantFrom('a row', 'another'),
      status: oneOrMore(status),
      error: oneOrMore(errorWord),
      method: oneOrMore(method),
      host: oneOrMore(host),
      path: oneOrMore(path),
      responseHeader: fc.dictionary(
        fc.constantFrom('x-a', 'X_b', 'x!'),
        fc.oneof(fc.constant(true), oneOrMore(fc.constantFrom('', 'a', ' b'))),
        { minKeys: 1, maxKeys: 2 },
      ),
      retryAfter: fc.constant(true),
      slowerThan: fc.constantFrom(0, 0.5, 800),
      outcome: fc.constantFrom('success', 'failure', 'ignore', 'trip', 'hold'),
      domain: fc.constantFrom('endpoint', 'host'),
      holdFor: span,
    },
    { requiredKeys: ['outcome'] },
  )
  .map((fields) => {
    const { holdFor, ...others } = fields;
    if (fields.outcome !== 'hold') return others;
    return fields.retryAfter === true ? fields : { ...others, holdFor: holdFor ?? 100 };
  });
const rows = fc.array(row, { maxLength: 3 });

const override = fc
  .record(
    {
      name: fc.constantFrom('pricing', 'x'),
      host,
      method,
      path,
      level: fc.constantFrom('host', 'endpoint', 'both'),
      base: rarely(fc.constantFrom('patient', 'strict'), 'unknown'),
      breaker: fc.oneof(fc.constant(false), breaker),
    },
    { requiredKeys: ['breaker'] },
  )
  .map((fields) => {
    const { method: _, path: __, ...others } = fields;
    return fields.level === 'host' || fields.level === 'both' ? others : fields;
  });

/** Configurations that are right, but for an unlucky combination or a text here and there. */
const configuration = fc.record(
  {
    breaker,
    hostBreaker: breaker,
    rules: fc.oneof(rows, fc.record({ rows, standard: flag }, { requiredKeys: ['rows'] })),
    endpoints: fc.array(path, { maxLength: 3 }),
    level: fc.constantFrom('host', 'endpoint', 'both'),
    maxBreakers: count(),
    maxEndpointsPerHost: count(),
    maxPartitions: count(),
    idleTimeout: span,
    configs,
    overrides: fc.array(override, { maxLength: 2 }),
    honorRetryAfter: flag,
    maxRetryAfter: span,
  },
  { requiredKeys: ['configs'] },
);

// Values that are right in one place and wrong in most.
// prettier-ignore
const oddValue = fc.constantFrom<unknown>(
  null, true, false, -1, 0, 0.5, 1, 1.5, 99, 100, 101, 600, 1000, 3601, 10_000_001, 2 ** 53, 1e300,
  '', 'x', 'X1', 'any', '5xx', 'host', 'hold', 'open', '/a', '*', 'GET', 'dns', 'time-based', '5',
  [], {}, [null], [[]], ['GET'], ['/a'], [500], { initial: 5 }, { initial: 0.5 }, { rows: [] },
  { outcome: 'hold' }, { outcome: 'trip', holdFor: 5 }, [{ outcome: 'trip' }], { breaker: {} },
);
const oddName = fc.constantFrom(
  'x',
  'timeout',
  'clock',
  'when',
  'base',
  'key',
  'recordErrors',
  'name',
  'holdFor',
  'path',
);

interface Change {
  readonly at: number;
  readonly how: 'replace' | 'remove' | 'add';
  readonly name: string;
  readonly value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'add'),
  name: oddName,
  value: oddValue,
});

/** Configurations, as they come from JSON, half of them with one thing changed. */
export const anyConfiguration: fc.Arbitrary<unknown> = fc
  .record({ given: configuration, change: fc.option(change) })
  .map(({ given, change: what }) => {
    const copy: unknown = JSON.parse(JSON.stringify(given));
    return what === null ? copy : changed(copy, what);
  });

function changed(whole: unknown, { at, how, name, value }: Change): unknown {
  const places: { readonly owner: Record<string, unknown>; readonly key: string }[] = [];
  const objects: Record<string, unknown>[] = [];
  const visit = (owner: unknown): void => {
    if (typeof owner !== 'object' || owner === null) return;
    const record = owner as Record<string, unknown>;
    if (!Array.isArray(owner)) objects.push(record);
    for (const key of Object.keys(record)) {
      places.push({ owner: record, key });
      visit(record[key]);
    }
  };
  visit(whole);
  const copy: unknown = structuredClone(value);
  const place = places[at % places.length];
  if (how === 'add') objects[at % objects.length]![name] = copy;
  else if (place === undefined) return copy;
  else if (how === 'replace') place.owner[place.key] = copy;
  else if (Array.isArray(place.owner)) place.owner.splice(Number(place.key), 1);
  else delete place.owner[place.key];
  return whole;
}
