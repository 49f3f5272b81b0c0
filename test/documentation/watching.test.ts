import {
  CircuitBreaker,
  HttpCircuitBreaker,
  ManualClock,
  type HttpCircuitBreakerEvents,
} from '@recloser/core';
import ts from 'typescript-6';
import { describe, expect, test } from 'vitest';
import { httpEventTypes } from '../../packages/core/src/http/http-events.ts';
import { join } from 'node:path';
import { root } from './pages.ts';
import { codesIn, firstCodes, tableOf } from './page-tables.ts';

/** What every event has, or that the page says apart. */
const common = ['type', 'breaker', 'key', 'at', 'state'];

/** The fields of each event, as the compiler sees them. */
function eventFields(): Map<string, string[]> {
  const file = join(root, 'packages/core/src/http/http-events.ts');
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: [],
  });
  const checker = program.getTypeChecker();
  const [source] = program.getSourceFiles().filter(({ fileName }) => fileName === file);
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source!)!);
  const events = exported.find(({ name }) => name === 'HttpCircuitBreakerEvents')!;
  return new Map(
    checker
      .getDeclaredTypeOfSymbol(events)
      .getProperties()
      .map((event) => [
        event.name,
        checker
          .getTypeOfSymbol(event)
          .getProperties()
          .map(({ name }) => name),
      ]),
  );
}

describe('the table of events', () => {
  const rows = tableOf('watching', 'event ');
  const declared = eventFields();
  const fieldsOf = (type: string): readonly string[] => declared.get(type) ?? [];

  test('has every event there is, and no other', () => {
    const names = rows.flatMap(([name]) => codesIn(name)) as (keyof HttpCircuitBreakerEvents)[];

    expect(names.toSorted()).toEqual(httpEventTypes.toSorted());
    expect(names.toSorted()).toEqual([...declared.keys()].toSorted());
  });

  test.each(rows.map(([name, , fields]) => [codesIn(name)[0]!, codesIn(fields)] as const))(
    'of %s has the fields that its type has',
    (name, fields) => {
      const own = fieldsOf(name).filter((field) => !common.includes(field));

      expect(fields.toSorted()).toEqual(own.toSorted());
    },
  );

  test('says which of them have no state', () => {
    const without = rows.flatMap(([name]) => codesIn(name)).slice(-6);

    expect([...declared.keys()].filter((name) => !fieldsOf(name).includes('state'))).toEqual(
      expect.arrayContaining(without),
    );
    expect([...declared.values()].filter((fields) => fields.includes('state'))).toHaveLength(
      declared.size - 6,
    );
  });
});

test('the table of metrics has every field, in their order', () => {
  const metrics = new CircuitBreaker('prices').metrics();

  expect(firstCodes('watching', 'field')).toEqual(Object.keys(metrics));
});

test('a snapshot adds the fields that the page names', () => {
  const breaker = new HttpCircuitBreaker();
  breaker.admit({ method: 'GET', url: 'https://api.example.com/' }).responded(200);
  const { breakers, ...whole } = breaker.snapshot();
  const metrics = Object.keys(breaker.find('https://api.example.com')!.metrics());

  expect(Object.keys(breakers[0]!).filter((name) => !metrics.includes(name))).toEqual([
    'key',
    'name',
    'level',
    'lastFailure',
  ]);
  expect(Object.keys(whole).toSorted()).toEqual(['evictions', 'orders', 'overflows', 'unguarded']);
});

test('the table of orders has every order that an operator can give', () => {
  const control = new HttpCircuitBreaker().control('*');
  const orders = Object.getOwnPropertyNames(Object.getPrototypeOf(control));

  expect(firstCodes('watching', 'order').toSorted()).toEqual(
    orders.filter((name) => name !== 'constructor').toSorted(),
  );
});

test('orders hold for breakers made later where the table says so', () => {
  const isStanding = Object.fromEntries(
    tableOf('watching', 'order').map(([order, , later]) => [
      codesIn(order)[0],
      later?.startsWith('yes'),
    ]),
  );
  const request = { method: 'GET', url: 'https://api.example.com/' };
  for (const [order, stands] of Object.entries(isStanding)) {
    const breaker = new HttpCircuitBreaker();
    const control = breaker.control('*') as unknown as Record<string, (options: object) => void>;
    control[order]!({ reason: 'test', ...(order === 'open' && { for: 1000 }) });
    try {
      breaker.admit(request).released();
    } catch {
      // refused
    }

    expect(breaker.find('https://api.example.com')?.state !== 'closed', order).toBe(stands);
  }
});

test('a host whose few endpoints are all dead is half-open most of the time', () => {
  const clock = new ManualClock();
  const wait = { initial: 5000, multiplier: 2, max: 30_000 };
  const breaker = new HttpCircuitBreaker({ clock, breaker: { waitDurationInOpenState: wait } });
  let halfOpenTicks = 0;
  for (let tick = 0; tick < 6000; tick++) {
    for (const path of ['/orders', '/prices', '/stock']) {
      try {
        breaker.admit({ method: 'GET', url: `https://api.example.com${path}` }).responded(503);
      } catch {
        // refused
      }
    }
    clock.advance(100);
    if (breaker.find('https://api.example.com')?.state === 'half-open') halfOpenTicks++;
  }

  expect(halfOpenTicks).toBeGreaterThan(6000 / 2);
});
