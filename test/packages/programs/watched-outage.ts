import { HttpCircuitBreaker, isCallNotPermitted, wrapFetch } from '@recloser/fetch';
import { untilRefused, type Outage } from './until-refused.ts';

/** Begins to watch the breaker; the function that it returns tells what was seen. */
type Instrument = (breaker: HttpCircuitBreaker) => () => unknown;

/** An outage through fetch, of which an instrument tells. */
export function watchedOutage(url: string, instrument: Instrument): Promise<Outage> {
  const breaker = new HttpCircuitBreaker({
    level: 'endpoint',
    breaker: { minimumNumberOfCalls: 3 },
  });
  const seen = instrument(breaker);
  const guarded = wrapFetch(fetch, breaker);
  return untilRefused(async () => (await guarded(url)).status, isCallNotPermitted, seen);
}
