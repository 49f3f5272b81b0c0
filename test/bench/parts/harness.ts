// Whether the harness tells the truth: what adds nothing is to add nothing, and what burns a known
// time that time. A difference of the two bare calls is what no other figure can be better than.

import { async, nsPerCall } from '../measure.ts';
import type { Part } from '../part.ts';
import { compared } from '../table.ts';

const body = async (): Promise<number> => 1;

const BURNT_MS = 0.002;

function burn(): number {
  const end = performance.now() + BURNT_MS;
  while (performance.now() < end);
  return 1;
}

export const part: Part<number> = {
  title: 'The harness itself',
  contestants: {
    'bare call': () => nsPerCall(async(() => body())),
    'bare call again': () => nsPerCall(async(() => body())),
    'burns 2,000 ns': () => nsPerCall(async(async () => burn())),
    'burns 4,000 ns': () => nsPerCall(async(async () => burn() * burn())),
  },
  report: compared({ unit: 'ns added', baseline: 'bare call', reference: 'burns 2,000 ns' }),
};
