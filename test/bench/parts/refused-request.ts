// Requests that are refused, through each adapter, for each second of one core: the host's breaker
// is forced open, calls are awaited and their errors caught, one after the other. Beside it the
// floor: the same client where what would send fails at once with one error that was made before,
// with no breaker at all. Nothing is ever sent.

import { refusedCalls } from '../refused-calls.ts';
import { nsPerCall, rejecting } from '../measure.ts';
import type { Figures, Part, Report } from '../part.ts';
import { median } from '../statistics.ts';
import { ratio, shown, spread } from '../table.ts';

const WANTED = 50_000;

async function perSecond(call: () => Promise<unknown>): Promise<number> {
  return 1e9 / (await nsPerCall(rejecting(call)));
}

const clients = ['fetch', 'undici', 'axios', 'got', 'ky'] as const;
const guarded = (client: string): string => `${client}, guarded`;
const floor = (client: string): string => `${client}, failing at once`;

function report(figures: Figures<number>): Report {
  return {
    head: ['', 'requests per second: median (least to most)', 'of failing at once'],
    rows: clients.flatMap((client) => {
      const [own, least] = [figures[guarded(client)]!, figures[floor(client)]!];
      return [
        [guarded(client), spread(own), ratio(median(own) / median(least))],
        [floor(client), spread(least), '1.00'],
      ];
    }),
    note:
      'Failing at once: the same client without a breaker, where what would send fails with one ' +
      'error that was made before.',
    targets: clients.map((client) => {
      const measured = median(figures[guarded(client)]!);
      return {
        what: `refused requests: ${client}`,
        reach: `≥ ${shown(WANTED)} per second on one core`,
        measured: `${shown(measured)}`,
        isMet: measured >= WANTED,
        floor: `${shown(median(figures[floor(client)]!))}: the client failing at once, with no breaker`,
      };
    }),
  };
}

export const part: Part<number> = {
  title: 'Refused requests through each adapter',
  contestants: Object.fromEntries(
    clients.flatMap((client) => [
      [guarded(client), async () => perSecond((await refusedCalls[client]()).guarded)],
      [floor(client), async () => perSecond((await refusedCalls[client]()).floor)],
    ]),
  ),
  report,
};
