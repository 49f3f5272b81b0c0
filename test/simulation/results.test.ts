import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Cell } from './cells.ts';
import { median } from './figures.ts';
import type { Run } from './observer.ts';
import { report, simulateFigures } from './report.ts';

const figures = simulateFigures();
const { cells, crossings } = figures;

/** The cells of the servers so named, with the names of their traffics first, as `it.each` likes it. */
function cellsOf(server: RegExp): [traffic: string, server: string, cell: Cell][] {
  return cells
    .filter(({ scenario }) => server.test(scenario.name))
    .map((cell) => [cell.traffic.name, cell.scenario.name, cell]);
}

function medianOf(runs: readonly Run[], figure: 'foundAfter' | 'callsToFind' | 'reached'): number {
  return median(runs.map((run) => run[figure] ?? Infinity));
}

function refusedShare(runs: readonly Run[]): number {
  return median(runs.map((run) => run.goodRefused / run.good));
}

describe('the committed results', () => {
  it('are what the simulation gives, byte for byte', () => {
    const committed = readFileSync(new URL('results.md', import.meta.url), 'utf8');
    expect(report(figures)).toBe(committed);
  });
});

describe('the HTTP defaults', () => {
  it.each(cellsOf(/^noise/))('open nothing, at %s, by %s', (_traffic, _server, { http }) => {
    for (const run of http) expect(run).toMatchObject({ openings: 0, goodRefused: 0 });
  });

  it.each(cellsOf(/^slow by nature/))('cut nothing off, at %s, that is %s', (...[, , { http }]) => {
    for (const run of http) expect(run).toMatchObject({ openings: 0, goodRefused: 0 });
  });

  it.each(cellsOf(/^(outage: 503|429 for all$|1 bad endpoint of)/))(
    'find a dead endpoint, at %s, in 10 calls and those sent within 0.15 s: %s',
    (_traffic, _server, { http, traffic }) => {
      for (const { callsToFind } of http) {
        expect(callsToFind).toBeGreaterThanOrEqual(10);
        expect(callsToFind).toBeLessThanOrEqual(11 + 0.15 * traffic.callsPerSecond);
      }
    },
  );

  it.each(cellsOf(/^(outage: connections refused|all of 50)/))(
    'find a dead host, at %s, in 20 calls and those sent within 0.2 s: %s',
    (_traffic, _server, { http, traffic }) => {
      for (const { callsToFind } of http) {
        expect(callsToFind).toBeGreaterThanOrEqual(20);
        expect(callsToFind).toBeLessThanOrEqual(22 + 0.2 * traffic.callsPerSecond);
      }
    },
  );

  it.each([
    ['10 a second', 1300],
    ['50 a second', 350],
    ['500 a second', 120],
  ])('find an outage, at %s, within %i ms', (name, within) => {
    const cell = cellsOf(/^outage: 503/).find(([traffic]) => traffic === name)![2];
    expect(medianOf(cell.http, 'foundAfter')).toBeLessThanOrEqual(within);
  });

  it.each(cellsOf(/hang, client timeout/))(
    'find a hang, at %s, ten calls after the client’s timeout: %s',
    (_traffic, _server, { http, traffic }) => {
      const tenCalls = 10_000 / traffic.callsPerSecond;
      expect(medianOf(http, 'foundAfter')).toBeLessThanOrEqual(10_000 + 1.5 * tenCalls + 200);
    },
  );

  it.each(cellsOf(/hang, no client timeout/))(
    'find a hang, at %s, ten calls after 30 s: %s',
    (_traffic, _server, { http, traffic }) => {
      const tenCalls = 10_000 / traffic.callsPerSecond;
      expect(medianOf(http, 'foundAfter')).toBeGreaterThan(30_000);
      expect(medianOf(http, 'foundAfter')).toBeLessThanOrEqual(30_000 + 1.5 * tenCalls + 200);
    },
  );

  it.each(cellsOf(/^1 bad endpoint/))(
    'refuse no call to a good endpoint, at %s: %s',
    (_traffic, _server, { http }) => {
      for (const run of http) {
        expect(run.foundAfter).toBeDefined();
        expect(run.goodRefused).toBe(0);
      }
    },
  );

  it.each(cellsOf(/^brown-out/))(
    'refuse less than one good call of 25, at %s: %s',
    (_traffic, _server, { http }) => {
      expect(refusedShare(http)).toBeLessThan(0.04);
    },
  );

  it('let a storm of 429 that says for how long be: fewer calls reach the server', () => {
    const [plain, told, believed] = ['429 for all', '429 for all, Retry', '429 for all, `'].map(
      (name) => cellsOf(new RegExp(`^${name}`)).map(([, , { http }]) => medianOf(http, 'reached')),
    );
    for (const [index, reached] of told!.entries()) {
      expect(reached).toBeLessThan(plain![index]!);
      expect(believed![index]).toBeLessThan(reached);
    }
  });
});

describe('a count of 5 failures in 10 s', () => {
  it('never finds anything at 1 call a minute', () => {
    const rare = cells.filter(({ traffic }) => traffic.name === '1 a minute');
    for (const { counting } of rare) for (const run of counting) expect(run.openings).toBe(0);
  });

  it('never finds a hang without a client timeout', () => {
    for (const [, , { counting }] of cellsOf(/hang, no client timeout/)) {
      for (const run of counting) expect(run.foundAfter).toBeUndefined();
    }
  });

  it('refuses nine good calls of ten where 1 % of 500 a second fail', () => {
    const [, , { counting }] = cellsOf(/^noise: 1 %/).at(-1)!;
    expect(refusedShare(counting)).toBeGreaterThan(0.85);
  });
});

describe('count and rate', () => {
  it.each(crossings)(
    'cross where they are computed to: $failures failures, errors $errors, $ofCritical of λ*',
    ({ probability, openedWindows }) => {
      expect(Math.abs(openedWindows - probability)).toBeLessThan(0.06);
    },
  );

  it.each(crossings.filter(({ ofCritical }) => ofCritical >= 1))(
    'from λ* on the count refuses about half of what is good, or more, and the rate nothing: $failures, $errors, $ofCritical',
    ({ counting, http }) => {
      expect(counting.goodRefused / counting.good).toBeGreaterThan(0.4);
      expect(http).toMatchObject({ openings: 0, goodRefused: 0 });
    },
  );
});
