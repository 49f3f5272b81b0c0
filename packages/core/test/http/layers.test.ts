import { describe, expect, it, vi } from 'vitest';
import { toHttpCircuitBreaker } from '../../src/adapter.ts';
import { markDegraded, type Admission } from '../../src/index.ts';
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

function guardingTwo(): Rig {
  const rig = new Rig();
  toHttpCircuitBreaker(toHttpCircuitBreaker(rig.http));
  return rig;
}

describe.each([
  ['guards one client', () => new Rig()],
  ['guards several', guardingTwo],
])('below a layer of its own a breaker that %s', (_, make) => {
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
      pass(rig, '/users/7');
      rig.admit('/users', { method: 'POST' }).responded(200);
      rig.admit('/users', { origin: 'https://login.example.com' }).responded(200);
    });
    outer.responded(200);

    expect(rig.keys.filter((key) => key.includes(' '))).toHaveLength(5);
    expect(calls(rig)).toBe(1);
  });

  it('tells ids of one route apart', () => {
    const rig = make();
    const outer = rig.admit('/users/1');

    outer.send(() => pass(rig, '/users/2'));
    outer.responded(200);

    expect(rig.breaker(`${USERS}/:id`).metrics().numberOfBufferedCalls).toBe(2);
  });

  it('counts once however often the request is met, and whatever else is met between', () => {
    const rig = make();
    const outer = rig.admit();

    outer.send(() => {
      pass(rig);
      const other = rig.admit('/token');
      other.send(() => {});
      other.responded(200);
      pass(rig);
    });
    outer.responded(200);

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

describe('a breaker that guards several clients', () => {
  it('counts a request once that it meets after an await, and while others are under way', async () => {
    const rig = guardingTwo();
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
    const rig = guardingTwo();
    const outer = rig.admit();

    await outer.send(async () => {
      await Promise.resolve();
      outer.responded(200);
      await Promise.resolve();
      pass(rig);
    });

    expect(calls(rig)).toBe(2);
  });

  it('counts a request by itself that is made of the answer to one that was sent twice', () => {
    const rig = guardingTwo();
    const outer = rig.admit();

    const inContext = outer.send(() => outer.inContext());
    outer.send(() => pass(rig));
    inContext(() => pass(rig));
    outer.responded(200);
    inContext(() => pass(rig));

    expect(calls(rig)).toBe(2);
  });

  it('knows a request that a connection of another request calls back', async () => {
    const rig = guardingTwo();
    const outer = rig.admit();
    const other = rig.admit();

    const inContext = outer.send(() => outer.inContext());
    other.send(() => inContext(() => pass(rig)));
    outer.responded(200);
    other.send(() => inContext(() => pass(rig)));
    other.responded(200);

    expect(calls(rig)).toBe(3);
  });

  it('does without where the platform has no asynchronous context', async () => {
    vi.stubGlobal('process', undefined);
    const rig = guardingTwo();
    vi.unstubAllGlobals();
    const outer = rig.admit();

    outer.send(() => pass(rig));
    await outer.send(async () => {
      await Promise.resolve();
      pass(rig);
    });
    outer.responded(200);

    expect(calls(rig)).toBe(2);
  });
});

describe('an answer of another layer’s fallback', () => {
  it('is recorded nowhere, and gives the permits back', () => {
    const rig = new Rig({ breaker: { permittedNumberOfCallsInHalfOpenState: 1 } });
    rig.respond(200);
    rig.endpoint.transitionToOpenState();
    rig.endpoint.transitionToHalfOpenState();
    const heard = rig.hear('success', 'ignored', 'stateTransition');

    expect(rig.admit().responded(503, {}, markDegraded({}, 'refused'))).toBeUndefined();
    expect(rig.admit().responded(200, markDegraded({}, 'refused'))).toBeUndefined();

    expect(heard).toEqual([]);
    expect(rig.endpoint.state).toBe('half-open');
    expect(rig.endpoint.metrics().callsInFlight).toBe(0);
  });
});
