import { describe, expect, it } from 'vitest';
import type { Level, OwnKey } from '../../src/index.ts';
import { HOST, Rig } from './http-rig.ts';

function keysOf(key: OwnKey, level: Level = 'both'): string[] {
  const rig = new Rig({ key: () => key, level });
  rig.respond(200);
  return rig.keys;
}

describe('a key function', () => {
  it.each<[key: OwnKey, keys: string[]]>([
    ['payments', ['payments']],
    [{ endpoint: 'payments' }, ['payments']],
    [{ host: 'payments' }, ['payments']],
    [{ host: 'bank', endpoint: 'payments' }, ['bank', 'payments']],
    [{}, []],
    [undefined, []],
  ])('that answers %j is guarded by %j', (key, keys) => {
    expect(keysOf(key)).toEqual(keys);
  });

  it('loses the part that the level excludes', () => {
    const both = { host: 'bank', endpoint: 'payments' };
    expect(keysOf(both, 'host')).toEqual(['bank']);
    expect(keysOf(both, 'endpoint')).toEqual(['payments']);
    expect(keysOf('payments', 'host')).toEqual([]);
    expect(keysOf({ host: 'bank' }, 'endpoint')).toEqual([]);
    expect(keysOf({ host: 'same', endpoint: 'same' }, 'host')).toEqual(['same']);
    expect(keysOf({ host: 'same', endpoint: 'same' }, 'endpoint')).toEqual(['same']);
  });

  it('that leaves nothing leaves the request unguarded, and counted as such', () => {
    for (const key of [undefined, {}]) {
      const rig = new Rig({ key: () => key });
      rig.respond(500, { times: 30 });
      expect(rig.http.snapshot()).toMatchObject({ breakers: [], unguarded: 30 });
    }
  });

  it('gives a text, or an endpoint, the defaults of endpoints, and a host those of hosts', () => {
    const settings = (key: OwnKey, name = 'it') => {
      const rig = new Rig({ key: () => key });
      rig.respond(200);
      return rig.breaker(name).machine.options.consecutiveFailureThreshold;
    };
    expect(settings('it')).toBe(10);
    expect(settings({ endpoint: 'it' })).toBe(10);
    expect(settings({ host: 'it' })).toBe(20);
  });

  it('makes one breaker of many requests, which guards them all', () => {
    const rig = new Rig({ key: () => 'payments' });
    for (let call = 0; call < 10; call++) rig.respond(500, { path: `/route-${call}` });
    expect(rig.refusal('/other', 'https://other.example.com')?.breaker).toBe('payments');
  });

  it('makes one breaker that guards alone, and takes an error of the host as its own', () => {
    const rig = new Rig({ key: () => 'payments' });
    rig.fail(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }), { times: 10 });
    expect(rig.breaker('payments').state).toBe('open');
  });

  it('is given the request as the adapter told it', () => {
    const seen: unknown[] = [];
    const rig = new Rig({ key: (request) => void seen.push(request) as undefined });
    const request = { method: 'GET', url: `${HOST}/users?x=1` };
    rig.http.admit(request);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toBe(request);
  });

  it('is split by a partition as derived keys are', () => {
    const rig = new Rig({ key: () => ({ host: 'h', endpoint: 'e' }), partition: () => 'acme' });
    rig.respond(200);
    expect(rig.keys).toEqual(['h [acme]', 'e [acme]']);
  });

  it('makes keys of a bounded length', () => {
    expect(keysOf('x'.repeat(100_000))[0]!.length).toBeLessThan(2000);
  });

  it.each([
    ['one key', 'same'],
    ['one long key', 'x'.repeat(5000)],
  ])('that answers %s for host and endpoint never lets too many trial calls out', (_, same) => {
    const rig = new Rig({
      key: () => ({ host: same, endpoint: same }),
      breaker: { permittedNumberOfCallsInHalfOpenState: 1 },
    });
    rig.respond(200);
    const breaker = rig.breaker(rig.keys[0]!);
    breaker.transitionToOpenState();
    breaker.transitionToHalfOpenState();
    const trial = rig.admit();
    for (let call = 0; call < 5; call++) expect(rig.refusal()?.reason).toBe('half-open-full');
    trial.responded(200);
    expect(breaker.metrics().callsInFlight).toBe(0);
    expect(breaker.state).toBe('closed');
  });
});
