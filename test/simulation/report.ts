import { FAILURES, simulateAll, type Cell } from './cells.ts';
import { simulateCrossings, type Crossing } from './crossings.ts';
import { crossingsTable } from './crossings-table.ts';
import { resultsTable } from './results-table.ts';

/** All the figures of results.md. */
export interface Figures {
  readonly cells: readonly Cell[];
  readonly crossings: readonly Crossing[];
}

export function simulateFigures(): Figures {
  return { cells: simulateAll(), crossings: simulateCrossings() };
}

/** The text of results.md. */
export function report({ cells, crossings }: Figures): string {
  return `# What the defaults do, simulated

Written by \`write-results.ts\` and compared by a test: change neither table by hand.

The real breakers, on a clock that is moved by hand. Calls arrive independently of one another, at
the rate given; a healthy server answers after 20 ms and more, 50 ms on the average. Each row is five
runs with seeds of their own, three at 500 a second; spans and calls are medians, in brackets the
most. What arrives and how it is answered depends on the seed alone, so that both breakers meet the
same. The waits of the HTTP breaker are the default ones, with their jitter drawn from the seed
instead of \`Math.random\`.

The columns without a name are the HTTP breaker as it comes; _count_ is the breaker of the textbooks,
one for the host: ${FAILURES} failures within 10 s open it for 10 s, then one trial call decides.

- _found after_: from the fault to the first opening, and _calls until then_ that met the fault.
- _reached it_: calls that met the fault while it lasted, of those that would have without a breaker.
  It lasts an hour at 1 call a minute, else 10, 5 and 3 minutes, 40 s at 500 a second, and up to a
  minute more (40 s), so that it ends at any moment of a wait.
- _closed again after_: from the end of the fault until every breaker is closed; 0 where all were.
- _answered after_: from the end of the fault until the first call to what was broken has its answer.
- _good calls refused_: of those that the server would have answered well while the fault lasted.
- _false openings_: in all runs together, whose span is cut where there are many calls.

${resultsTable(cells)}

## Where count and rate cross

A count of failures in a window of 10 s, C, is reached by errors that are nobody's outage as soon as
there are calls enough: at λ\\* = C / (b × 10 s) calls a second the errors that are always there, a
share b of all calls, make C failures in each window. P is the probability that one window holds so
many (Poisson), beside it the share of 400 simulated windows in which the real breaker opened; then
20 minutes of the same traffic, through the count breaker and through the HTTP breaker, whose rate
does not depend on λ.

${crossingsTable(crossings)}
`;
}
