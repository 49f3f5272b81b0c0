// What an admitted call costs the breaker itself: `tryAcquire` and one settle, with no promise
// around them. The figures are to be the same for every window, and nothing is to be allocated but
// the permit.

import { CircuitBreaker, type CircuitBreakerOptions } from '@recloser/core';

const calls = 200_000;
const rounds = 7;

const windows: Readonly<Record<string, CircuitBreakerOptions>> = {
  '10 calls': { slidingWindowType: 'count-based', slidingWindowSize: 10 },
  '100,000 calls': { slidingWindowType: 'count-based', slidingWindowSize: 100_000 },
  '10 s': { slidingWindowType: 'time-based', slidingWindowSize: 10 },
  '600 s': { slidingWindowType: 'time-based', slidingWindowSize: 600 },
};

// No threshold is ever reached: the breaker stays closed.
const common: CircuitBreakerOptions = { minimumNumberOfCalls: 100, failureRateThreshold: 100 };

interface Result {
  readonly nanoseconds: number[];
  bytes: number;
}

function sorted(values: readonly number[]): number[] {
  return values.toSorted((left, right) => left - right);
}

function run(breaker: CircuitBreaker, count: number): void {
  for (let call = 0; call < count; call++) {
    const permit = breaker.tryAcquire();
    if (permit === undefined) throw new Error('the benchmark needs a closed breaker');
    if (call % 4 === 0) permit.failure();
    else permit.success();
  }
}

// Any clock with fractions allocates each number that it answers (16 bytes); this one does not, so
// that what is left is the breaker's own.
let ticks = 0;
const wholeMs = { now: () => ticks++ >> 4, date: () => 0 };

/**
 * The least of several runs, each of so few calls that no garbage is collected meanwhile: compiling
 * only adds.
 */
function bytesPerCall(name: string, options: CircuitBreakerOptions): number {
  const breaker = new CircuitBreaker(name, { ...common, ...options, clock: wholeMs });
  const count = 2000;
  run(breaker, calls);
  const bytes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    run(breaker, count);
    bytes.push((process.memoryUsage().heapUsed - before) / count);
  }
  return Math.min(...bytes);
}

/** What a permit takes that is kept. */
function bytesPerPermit(): number {
  const count = 20_000;
  const breaker = new CircuitBreaker('bench', { ...common, clock: wholeMs });
  const permits: unknown[] = Array.from({ length: count }, () => undefined);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let call = 0; call < count; call++) permits[call] = breaker.tryAcquire();
  globalThis.gc?.();
  const bytes = (process.memoryUsage().heapUsed - before) / count;
  if (permits[count - 1] === undefined) throw new Error('the benchmark needs a closed breaker');
  return bytes;
}

if (globalThis.gc === undefined) throw new Error('run it with --expose-gc: pnpm bench hot-path');

const results = new Map<string, Result>();
for (const name of Object.keys(windows)) results.set(name, { nanoseconds: [], bytes: 0 });

// Interleaved, so that a drift of the machine meets all alike. The first round warms up.
for (let round = 0; round <= rounds; round++) {
  for (const [name, options] of Object.entries(windows)) {
    const breaker = new CircuitBreaker(name, { ...common, ...options });
    run(breaker, 1000);
    const begun = performance.now();
    run(breaker, calls);
    const nanoseconds = ((performance.now() - begun) / calls) * 1e6;
    const result = results.get(name)!;
    if (round > 0) result.nanoseconds.push(nanoseconds);
    if (round === rounds) result.bytes = bytesPerCall(name, options);
  }
}

console.log(
  `Node ${process.version}, ${process.arch}, ${rounds} interleaved rounds of ${calls} calls, one in four failing\n`,
);
console.log('| window | ns per call: median (least to most) | bytes per call, whole-ms clock |');
console.log('| --- | --- | --- |');
for (const [name, { nanoseconds, bytes }] of results) {
  const inOrder = sorted(nanoseconds);
  const [least, median, most] = [inOrder[0]!, inOrder[Math.floor(rounds / 2)]!, inOrder.at(-1)!];
  console.log(
    `| ${name} | ${median.toFixed(0)} (${least.toFixed(0)} to ${most.toFixed(0)}) | ${bytes.toFixed(0)} |`,
  );
}
console.log(`\nA permit that is kept takes ${bytesPerPermit().toFixed(0)} bytes.`);
