import { describe, expect, it } from 'vitest';
import { reportFailure } from '../../src/index.ts';
import { Rig } from './http-rig.ts';

function answered(rig: Rig, status = 200): object {
  const response = { status };
  rig.admit().responded(status, undefined, response);
  return response;
}

describe('a failure that the caller reports', () => {
  it('turns the success of its endpoint into a failure, once, and adds no call', () => {
    const rig = new Rig();
    const amended = rig.hear('amended');
    const response = answered(rig);

    expect(reportFailure(response, 'GraphQL errors')).toBe(true);
    expect(reportFailure(response, 'GraphQL errors')).toBe(false);

    expect(rig.endpoint.metrics()).toMatchObject({
      numberOfBufferedCalls: 1,
      numberOfFailedCalls: 1,
    });
    expect(rig.host.metrics().numberOfFailedCalls).toBe(0);
    expect(amended).toMatchObject([{ error: 'GraphQL errors', kind: 'reported', status: 200 }]);
  });

  it('opens the breaker like any other', () => {
    const rig = new Rig();
    for (let call = 0; call < 10; call++) reportFailure(answered(rig), 'no');

    expect(rig.endpoint.state).toBe('open');
    expect(rig.endpoint.lastFailure).toMatchObject({ kind: 'reported', status: 200 });
    expect(rig.refusal()?.message).toContain('(last failure: reported, status 200)');
  });

  it('is found by an error that has the response', () => {
    const rig = new Rig();
    const error = Object.assign(new Error('unexpected body'), { response: answered(rig) });

    expect(reportFailure(error, error)).toBe(true);
    expect(rig.endpoint.metrics().numberOfFailedCalls).toBe(1);
  });

  it('is found by the headers of a response that was made after they were told of', () => {
    const rig = new Rig();
    const headers = { 'content-type': 'text/plain' };
    rig.admit().responded(200, headers);

    expect(reportFailure({ statusCode: 200, headers: { ...headers } }, 'no')).toBe(false);
    expect(reportFailure({ statusCode: 200, headers }, 'no')).toBe(true);
    expect(rig.endpoint.metrics().numberOfFailedCalls).toBe(1);
  });

  it('changes nothing for a response that was no success, or whose period is over', () => {
    const rig = new Rig();
    expect(reportFailure(answered(rig, 503), 'no')).toBe(false);
    const response = answered(rig);
    rig.endpoint.reset();

    expect(reportFailure(response, 'no')).toBe(false);
    expect(rig.endpoint.metrics().numberOfBufferedCalls).toBe(0);
  });

  it.each([undefined, null, 7, 'response', {}, Symbol('response'), () => {}])(
    'changes nothing for %o',
    (value) => {
      expect(reportFailure(value, 'no')).toBe(false);
    },
  );
});
