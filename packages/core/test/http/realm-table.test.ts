import { describe, expect, it } from 'vitest';
import { RealmTable } from '../../src/http/realm-table.ts';

let tables = 0;
const newTable = (): RealmTable<unknown> => new RealmTable(`test ${++tables}`);

const hostile = new Proxy(
  {},
  {
    get: () => {
      throw new Error('get');
    },
    has: () => {
      throw new Error('has');
    },
    set: () => {
      throw new Error('set');
    },
    defineProperty: () => {
      throw new Error('defineProperty');
    },
  },
);

describe('a table of objects', () => {
  it.each<[what: string, object: object]>([
    ['a plain object', {}],
    ['a Response', new Response('x')],
    ['a frozen object', Object.freeze({})],
    ['an object without a prototype', Object.create(null) as object],
    ['a hostile Proxy', hostile],
  ])('finds %s again, with the latest value, and leaves no trace on it', (_, object) => {
    const table = newTable();
    expect(table.get(object)).toBeUndefined();
    table.set(object, 'first');
    table.set(object, 'second');

    expect(table.get(object)).toBe('second');
    expect(newTable().get(object)).toBeUndefined();
    if (object !== hostile) expect(Reflect.ownKeys(object)).toEqual([]);
  });

  it.each([undefined, null, 7, 'text', Symbol('x'), () => {}])('takes no %o', (value) => {
    const table = newTable();
    table.set(value, 'value');

    expect(table.get(value)).toBeUndefined();
  });

  it('is shared by all copies of the package', async () => {
    const path = '../../src/http/realm-table.ts?copy';
    const copy = (await import(/* @vite-ignore */ path)) as { RealmTable: typeof RealmTable };
    expect(copy.RealmTable).not.toBe(RealmTable);
    const [one, other] = [new RealmTable('shared'), new copy.RealmTable('shared')];
    const object = {};
    one.set(object, 1);

    expect(other.get(object)).toBe(1);
    other.set(object, 2);
    expect(one.get(object)).toBe(2);
  });
});
