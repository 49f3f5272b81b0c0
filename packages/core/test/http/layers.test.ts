import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import type { SentRequest } from '../../src/adapter.ts';
import type { Admission } from '../../src/index.ts';
import { Rig, USERS } from './http-rig.ts';

/** A layer below another: it is asked about the request, and answers 200. */
function pass(rig: Rig, path = '/users'): Admission {
  const admission = rig.admit(path);
  admission.responded(200);
  return admission;
}

function calls(rig: Rig): number {
  return rig.http.find(USERS)?.metrics().numberOfBufferedCalls ?? 0;
}

function following(): Rig {
  const rig = new Rig();
  rig.http.followAsync(new AsyncLocalStorage<SentRequest>());
  return rig;
}

describe.each([
  ['a breaker', () => new Rig()],
  ['a breaker that follows requests across awaits', following],
])('below a layer of the same breaker %s', (_, make) => {
  it('counts a request once that it meets before the call returns', () => {
    const rig = make();
    const outer = rig.admit();

    outer.send(() => pass(rig));
    outer.responded(503);

    expect(calls(rig)).toBe(1);
    expect(rig.endpoint.metrics()).toMatchObject({ numberOfFailedCalls: 1, callsInFlight: 0 });
  });

  it('counts another path, another method and another origin by themselves', () => {
    const rig = make();
    const outer = rig.admit();

    outer.send(() => {
      pass(rig, '/token');
      rig.admit('/users', { method: 'POST' }).responded(200);
      rig.admit('/users', { origin: 'https://login.example.com' }).responded(200);
    });
    outer.responded(200);

    expect(rig.keys.filter((key) => key.includes(' '))).toHaveLength(4);
    expect(calls(rig)).toBe(1);
  });

  it('counts the same request by itself once the call has returned, or thrown', () => {
    const rig = make();
    const outer = rig.admit();
    const fail = (): never => {
      throw new Error('no');
    };
    expect(() => outer.send(fail)).toThrow('no');

    pass(rig);
    outer.responded(200);

    expect(calls(rig)).toBe(2);
  });

  it('lets a request pass that another breaker sends', () => {
    const rig = make();
    const other = new Rig();

    other.admit().send(() => pass(rig));

    expect(calls(rig)).toBe(1);
  });

  it('refuses nothing that was admitted above it', () => {
    const rig = make();
    const outer = rig.admit();
    rig.endpoint.transitionToForcedOpenState();

    expect(outer.send(() => rig.tryAdmit())).not.toBeInstanceOf(Error);
  });
});

describe('a breaker that follows requests across awaits', () => {
  it('counts a request once that it meets after an await, and while others are under way', async () => {
    const rig = following();
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const outers = [rig.admit(), rig.admit(), rig.admit()];

    const passed = outers.map((outer) =>
      outer.send(async () => {
        await gate;
        pass(rig);
      }),
    );
    pass(rig);
    open();
    await Promise.all(passed);
    for (const outer of outers) outer.responded(200);

    expect(calls(rig)).toBe(4);
  });

  it('counts a request by itself that is made of the answer', async () => {
    const rig = following();
    const outer = rig.admit();

    await outer.send(async () => {
      await Promise.resolve();
      outer.responded(200);
      await Promise.resolve();
      pass(rig);
    });

    expect(calls(rig)).toBe(2);
  });

  it('keeps the storage that it was given first', async () => {
    const rig = following();
    const never: SentRequest[] = [];
    rig.http.followAsync({
      run: (request, call) => {
        never.push(request);
        return call();
      },
      getStore: () => undefined,
    });

    const outer = rig.admit();
    await outer.send(async () => {
      await Promise.resolve();
      pass(rig);
    });
    outer.responded(200);

    expect(calls(rig)).toBe(1);
    expect(never).toEqual([]);
  });
});
