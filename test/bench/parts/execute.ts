// `execute` around an async function that answers at once: ns that the breaker adds to each call,
// closed, all calls succeeding, one after the other. The floor is what it takes to know how long a
// call took.

import { guards, ofEach } from '../contestants.ts';
import { async, nsPerCall } from '../measure.ts';
import { MinimalBreaker } from '../minimal-breaker.ts';
import type { Part, Target } from '../part.ts';
import { atMostTimes, compared } from '../table.ts';

const body = async (): Promise<number> => 1;
const readings = 'two readings of the clock, in an async function';

export const part: Part<number> = {
  title: '`execute` around an async function, closed',
  contestants: {
    'bare call': () => nsPerCall(async(() => body())),
    [readings]: () =>
      nsPerCall(
        async(async () => {
          const begun = performance.now();
          const value = await body();
          return performance.now() < begun ? 0 : value;
        }),
      ),
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
      const atMostOf = (limit: number, peer: string): Target =>
        atMostTimes(what, limit, own / added[peer]!, peer, {
          figure: added[readings]! / added[peer]!,
          of: `${readings}, and no breaker`,
        });
      return [atMostOf(0.5, 'cockatiel, SamplingBreaker'), atMostOf(0.1, 'opossum, default')];
    },
  }),
};
