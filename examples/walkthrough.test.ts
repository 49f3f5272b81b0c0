import { describe, expect, test } from 'vitest';
import { runExample } from './run-example.ts';

const answers = [
  'closed',
  'open',
  'open',
  'open',
  'open',
  'half-open',
  'half-open',
  'half-open',
  'open',
  'closed',
];

/** Plays it with these lines; the pipe stays open where nobody is to hang up. */
async function play(lines: readonly string[], { hangUp = true } = {}): Promise<string> {
  const { exitCode, output, errors } = await runExample('walkthrough', {
    write(input) {
      for (const line of lines) input.write(`${line}\n`);
      if (hangUp) input.end();
    },
  });
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
  return output;
}

function verdicts(output: string): string[] {
  return [...output.matchAll(/^ {2}(Right|No|Given up): (?:closed|open|half-open)\./gm)].map(
    ([, verdict]) => verdict ?? '',
  );
}

describe('the walkthrough', () => {
  test('says after each step what the state is, and why', async () => {
    const output = await play([]);

    const told = [...output.matchAll(/^ {2}Given up: ([a-z-]+)\. \S/gm)].map(([, state]) => state);
    expect(told).toEqual(answers);
  });

  test('ends by itself after ten right answers, though the pipe is still open', async () => {
    const output = await play(answers, { hangUp: false });

    expect(verdicts(output)).toEqual(Array(10).fill('Right'));
    expect(output).toContain('You were right in 10 of 10 steps.');
  });

  test('takes short forms, in any case and with any space', async () => {
    const short = ['c', 'O', ' open ', 'op', 'OPEN', 'h', 'half open', 'Half', 'o', 'cl'];

    expect(await play(short)).toContain('You were right in 10 of 10 steps.');
  });

  test('says which answers are wrong, and goes on', async () => {
    const output = await play(answers.with(1, 'closed').with(6, 'open'));

    expect(verdicts(output).map((verdict) => verdict === 'No')).toEqual(
      answers.map((_, step) => step === 1 || step === 6),
    );
    expect(output).toContain('  No: half-open. It was sent before the outage');
    expect(output).toContain('You were right in 8 of 10 steps.');
  });

  test('asks again after what is no state, and counts it as no answer', async () => {
    const output = await play(['', 'opened', 'forced-open', '42', ...answers]);

    expect(output.match(/That is none of the three\./g)).toHaveLength(4);
    expect(output).toContain('You were right in 10 of 10 steps.');
  });

  test('takes the end of the input for giving up, and asks no more', async () => {
    const output = await play(answers.slice(0, 4));

    expect(verdicts(output)).toEqual([...Array(4).fill('Right'), ...Array(6).fill('Given up')]);
    expect(output.match(/closed, open or half-open\?/g)).toHaveLength(5);
    expect(output).toContain('You were right in 4 of 10 steps.');
  });

  test('takes no further lines than it needs', async () => {
    const output = await play([...answers, 'open', 'nonsense']);

    expect(output).toContain('You were right in 10 of 10 steps.');
    expect(output).not.toContain('none of the three');
  });
});
