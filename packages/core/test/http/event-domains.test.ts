import { expect, it } from 'vitest';
import { reportFailure } from '../../src/index.ts';
import { coded, HOST, Rig, USERS } from './http-rig.ts';

it('an event of a refused connection says that the host is at fault', () => {
  const rig = new Rig();
  const heard = rig.hear('failure');
  rig.fail(coded('ECONNREFUSED'));
  expect(heard).toMatchObject([{ breaker: HOST, kind: 'refused', domain: 'host' }]);
});

it('an event of a 503 says that the endpoint is, that of its host too', () => {
  const rig = new Rig();
  const heard = rig.hear('failure');
  rig.respond(503);
  expect(heard).toMatchObject([
    { breaker: USERS, status: 503, domain: 'endpoint' },
    { breaker: HOST, status: 503, domain: 'endpoint' },
  ]);
});

it('an event of a body that broke off says whose fault it is', () => {
  const rig = new Rig();
  const heard = rig.hear('amended');
  const admission = rig.admit();
  admission.responded(200);
  admission.bodyFailed(coded('ECONNRESET'));
  expect(heard).toMatchObject([{ breaker: USERS, domain: 'endpoint' }]);
});

it('an event of an ending that was late says whose fault it was', () => {
  const rig = new Rig({ level: 'endpoint' });
  const heard = rig.hear('lateOutcome');
  const admission = rig.admit();
  rig.endpoint.reset();
  admission.responded(503);
  expect(heard).toMatchObject([{ breaker: USERS, domain: 'endpoint' }]);
});

it('the row of the rules that decides says whose fault it is', () => {
  const rig = new Rig({
    rules: [{ name: 'gateway', status: 502, outcome: 'trip', domain: 'host' }],
  });
  const heard = rig.hear('failure');
  rig.respond(502);
  expect(heard).toMatchObject([{ breaker: HOST, rule: 'gateway', domain: 'host', trip: true }]);
});

it('where nothing failed nothing is at fault', () => {
  const rig = new Rig({
    rules: [
      { status: 418, outcome: 'ignore' },
      { status: 420, outcome: 'hold', holdFor: 1000 },
    ],
  });
  const heard = rig.hear('success', 'ignored', 'held');
  for (const status of [200, 418, 420]) rig.respond(status);
  expect(new Set(heard.map(({ type }) => type))).toEqual(new Set(['success', 'ignored', 'held']));
  for (const event of heard) expect(event).not.toHaveProperty('domain');
});

it('a failure that a caller reports has no row, and so none', () => {
  const rig = new Rig();
  const heard = rig.hear('amended');
  const response = {};
  rig.admit().responded(200, {}, response);
  expect(reportFailure(response, 'errors in its body')).toBe(true);
  expect(heard).toMatchObject([{ breaker: USERS, kind: 'reported' }]);
  expect(heard[0]).not.toHaveProperty('domain');
});
