import { expect, test } from 'vitest';
import { runExample } from './run-example.ts';

test('the demo ends by itself, opens while the server hangs and fails, is closed at its end, and adds up', async () => {
  const { exitCode, output, errors } = await runExample('outage', { env: { DEMO_SCALE: '0.1' } });

  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
  const table = output.slice(output.lastIndexOf('with Recloser'));
  const numbers = (row: string): number[] => {
    const line = table.split('\n').find((candidate) => candidate.trim().startsWith(row)) ?? '';
    return line.match(/\d+(\.\d+)?/g)?.map(Number) ?? [];
  };
  const [guardedCalls, bareCalls] = numbers('calls');
  const [guardedFailed = NaN, bareFailed = NaN] = numbers('failed');
  const [refused = NaN, bareRefused] = numbers('refused at once');
  const [answered = NaN] = numbers('answered');

  expect([guardedCalls, bareCalls, bareRefused]).toEqual([840, 840, 0]);
  expect(refused).toBeGreaterThan(0);
  expect(answered + guardedFailed + refused).toBe(840);
  expect(output).toMatch(/server fails .*with Recloser open/);
  expect(output).toMatch(/server hangs .*with Recloser open/);
  expect(output).toMatch(/the breaker is open \(consecutive-failures, next try in/);
  expect(output).toContain(`${guardedFailed} calls waited for nothing instead of ${bareFailed}`);
  expect(table).toMatch(/breaker +closed/);
});
