import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Sends requests to 1,000,000 random keys, and tells the heap after the first tenth and after all. */
async function heapOf(request: string): Promise<{ early: number; late: number; size: number }> {
  const index = new URL('../../src/index.ts', import.meta.url).href;
  const program = `
    import { HttpCircuitBreaker, isCallNotPermitted } from ${JSON.stringify(index)};
    const breaker = new HttpCircuitBreaker({ maxBreakers: 1000, partition: ({ tenant }) => tenant });
    const heap = [];
    for (let call = 1; call <= 1_000_000; call++) {
      const random = Math.random().toString(36).slice(2);
      try {
        breaker.admit(${request}).responded(call % 3 === 0 ? 503 : 200);
      } catch (error) {
        // The breaker that keys beyond the limits share may meet many failures in a row by chance.
        if (!isCallNotPermitted(error)) throw error;
      }
      if (call === 100_000 || call === 1_000_000) {
        gc();
        heap.push(process.memoryUsage().heapUsed);
      }
    }
    const size = breaker.snapshot().breakers.length;
    console.log(JSON.stringify({ early: heap[0], late: heap[1], size }));
  `;
  const flags = ['--expose-gc', '--no-warnings', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  return JSON.parse(stdout) as { early: number; late: number; size: number };
}

it.each([
  ['hosts', "{ method: 'GET', url: `https://${random}.example.com/` }"],
  ['paths', "{ method: 'GET', url: `https://api.example.com/${random}` }"],
  ['tenants', "{ method: 'GET', url: 'https://api.example.com/', tenant: random }"],
])(
  'a million random %s leave the heap flat at a bound of 1,000',
  { timeout: 120_000 },
  async (_, request) => {
    const { early, late, size } = await heapOf(request);

    expect(size).toBeLessThanOrEqual(1000);
    // What 900,000 keys would take, had each left but 16 bytes.
    expect(late - early).toBeLessThan(900_000 * 16);
  },
);
