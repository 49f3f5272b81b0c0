import { CallNotPermittedError, isCallNotPermitted, ManualClock } from '@recloser/core';
import type { Check } from './check.ts';
import { errorOf } from './error-of.ts';
import { guarded, hasty } from './guarded.ts';

export const outageChecks: readonly Check[] = [
  {
    name: 'failures open the breaker, and then nothing is sent',
    async run(room) {
      const { get, outcomes } = guarded({ level: 'endpoint', breaker: hasty });
      await get(room.url('503'));
      await get(room.url('503'));
      const error = await errorOf(get(room.url('200')));
      return { outcomes, sent: await room.sent(), isRefusal: isCallNotPermitted(error) };
    },
    expected: {
      outcomes: [
        'endpoint: failure 503',
        'endpoint: failure 503',
        'endpoint: closed to open',
        'endpoint: refused open',
      ],
      sent: 2,
      isRefusal: true,
    },
  },
  {
    name: 'a refusal tells what refused, why, and when to come again',
    async run(room) {
      const { get } = guarded({ breaker: hasty, clock: new ManualClock() });
      await get(room.url('wait'));
      await get(room.url('wait'));
      const error = (await errorOf(get(room.url('200')))) as CallNotPermittedError;
      const { name, code, state, reason, retryAfterMs, lastFailure } = error;
      return {
        isOfItsClass: error instanceof CallNotPermittedError && error instanceof Error,
        isFoundBelow: isCallNotPermitted(new Error('no page', { cause: error })),
        isNoTypeError: !(error instanceof TypeError),
        isNotFoundElsewhere: !isCallNotPermitted(new TypeError('fetch failed')),
        fields: [name, code, state, reason, retryAfterMs, lastFailure?.status],
      };
    },
    expected: {
      isOfItsClass: true,
      isFoundBelow: true,
      isNoTypeError: true,
      isNotFoundElsewhere: true,
      // The server's Retry-After of 120 s is longer than the breaker's own wait.
      fields: ['CallNotPermittedError', 'ERR_CALL_NOT_PERMITTED', 'open', 'open', 120_001, 503],
    },
  },
  {
    name: 'after the wait trial calls go out, and close the breaker',
    async run(room) {
      const clock = new ManualClock();
      const options = { ...hasty, permittedNumberOfCallsInHalfOpenState: 2 };
      const { get, outcomes } = guarded({ level: 'endpoint', breaker: options, clock });
      await get(room.url('503'));
      await get(room.url('503'));
      clock.advance(3_600_000);
      await get(room.url('200'));
      await get(room.url('200'));
      await get(room.url('200'));
      return { outcomes: outcomes.slice(2), sent: await room.sent() };
    },
    expected: {
      outcomes: [
        'endpoint: closed to open',
        'endpoint: open to half-open',
        'endpoint: success 200',
        'endpoint: success 200',
        'endpoint: half-open to closed',
        'endpoint: success 200',
      ],
      sent: 5,
    },
  },
];
