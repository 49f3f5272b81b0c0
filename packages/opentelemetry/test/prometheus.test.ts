import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { HttpCircuitBreaker, ManualClock, wrapFetch } from '@recloser/fetch';
import { startServer, status } from '@recloser/test-support/server';
import { expect, test } from 'vitest';
import { instrument } from '../src/index.ts';

test('a scrape tells of an outage while it lasts, and that it is over', async () => {
  await using server = await startServer(status(200));
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true });
  await using scraped = await startServer((request, response) =>
    exporter.getMetricsRequestHandler(request, response),
  );
  const provider = new MeterProvider({ readers: [exporter] });
  const clock = new ManualClock();
  const breaker = new HttpCircuitBreaker({
    clock,
    overrides: [{ path: '/price', name: 'pricing' }],
    breaker: {
      consecutiveFailureThreshold: 3,
      waitDurationInOpenState: 10_000,
      permittedNumberOfCallsInHalfOpenState: 2,
    },
  });
  instrument(breaker, { meterProvider: provider });
  const api = wrapFetch(fetch, breaker);
  const ask = async (): Promise<unknown> =>
    await api(`${server.url}/price`).then(
      (response) => response.status,
      (error: { readonly code: string }) => error.code,
    );
  const its = [
    `circuit_breaker_key="GET ${server.url}/price"`,
    'circuit_breaker_name="pricing"',
    'circuit_breaker_level="endpoint"',
  ].join(',');
  const sampleOf = (name: string, labels = ''): string =>
    `circuit_breaker_${name}{${its}${labels === '' ? '' : `,${labels}`}}`;
  const scrape = async (): Promise<Readonly<Record<string, string>>> => {
    const text = await (await fetch(`${scraped.url}/metrics`)).text();
    const lines = text.split('\n').filter((line) => !line.startsWith('#') && line !== '');
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.split(' ').at(-1)!]),
    );
  };

  expect(await ask()).toBe(200);
  expect(await scrape()).toMatchObject({
    [sampleOf('state', 'circuit_breaker_state="closed"')]: '1',
    [sampleOf('outage')]: '0',
    circuit_breaker_breakers: '2',
  });

  server.answer = status(503);
  expect([await ask(), await ask(), await ask()]).toEqual([503, 503, 503]);
  expect([await ask(), await ask()]).toEqual(['ERR_CALL_NOT_PERMITTED', 'ERR_CALL_NOT_PERMITTED']);
  clock.advance(4000);
  expect(await scrape()).toMatchObject({
    [sampleOf('state', 'circuit_breaker_state="closed"')]: '0',
    [sampleOf('state', 'circuit_breaker_state="open"')]: '1',
    [sampleOf('outage')]: '4',
    [sampleOf('refused_calls_total', 'circuit_breaker_reason="open"')]: '2',
    [sampleOf(
      'calls_total',
      'circuit_breaker_outcome="failure",circuit_breaker_rule="server error",circuit_breaker_domain="endpoint"',
    )]: '3',
    [sampleOf('openings_total')]: '1',
  });

  server.answer = status(200);
  clock.advance(6001);
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 200]);
  expect(await scrape()).toMatchObject({
    [sampleOf('state', 'circuit_breaker_state="closed"')]: '1',
    [sampleOf('state', 'circuit_breaker_state="open"')]: '0',
    [sampleOf('outage')]: '0',
    [sampleOf('ever_opened')]: '1',
    'circuit_breaker_recovery_duration_count{circuit_breaker_name="pricing",circuit_breaker_level="endpoint"}':
      '1',
    'circuit_breaker_recovery_duration_bucket{circuit_breaker_name="pricing",circuit_breaker_level="endpoint",le="10"}':
      '0',
    'circuit_breaker_recovery_duration_bucket{circuit_breaker_name="pricing",circuit_breaker_level="endpoint",le="30"}':
      '1',
    'circuit_breaker_call_duration_count{circuit_breaker_name="pricing"}': '4',
  });
  expect(server.requests).toHaveLength(7);
  await provider.shutdown();
});
