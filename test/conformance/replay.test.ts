import { describe, expect, it } from 'vitest';
import { fileNames, readRecord, source, type Trace } from './records.ts';
import { replay } from './replay.ts';

/** As the record's README counts them. */
const counted = { traces: 429, steps: 24_470, late: 2032 };
const files: [name: string, traces: number, steps: number][] = [
  ['edges.json', 65, 1301],
  ['events.json', 6, 440],
  ['transitions.json', 54, 1611],
  ['traces-count.json', 30, 2237],
  ['traces-time.json', 30, 2029],
  ['traces-halfopen.json', 40, 2902],
  ['traces-slow.json', 18, 1229],
  ['traces-manual.json', 26, 1738],
  ['traces-backoff.json', 16, 984],
  ['traces-timers.json', 28, 1965],
  ['traces-classify.json', 16, 1122],
  ['traces-onresult.json', 18, 1278],
  ['traces-special.json', 16, 1112],
  ['traces-async.json', 20, 1436],
  ['traces-exec.json', 16, 996],
  ['traces-stress.json', 30, 2090],
];

const replayed = { traces: 0, steps: 0 };

describe.each(files)('%s', (name, traces, steps) => {
  const record = readRecord<{ traces: Trace[] }>(name).traces;

  it.each(record.map((trace) => [trace.id, trace] as const))(
    '%s goes as recorded',
    async (_id, trace) => {
      replayed.steps += await replay(trace);
      replayed.traces += 1;
    },
  );

  it(`holds ${traces} traces of ${steps} steps`, () => {
    expect(record).toHaveLength(traces);
    expect(record.flatMap((trace) => trace.steps)).toHaveLength(steps);
  });
});

describe('the whole record', () => {
  it('has no trace in a file that is not replayed', () => {
    const withTraces = fileNames(source).filter(
      (name) => name.endsWith('.json') && 'traces' in readRecord<object>(name),
    );
    expect(withTraces).toEqual(files.map(([name]) => name).sort());
  });

  it('counts as many late endings as its README', () => {
    const steps = files
      .flatMap(([name]) => readRecord<{ traces: Trace[] }>(name).traces)
      .flatMap((trace) => trace.steps);
    expect(steps.filter((step) => step.r === 'late' || step.late)).toHaveLength(counted.late);
  });

  it(`was replayed: ${counted.traces} traces, ${counted.steps} steps`, () => {
    expect(replayed).toEqual({ traces: counted.traces, steps: counted.steps });
  });
});
