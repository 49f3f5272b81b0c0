import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HttpCircuitBreaker, wrapFetch } from '@recloser/fetch';
import { startServer, status, type TestServer } from '@recloser/test-support/server';
import {
  openMetricsContentType,
  Registry,
  type OpenMetricsContentType,
  type RegistryContentType,
} from 'prom-client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { collectMetrics } from '../src/index.ts';
import { dashboardExpressions } from './dashboard-expressions.ts';
import { registerOfSevenCalls } from './seven-calls.ts';
import { startPrometheus, type PrometheusServer, type Series } from './start-prometheus.ts';
import { makeBreaker } from './watched.ts';

/** Only what hangs is to end by it: a slow machine is no reason to fail. */
const PATIENCE = { timeout: 100_000, interval: 100 };
// No key has a line break: it is escaped in the key itself.
const ODD_KEY = 'a "quoted" key, and a \\ in it';
const ODD_GROUP = 'a "group" of\ntwo \\lines';

const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

const opened: AsyncDisposable[] = [];
let prometheus: PrometheusServer;
/** A request to the dependency, by way of the breaker. */
let call: () => Promise<void>;

beforeAll(async () => {
  const dependency = await startServer(status(503));
  opened.push(dependency);
  const { breaker, clock } = makeBreaker({ level: 'both', breaker: { minimumNumberOfCalls: 1 } });
  const guardedFetch = wrapFetch(fetch, breaker);
  call = async () => {
    const response = await guardedFetch(`${dependency.url}/price`).catch(() => undefined);
    await response?.text();
  };
  const text = new Registry();
  const openMetrics = new Registry<OpenMetricsContentType>();
  openMetrics.setContentType(openMetricsContentType);
  const ofOddKey = new HttpCircuitBreaker({ key: () => ODD_KEY });
  for (const register of [text, openMetrics]) {
    collectMetrics(breaker, { register });
    collectMetrics(breaker, { register, names: 'resilience4j' });
    collectMetrics(ofOddKey, { register, group: ODD_GROUP });
  }
  await (await wrapFetch(fetch, ofOddKey)(dependency.url)).text();
  breaker.control('*nobody*').forceOpen({ reason: 'maintenance' });

  // An outage that is over, and one that has lasted for six minutes.
  await call();
  await call();
  clock.advance(10_001);
  dependency.answer = status(200);
  await call();
  dependency.answer = status(503);
  await call();
  await call();
  clock.advance(360_000);
  await call();

  const urls = {
    text: await serve(text),
    openmetrics: await serve(openMetrics),
    sevencalls: await serve(registerOfSevenCalls()),
  };
  const rules = fileURLToPath(new URL('../alerts.yml', import.meta.url));
  prometheus = await startPrometheus(urls, rules);
  opened.push(prometheus);
}, PATIENCE.timeout);

afterAll(async () => {
  for (const each of opened.toReversed()) await each[Symbol.asyncDispose]();
});

async function serve(register: Registry<RegistryContentType>): Promise<string> {
  const server: TestServer = await startServer((_, response) => {
    void register.metrics().then((body) => {
      response.setHeader('content-type', register.contentType).end(body);
    });
  });
  opened.push(server);
  return server.url;
}

/** What it answers once that is anything. */
async function answerTo(expression: string): Promise<readonly Series[]> {
  return await vi.waitFor(async () => {
    const series = await prometheus.query(expression);
    if (series.length === 0) throw new Error(`no series yet: ${expression}`);
    return series;
  }, PATIENCE);
}

describe('Prometheus', () => {
  test.each(['text', 'openmetrics'])('takes a scrape whole: %s', async (job) => {
    const [{ value } = { value: NaN }] = await answerTo(`up{job="${job}"} == 1`);

    expect(value).toBe(1);
  });

  test.each(['text', 'openmetrics'])('has odd labels as they are, in %s', async (job) => {
    const series = await answerTo(`circuit_breaker_time_in_state_seconds{job="${job}",group!=""}`);

    expect(series.map(({ labels: { key, group } }) => ({ key, group }))).toEqual([
      { key: ODD_KEY, group: ODD_GROUP },
    ]);
  });

  test('finds the outage, and the one before', async () => {
    const [outage] = await answerTo('circuit_breaker_outage_seconds{job="text",level="endpoint"}');
    expect(outage?.value).toBe(360);
    expect(outage?.labels['key']).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/price$/);

    const [recoveries] = await answerTo(
      'circuit_breaker_recovery_duration_seconds_count{job="text",level="endpoint"}',
    );
    expect(recoveries?.value).toBe(1);
    const [state] = await answerTo('circuit_breaker_state{job="text",level="endpoint"} == 1');
    expect(state?.labels['state']).toBe('open');
  });

  test('counts each call once, as the page says it', async () => {
    const [, expression = ''] = /To count each once[^`]*`([^`]+)`/.exec(page) ?? [];
    const counted = expression.replaceAll('{', '{job="sevencalls",');
    const [{ value } = { value: NaN }] = await answerTo(`sum(${counted})`);

    expect(value).toBe(7);
  });

  test('alerts of the outage while calls are refused', async () => {
    const alert = await vi.waitFor(async () => {
      await call();
      const [found] = (await prometheus.alerts()).filter(
        ({ labels }) => labels['job'] === 'text' && labels['level'] === 'endpoint',
      );
      if (found?.state !== 'firing') throw new Error('no alert yet');
      return found;
    }, PATIENCE);

    expect(alert.labels['alertname']).toBe('CircuitBreakerOpenForLong');
    expect(alert.annotations['summary']).toBe(`${alert.labels['key']} has been failing for 6m 0s`);
  });
});

describe('the dashboard', () => {
  test('has expressions', () => {
    expect(dashboardExpressions.length).toBeGreaterThan(20);
  });

  test.each(dashboardExpressions)('gets series for %s', async (expression) => {
    expect(await answerTo(expression)).not.toEqual([]);
  });
});

// As they are in dashboards and rules that others have published for Resilience4j.
describe("a dashboard for Resilience4j's names", () => {
  test.each([
    'resilience4j_circuitbreaker_state{state="open"} == 1',
    'max by (name) (resilience4j_circuitbreaker_failure_rate)',
    'resilience4j_circuitbreaker_slow_call_rate',
    'sum by (name) (resilience4j_circuitbreaker_buffered_calls{kind="failed"})',
    'sum by (name, kind) (rate(resilience4j_circuitbreaker_calls_seconds_count[1m]))',
    'max by (name) (resilience4j_circuitbreaker_calls_seconds_max{kind="failed"})',
    'sum by (name) (rate(resilience4j_circuitbreaker_not_permitted_calls_total[1m]))',
    'rate(resilience4j_circuitbreaker_calls_seconds_sum[1m]) / rate(resilience4j_circuitbreaker_calls_seconds_count[1m])',
    'histogram_quantile(0.95, sum by (le, name) (rate(resilience4j_circuitbreaker_calls_seconds_bucket[1m])))',
  ])('gets series for %s', async (expression) => {
    expect(await answerTo(expression)).not.toEqual([]);
  });
});
