// What the HTTP layer costs beside the bare breaker: a request is asked about and told at two levels,
// its keys being found on the way, against one `tryAcquire` and one settle.

import { CircuitBreaker, HttpCircuitBreaker, httpDefaults } from '@recloser/core';

const calls = 200_000;
const rounds = 15;

// The same options as an endpoint's breaker has.
const bare = new CircuitBreaker('bench', {
  ...httpDefaults,
  maxWaitDurationInHalfOpenState: 30_000,
});
const both = new HttpCircuitBreaker();
const one = new HttpCircuitBreaker({ level: 'endpoint' });
const origin = 'https://api.example.com';
const headers = new Headers({ 'content-type': 'application/json' });

const contestants: Readonly<Record<string, () => void>> = {
  'bare breaker: tryAcquire, success': () => bare.tryAcquire()?.success(),
  'two levels: admit, responded': () =>
    both.admit({ method: 'GET', origin, path: '/users/42' }).responded(200),
  'one level: admit, responded': () =>
    one.admit({ method: 'GET', origin, path: '/users/42' }).responded(200),
  'two levels, with headers and a response': () =>
    both
      .admit({ method: 'GET', origin, path: '/users/42' })
      .responded(200, headers, { status: 200 }),
  'two levels, a whole URL': () =>
    both.admit({ method: 'GET', url: 'https://api.example.com/users/42' }).responded(200),
};

const times = new Map<string, number[]>(Object.keys(contestants).map((name) => [name, []]));

// Interleaved, so that a drift of the machine meets all alike. The first round warms up.
for (let round = 0; round <= rounds; round++) {
  for (const [name, call] of Object.entries(contestants)) {
    const begun = process.cpuUsage();
    for (let index = 0; index < calls; index++) call();
    const { user, system } = process.cpuUsage(begun);
    if (round > 0) times.get(name)!.push(((user + system) / calls) * 1000);
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;
const base = median(times.get('bare breaker: tryAcquire, success')!);

console.log(
  `Node ${process.version}, ${process.arch}, ${rounds} interleaved rounds of ${calls} calls\n`,
);
console.log('| what | ns of CPU per call: median (least to most) | of the bare breaker |');
console.log('| --- | --- | --- |');
for (const [name, values] of times) {
  const middle = median(values);
  const range = `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`;
  console.log(`| ${name} | ${middle.toFixed(0)} (${range}) | ${(middle / base).toFixed(2)} |`);
}
