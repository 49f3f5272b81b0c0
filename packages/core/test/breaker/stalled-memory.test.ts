import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Takes 1,000 permits that never settle, lets them stall, and counts those that are still held. */
function permitsHeld(options: string): Promise<string> {
  const index = new URL('../../src/index.ts', import.meta.url).href;
  const program = `
    import { CircuitBreaker, ManualClock } from ${JSON.stringify(index)};
    const clock = new ManualClock();
    const breaker = new CircuitBreaker('test', {
      clock, slowCallDurationThreshold: 100, detectStalledCalls: true, ${options}
    });
    const permits = Array.from({ length: 1000 }, () => new WeakRef(breaker.acquire()));
    clock.advance(101);
    if (breaker.metrics().stalledCalls !== 1000) throw new Error('not stalled');
    // What a WeakRef was made of lives until the end of its task.
    setImmediate(() => {
      gc();
      console.log(permits.filter((permit) => permit.deref() !== undefined).length);
      if (breaker.metrics().callsInFlight !== 1000) throw new Error('forgotten');
    });
  `;
  const flags = ['--expose-gc', '--no-warnings', '--input-type=module', '--eval', program];
  return promisify(execFile)(process.execPath, flags).then(({ stdout }) => stdout.trim());
}

it('stalled calls that never settle hold no memory', { timeout: 60_000 }, async () => {
  expect(await permitsHeld('')).toBe('0');
});

it('stalled calls are kept, where a lease is to write them off', { timeout: 60_000 }, async () => {
  expect(await permitsHeld('permitLease: 1000')).toBe('1000');
});
