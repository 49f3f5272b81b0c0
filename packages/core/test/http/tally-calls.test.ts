import { describe, expect, it } from 'vitest';
import { tallyCalls } from '../../src/adapter.ts';
import { reportFailure, type ErrorEvent } from '../../src/index.ts';
import { HOST, Rig, USERS } from './http-rig.ts';

type Counted = readonly [key: string, ...rest: unknown[]];

function counting(rig: Rig): { readonly counted: Counted[]; readonly stop: () => void } {
  const counted: Counted[] = [];
  const stop = tallyCalls(
    rig.http,
    (key, name, type, elapsed, { rule, kind, status, domain } = {}) => {
      counted.push([key, name === key, type, elapsed, rule, kind ?? status, domain]);
    },
  );
  return { counted, stop };
}

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('what counts calls', () => {
  it('is told of each at the endpoint and at the host, as an event would', () => {
    const rig = new Rig();
    const { counted } = counting(rig);
    const admission = rig.admit();
    rig.clock.advance(30);
    const response = new Response();
    admission.responded(200, response.headers, response);
    rig.respond(503);
    rig.fail(refused);
    rig.fail(new DOMException('left', 'AbortError'));
    reportFailure(response, 'errors in the body');

    const answered = 'the dependency answered';
    expect(counted).toEqual([
      [USERS, true, 'success', 30, answered, 200, undefined],
      [HOST, true, 'success', 30, answered, 200, undefined],
      [USERS, true, 'failure', 0, 'server error', 503, 'endpoint'],
      [HOST, true, 'failure', 0, 'server error', 503, 'endpoint'],
      [HOST, true, 'failure', 0, 'host out of reach', 'refused', 'host'],
      [USERS, true, 'ignored', 0, 'the caller left', 'cancel', undefined],
      [USERS, true, 'amended', 30, undefined, 'reported', undefined],
    ]);
  });

  it('is told the key and the name of a breaker that an override names', () => {
    const rig = new Rig({ overrides: [{ path: '/users', name: 'users', breaker: {} }] });
    const keys: string[] = [];
    tallyCalls(rig.http, (key, name) => keys.push(`${name}: ${key}`));
    rig.respond(200);
    expect(keys[0]).toBe(`users: ${USERS}`);
  });

  it('is told no more once it is stopped, and others go on', () => {
    const rig = new Rig();
    const [first, second] = [counting(rig), counting(rig)];
    rig.respond(200);
    first.stop();
    rig.respond(200);
    second.stop();
    rig.respond(200);
    expect([first.counted.length, second.counted.length]).toEqual([2, 4]);
  });

  it('harms no call and no other by what it throws, and an error event tells', () => {
    const rig = new Rig();
    const thrown = new Error('no room');
    const errors: ErrorEvent[] = [];
    rig.http.on('error', (event) => errors.push(event));
    tallyCalls(rig.http, () => {
      throw thrown;
    });
    const { counted } = counting(rig);

    expect(rig.admit().responded(200)).toBe('success');

    expect(counted).toHaveLength(2);
    expect(errors.map(({ breaker, error, source }) => [breaker, error, source])).toEqual([
      [USERS, thrown, "what counts 'success'"],
      [HOST, thrown, "what counts 'success'"],
    ]);
    expect(rig.http.find(USERS)?.metrics().numberOfBufferedCalls).toBe(1);
  });

  it('is told nothing of a breaker that was evicted', () => {
    const rig = new Rig({ maxBreakers: 4 });
    const admission = rig.admit();
    const response = new Response();
    admission.responded(200, response.headers, response);
    const { counted } = counting(rig);
    for (let host = 0; host < 4; host++) rig.respond(200, { origin: `http://h${host}.test` });
    expect(rig.http.find(USERS)).toBeUndefined();
    counted.length = 0;
    reportFailure(response, 'errors in the body');
    expect(counted).toEqual([]);
  });
});
