// `execute` around an async function that answers at once: ns that the breaker adds to each call,
// closed, all calls succeeding, one after the other.

import { guards, ofEach } from '../contestants.ts';
import { async, nsPerCall } from '../measure.ts';
import { MinimalBreaker } from '../minimal-breaker.ts';
import type { Part } from '../part.ts';
import { atMostTimes, compared } from '../table.ts';

const body = async (): Promise<number> => 1;

export const part: Part<number> = {
  title: '`execute` around an async function, closed',
  contestants: {
    'bare call': () => nsPerCall(async(() => body())),
    'minimal, inline': () => {
      const breaker = new MinimalBreaker();
      return nsPerCall(async (calls) => {
        let ended = 0;
        for (let index = 0; index < calls; index++) {
          const begun = breaker.acquire();
          if (begun < 0) throw new Error('refused');
          ended += await body();
          breaker.record(begun, performance.now(), false);
        }
        return ended;
      });
    },
    'minimal, in an async function': () => {
      const breaker = new MinimalBreaker();
      return nsPerCall(async(() => breaker.execute(body)));
    },
    ...ofEach(guards, async (guard) => nsPerCall(async(await guard(body)))),
  },
  report: compared({
    unit: 'ns added',
    baseline: 'bare call',
    reference: 'cockatiel, SamplingBreaker',
    targets: (added) => {
      const own = added['Recloser, time window']!;
      const what = '`execute`, time window: time added';
      const [sampling, opossum] = ['cockatiel, SamplingBreaker', 'opossum, default'] as const;
      return [
        atMostTimes(what, 0.5, own / added[sampling]!, sampling),
        atMostTimes(what, 0.1, own / added[opossum]!, opossum),
      ];
    },
  }),
};
