import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Calls so many endpoints once, and counts the responses that are alive afterwards. */
async function responsesAlive(options: string): Promise<string> {
  const index = new URL('../src/index.ts', import.meta.url).href;
  const program = `
    import { HttpCircuitBreaker, wrapFetch } from ${JSON.stringify(index)};
    const breaker = new HttpCircuitBreaker();
    const api = wrapFetch(async () => new Response('x'), breaker, ${options});
    const responses = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      responses.push(new WeakRef(await api('http://api.example.com/' + name)));
    }
    // What a WeakRef was made of lives until the end of its task.
    for (let turn = 0; turn < 5; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      gc();
    }
    console.log(responses.filter((response) => response.deref() !== undefined).length);
    if (breaker.snapshot().breakers.length !== 6) throw new Error('not guarded');
  `;
  const flags = ['--expose-gc', '--no-warnings', '--conditions=@recloser/source'];
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [
    ...flags,
    '--input-type=module',
    '--eval',
    program,
  ]);
  return stdout.trim();
}

test.for(['{}', '{ watchBody: true }'])(
  'a response that the caller has dropped is collected, with %s',
  { timeout: 60_000 },
  async (options) => {
    expect(await responsesAlive(options)).toBe('0');
  },
);
