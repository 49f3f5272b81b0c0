import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runExample } from './run-example.ts';

// Those whose output depends on the time, or that ask the reader: tested in files of their own.
const others = ['outage', 'run-example'];
const names = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => !name.includes('.') && !others.includes(name))
  .toSorted();

test('every output is that of an example', () => {
  const outputs = globSync('*', { cwd: `${import.meta.dirname}/output` }).toSorted();

  expect(outputs).toEqual(names.map((name) => `${name}.txt`));
});

describe('an example ends by itself and prints what output/NAME.txt says:', () => {
  test.each(names)('%s', async (name) => {
    const { exitCode, output, errors } = await runExample(name);

    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    await expect(output).toMatchFileSnapshot(`output/${name}.txt`);
  });
});
