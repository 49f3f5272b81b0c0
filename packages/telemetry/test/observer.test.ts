import { expect, test } from 'vitest';
import type { ErrorEvent } from '@recloser/core';
import type { StatisticsObserver } from '../src/index.ts';
import { HOST, Rig, USERS } from './rig.ts';

test('an observer hears of each event once it is counted', () => {
  const heard: unknown[] = [];
  const observer: StatisticsObserver = {
    ended: ({ key }, { outcome, count }, ms) => heard.push([key, outcome, count, ms]),
    refused: ({ key, refused }, { reason }) => heard.push([key, reason, refused.get(reason)]),
    moved: ({ key, transitions }, { to }) => heard.push([key, to, transitions.at(-1)?.to]),
    recovered: ({ key, recoveries }, ms) => heard.push([key, ms, recoveries.sum]),
  };
  const rig = new Rig({ observer }, { level: 'endpoint' });
  rig.respond(503, { ms: 5 });
  rig.respond(503);
  rig.respond(503);
  rig.clock.advance(1001);
  rig.respond(200, { ms: 7 });

  expect(heard).toEqual([
    [USERS, 'failure', 1, 5],
    [USERS, 'failure', 2, 0],
    [USERS, 'open', 'open'],
    [USERS, 'open', 1],
    [USERS, 'half-open', 'half-open'],
    [USERS, 'success', 1, 7],
    [USERS, 'closed', 'closed'],
    [USERS, 1008, 1008],
  ]);
});

test('an observer that throws harms neither call nor count, and an error event tells', () => {
  const thrown = new Error('the exporter is gone');
  const throwing = (): never => {
    throw thrown;
  };
  const observer: StatisticsObserver = { ended: throwing, moved: throwing, refused: throwing };
  const rig = new Rig({ observer });
  const errors: ErrorEvent[] = [];
  rig.http.on('error', (event) => errors.push(event));
  for (let call = 0; call < 3; call++) rig.respond(503);
  rig.clock.advance(1001);
  expect(rig.http.admit({ method: 'GET', url: `${HOST}/users` }).responded(200)).toBe('success');

  expect(rig.series(USERS).calls.map(({ count }) => count)).toEqual([2, 1]);
  expect(rig.series(USERS).refused.get('open')).toBe(1);
  expect(rig.series(USERS).recoveries.count).toBe(1);
  expect(new Set(errors.map(({ source }) => source))).toEqual(
    new Set([
      "what counts 'failure'",
      "a listener for 'stateTransition'",
      "a listener for 'notPermitted'",
      "what counts 'success'",
    ]),
  );
  for (const { error } of errors) expect(error).toBe(thrown);
});

test('an observer is called as a method of its own', () => {
  class Recorder implements StatisticsObserver {
    readonly heard: string[] = [];
    ended({ key }: { readonly key: string }): void {
      this.heard.push(key);
    }
  }
  const observer = new Recorder();
  new Rig({ observer }).respond(200);

  expect(observer.heard).toEqual([USERS, HOST]);
});
