// What a scrape of 1,000 breakers takes: 900 endpoints of 100 hosts, all in use, one in ten of which
// fails and has opened. `metrics()` of the register reads the breakers and writes the text. Beside it
// what the operator's page asks for.

import { createAdminHandler } from '@recloser/admin';
import { HttpCircuitBreaker } from '@recloser/core';
import { collectMetrics, type MetricNames } from '@recloser/prometheus';
import { Registry } from 'prom-client';
import { nsPerCall } from '../measure.ts';
import type { Part } from '../part.ts';
import { atMost, compared } from '../table.ts';

const HOSTS = 100;
const PATHS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
const CALLS = 12;
const LIMIT = 100;

function inUse(names?: MetricNames): { breaker: HttpCircuitBreaker; register: Registry } {
  const breaker = new HttpCircuitBreaker();
  const register = new Registry();
  if (names !== undefined) collectMetrics(breaker, { register, names });
  for (let call = 0; call < CALLS; call++) {
    for (let host = 0; host < HOSTS; host++) {
      for (const path of PATHS) {
        try {
          const admission = breaker.admit({
            method: 'GET',
            origin: `https://host-${host}.example.com`,
            path: `/route-${path}`,
          });
          admission.responded(host % 10 === 0 ? 503 : 200);
        } catch {
          // It was refused.
        }
      }
    }
  }
  const { length } = breaker.snapshot().breakers;
  if (length !== 1000) throw new Error(`${length} breakers`);
  return { breaker, register };
}

async function msOfScrape(names: MetricNames): Promise<number> {
  const { register } = inUse(names);
  const ns = await nsPerCall(async (calls) => {
    let written = 0;
    for (let call = 0; call < calls; call++) {
      const text = await register.metrics();
      if (text.length > 1_000_000) written++;
    }
    return written;
  });
  return ns / 1e6;
}

async function msOfList(): Promise<number> {
  const { breaker } = inUse();
  const handler = createAdminHandler(breaker, { authorize: () => true });
  const ns = await nsPerCall(async (calls) => {
    let written = 0;
    for (let call = 0; call < calls; call++) {
      const response = await handler(new Request('http://localhost/api/breakers'));
      if ((await response.text()).length > 100_000) written++;
    }
    return written;
  });
  return ns / 1e6;
}

async function msOfSnapshot(): Promise<number> {
  const { breaker } = inUse();
  const ns = await nsPerCall((calls) => {
    let read = 0;
    for (let call = 0; call < calls; call++) {
      if (breaker.snapshot().breakers.length === 1000) read++;
    }
    return read;
  });
  return ns / 1e6;
}

const own = 'a scrape, by the names of @recloser/prometheus';
const resilience4j = 'a scrape, by the names of Resilience4j';
const list = 'the list of the operator’s page';
const snapshot = 'snapshot() alone';

export const part: Part<number> = {
  title: 'A scrape of 1,000 breakers',
  contestants: {
    [snapshot]: msOfSnapshot,
    [own]: () => msOfScrape('recloser'),
    [resilience4j]: () => msOfScrape('resilience4j'),
    [list]: msOfList,
  },
  report: compared({
    unit: 'ms',
    reference: snapshot,
    targets: (medians) =>
      [own, resilience4j, list].map((name) =>
        atMost(`1,000 breakers: ${name}`, LIMIT, medians[name]!, 'ms'),
      ),
  }),
};
