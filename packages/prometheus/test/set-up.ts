import type { HttpCircuitBreaker, HttpCircuitBreakerOptions, ManualClock } from '@recloser/core';
import { Registry } from 'prom-client';
import { collectMetrics, type MetricNames } from '../src/index.ts';
import { scrape, valueOf } from './scrape.ts';
import { KEY, makeBreaker } from './watched.ts';

export const ENDPOINT = `key="${KEY}",level="endpoint"`;
export const request = { method: 'GET', url: 'https://api.example.com/price' };

const PREFIXES = { recloser: 'circuit_breaker_', resilience4j: 'resilience4j_circuitbreaker_' };
const LABELS = { recloser: ENDPOINT, resilience4j: `name="${KEY}"` };

export interface SetUp {
  readonly clock: ManualClock;
  readonly breaker: HttpCircuitBreaker;
  readonly register: Registry;
  /** The lines of a metric, or all, without their prefix; the labels of the one breaker are `…`. */
  readonly told: (name?: string) => Promise<string[]>;
  /** The value of a metric's one line with this label. */
  readonly value: (name: string, label?: string) => Promise<number | undefined>;
}

/** A breaker whose metrics are on a register of its own. */
export function setUp(
  options: HttpCircuitBreakerOptions = {},
  names: MetricNames = 'recloser',
): SetUp {
  const { clock, breaker } = makeBreaker(options);
  const register = new Registry();
  collectMetrics(breaker, { register, names });
  const prefix = PREFIXES[names];
  return {
    clock,
    breaker,
    register,
    async told(name) {
      const lines = await scrape(register, name === undefined ? undefined : `${prefix}${name}`);
      return lines.map((line) => line.replace(prefix, '').replace(LABELS[names], '…'));
    },
    value: async (name, label) => await valueOf(register, `${prefix}${name}`, label),
  };
}
