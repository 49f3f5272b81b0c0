import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const LONG = { timeout: 60_000 };

/**
 * Runs requests through a breaker of two levels, each over an endpoint of its own, and counts the
 * admissions and responses that are alive after they ended.
 *
 * @param ending  how the `admission` with a `response` ends
 */
async function alive(ending: string, after = ''): Promise<unknown> {
  const index = new URL('../../src/index.ts', import.meta.url).href;
  const program = `
    import { HttpCircuitBreaker, ManualClock } from ${JSON.stringify(index)};
    const clock = new ManualClock();
    const breaker = new HttpCircuitBreaker({ clock, breaker: {
      slowCallDurationThreshold: 100, permitLease: 1000, minimumNumberOfCalls: 1000
    } });
    const admissions = [];
    const responses = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const request = { method: 'GET', origin: 'https://api.example.com', path: '/' + name };
      const admission = breaker.admit(request);
      const response = { body: 'a large one' };
      ${ending}
      admissions.push(new WeakRef(admission));
      responses.push(new WeakRef(response));
    }
    ${after}
    if (breaker.snapshot().breakers.length !== 6) throw new Error('not of two levels');
    const countAlive = (refs) => refs.filter((ref) => ref.deref() !== undefined).length;
    // What a WeakRef was made of lives until the end of its task.
    setImmediate(() => {
      gc();
      console.log(countAlive(admissions) + ' admissions, ' + countAlive(responses) + ' responses');
      if (breaker.snapshot().breakers.length !== 6) throw new Error('forgotten');
    });
  `;
  const flags = ['--expose-gc', '--no-warnings', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  return stdout.trim();
}

const NONE = '0 admissions, 0 responses';

describe('a call of two levels that has ended keeps nothing alive', () => {
  it('as the last success of its endpoint', LONG, async () => {
    expect(await alive('admission.responded(200, {}, response);')).toBe(NONE);
  });

  it('as a success that was stalled before', LONG, async () => {
    const ending =
      'clock.advance(101); breaker.snapshot(); admission.responded(200, {}, response);';
    expect(await alive(ending)).toBe(NONE);
  });

  it('as the last success before its endpoint opened', LONG, async () => {
    const after =
      "for (const { key } of breaker.snapshot().breakers) if (key.startsWith('GET')) breaker.find(key).transitionToOpenState();";
    expect(await alive('admission.responded(200, {}, response);', after)).toBe(NONE);
  });
});
