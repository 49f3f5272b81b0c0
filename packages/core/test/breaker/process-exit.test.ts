import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Runs a program to its end, and answers what it printed. What does not end is killed. */
async function outputOf(program: string): Promise<unknown> {
  const index = JSON.stringify(new URL('../../src/index.ts', import.meta.url).href);
  const source = `import { CircuitBreaker } from ${index};\n${program}`;
  const flags = ['--no-warnings', '--input-type=module', '--eval', source];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 50_000 });
  return JSON.parse(stdout);
}

it(
  'a process with an open breaker and 100,000 idle ones exits by itself',
  { timeout: 60_000 },
  async () => {
    const program = `
    const options = {
      automaticTransitionFromOpenToHalfOpenEnabled: true,
      waitDurationInOpenState: 86_400_000,
    };
    const idle = Array.from({ length: 100_000 }, (_, n) => new CircuitBreaker('b' + n, options));
    const open = new CircuitBreaker('open', options);
    open.transitionToOpenState();
    const resources = process.getActiveResourcesInfo();
    console.log(JSON.stringify({
      idle: idle.filter((breaker) => breaker.state === 'closed').length,
      state: open.state,
      timeouts: resources.filter((name) => name === 'Timeout').length,
    }));
  `;
    expect(await outputOf(program)).toEqual({ idle: 100_000, state: 'open', timeouts: 0 });
  },
);

it(
  "the system's timer moves an open breaker of a process that lives on",
  { timeout: 60_000 },
  async () => {
    const program = `
    const breaker = new CircuitBreaker('open', {
      automaticTransitionFromOpenToHalfOpenEnabled: true,
      waitDurationInOpenState: 1,
    });
    const alive = new MessageChannel().port1;
    alive.onmessage = () => {};
    breaker.on('stateTransition', ({ from, to, reason }) => {
      if (to !== 'half-open') return;
      console.log(JSON.stringify({ from, to, reason }));
      alive.close();
    });
    breaker.transitionToOpenState();
  `;
    expect(await outputOf(program)).toEqual({
      from: 'open',
      to: 'half-open',
      reason: 'wait-elapsed',
    });
  },
);
