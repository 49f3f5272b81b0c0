import { getDegradation, HttpCircuitBreaker, isCallNotPermitted, isDegraded } from '@recloser/core';
import { wrapFetch, wrapGlobalFetch } from '@recloser/fetch';
import type { Check } from './check.ts';
import { errorOf } from './error-of.ts';
import { guarded, hasty, outcomesOf, success } from './guarded.ts';

// As most programs have it. Of a worker little is allowed while its modules are loaded.
const breakerOfTheModule = new HttpCircuitBreaker();
const fetchOfTheModule = wrapFetch(fetch, breakerOfTheModule);

export const layerChecks: readonly Check[] = [
  {
    name: 'a guard that was made while modules were loaded counts',
    async run(room) {
      const outcomes = outcomesOf(breakerOfTheModule);
      const { status } = await fetchOfTheModule(room.url('200'));
      return { status, outcomes };
    },
    expected: { status: 200, outcomes: success },
  },
  {
    name: 'a guarded fetch has the properties of the one that it guards',
    async run() {
      const own = Reflect.ownKeys(fetch).filter((key) => key !== 'prototype');
      const missing = own.filter((key) => !Reflect.has(fetchOfTheModule, key));
      return { missing: missing.map(String), type: typeof fetchOfTheModule };
    },
    expected: { missing: [], type: 'function' },
  },
  {
    name: 'a fallback answers the refused call, and its answer is marked',
    async run(room) {
      const { get } = guarded(
        { breaker: hasty },
        { fallback: ({ reason }) => new Response(`instead of a call: ${reason}`) },
      );
      await get(room.url('503'));
      const failed = await get(room.url('503'));
      const answer = await get(room.url('200'));
      return {
        marked: [isDegraded(failed), isDegraded(answer)],
        cause: isCallNotPermitted(getDegradation(answer)?.cause),
        text: await answer.text(),
        sent: await room.sent(),
      };
    },
    expected: {
      marked: [false, true],
      cause: true,
      text: 'instead of a call: open',
      sent: 2,
    },
  },
  {
    name: 'the global fetch is guarded, and after the undoing it is what it was',
    async run(room) {
      const breaker = new HttpCircuitBreaker({ breaker: hasty });
      const before = [globalThis.fetch, Object.getOwnPropertyDescriptor(globalThis, 'fetch')];
      const undo = wrapGlobalFetch(breaker);
      const kept = globalThis.fetch;
      await fetch(room.url('503'));
      await globalThis.fetch(room.url('503'));
      const error = await errorOf(fetch(room.url('200')));
      undo();
      const after = [globalThis.fetch, Object.getOwnPropertyDescriptor(globalThis, 'fetch')];
      const statuses = [
        (await fetch(room.url('200'))).status,
        (await kept(room.url('200'))).status,
      ];
      return {
        isRefusal: isCallNotPermitted(error),
        isRestored:
          after[0] === before[0] && (after[1] === undefined) === (before[1] === undefined),
        statuses,
        sent: await room.sent(),
      };
    },
    expected: { isRefusal: true, isRestored: true, statuses: [200, 200], sent: 4 },
  },
  {
    name: 'two guards by one breaker count a call once',
    async run(room) {
      const { breaker, get, outcomes } = guarded();
      await wrapFetch(get, breaker)(room.url('200'));
      return { outcomes, sent: await room.sent() };
    },
    expected: { outcomes: success, sent: 1 },
  },
  {
    name: 'two guards by one breaker count a call once across an await',
    async run(room) {
      const { breaker, get, outcomes } = guarded();
      const awaiting: typeof fetch = async (...args) => {
        await Promise.resolve();
        return get(...args);
      };
      await wrapFetch(awaiting, breaker)(room.url('200'));
      return { outcomes, sent: await room.sent() };
    },
    expected: { outcomes: success, sent: 1 },
    differs: {
      'workerd without Node.js APIs': {
        because: 'without AsyncLocalStorage a guard does not know what called it after an await',
        expected: { outcomes: [...success, ...success], sent: 1 },
      },
    },
  },
  {
    name: 'calls at one time are told apart by two guards',
    async run(room) {
      const { breaker, get, outcomes } = guarded();
      const twice = wrapFetch(get, breaker);
      await Promise.all(
        [1, 2, 3].map(async (id) => twice(room.url('200', `item-${'x'.repeat(id)}`))),
      );
      return { counted: outcomes.length, sent: await room.sent() };
    },
    expected: { counted: 6, sent: 3 },
  },
];
