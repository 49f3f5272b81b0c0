// What it costs a request that somebody listens. `admit` and `responded(200)`, origin and path apart:
// a success of the endpoint, and one of its host.

import { subscribe } from 'node:diagnostics_channel';
import { HttpCircuitBreaker, type RequestLike } from '@recloser/core';
import { publishEvents } from '@recloser/diagnostics-channel';
import { instrument, type InstrumentOptions } from '@recloser/opentelemetry';
import { collectMetrics } from '@recloser/prometheus';
import { CallStatistics } from '@recloser/telemetry';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { Registry } from 'prom-client';
import { nsPerCall, sync } from '../measure.ts';
import type { Part } from '../part.ts';
import { atMost, compared } from '../table.ts';

// All of a request and its events is compiled for good only then: before, two processes that run the
// same code differ by half.
const WARM_UP = 1_000_000;

const request: RequestLike = {
  method: 'GET',
  origin: 'https://api.example.com',
  path: '/users/64',
};

/** @param listen  answers how many events were counted, which is what keeps them from going unmade */
async function nsWith(
  listen: (breaker: HttpCircuitBreaker) => () => number,
  eventsPerRequest: number,
): Promise<number> {
  const breaker = new HttpCircuitBreaker();
  const counted = listen(breaker);
  const loop = sync(() => (breaker.admit(request).responded(200) === 'success' ? 1 : 0));
  let requests = 0;
  await loop(WARM_UP);
  requests += WARM_UP;
  const figure = await nsPerCall((calls) => {
    requests += calls;
    return loop(calls);
  });
  if (counted() !== requests * eventsPerRequest)
    throw new Error(`${counted()} events were counted`);
  return figure;
}

function successes(breaker: HttpCircuitBreaker): () => number {
  let heard = 0;
  breaker.on('success', ({ elapsed }) => {
    if (elapsed >= 0) heard++;
  });
  return () => heard;
}

function statistics(breaker: HttpCircuitBreaker): () => number {
  const { series } = new CallStatistics(breaker);
  return () => [...series].reduce((sum, { durations }) => sum + durations.success.count, 0);
}

function channels(breaker: HttpCircuitBreaker): () => number {
  publishEvents(breaker);
  return () => 0;
}

function channelsOfMoves(breaker: HttpCircuitBreaker): () => number {
  let heard = 0;
  subscribe('recloser:stateTransition', () => heard++);
  publishEvents(breaker);
  return () => heard;
}

function prometheus(breaker: HttpCircuitBreaker): () => number {
  collectMetrics(breaker, { register: new Registry() });
  return () => 0;
}

/** With the SDK, whose reader collects at the end of the day. */
function openTelemetry(options: InstrumentOptions): (breaker: HttpCircuitBreaker) => () => number {
  return (breaker) => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const readers = [
      new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 86_400_000 }),
    ];
    instrument(breaker, { meterProvider: new MeterProvider({ readers }), ...options });
    return () => 0;
  };
}

/** What the SDK takes for one duration with one attribute. */
function nsOfRecord(): Promise<number> {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const readers = [
    new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 86_400_000 }),
  ];
  const meter = new MeterProvider({ readers }).getMeter('bench');
  const histogram = meter.createHistogram('duration');
  const attributes = { outcome: 'success' };
  return nsPerCall(
    sync(() => {
      histogram.record(0.1, attributes);
      return 1;
    }),
  );
}

const bare = 'nobody listens';
const least = "a listener for 'success'";
const counting = 'CallStatistics';
const silent = 'publishEvents, no subscriber';
const collected = 'collectMetrics, between two scrapes';
const withoutSdk = 'instrument, without an SDK';
const withoutDurations = 'instrument, with the SDK, no durations';
const withDurations = 'instrument, with the SDK';
const record = 'one `record` of a duration by the SDK, and nothing else';

export const part: Part<number> = {
  title: 'A request to which somebody listens',
  contestants: {
    [bare]: () => nsWith(() => () => 0, 0),
    [least]: () => nsWith(successes, 2),
    [counting]: () => nsWith(statistics, 2),
    [silent]: () => nsWith(channels, 0),
    'publishEvents, a subscriber of stateTransition': () => nsWith(channelsOfMoves, 0),
    [collected]: () => nsWith(prometheus, 0),
    [withoutSdk]: () =>
      nsWith((breaker) => {
        instrument(breaker);
        return () => 0;
      }, 0),
    [withoutDurations]: () => nsWith(openTelemetry({ callDurations: false }), 0),
    [withDurations]: () => nsWith(openTelemetry({}), 0),
    [record]: async () => (await nsOfRecord()) + (await nsWith(() => () => 0, 0)),
  },
  report: compared({
    unit: 'ns added',
    baseline: bare,
    reference: bare,
    note:
      'A request is two events: one of the endpoint, one of its host. `CallStatistics` is what ' +
      '`collectMetrics` and `instrument` count with.',
    targets: (medians) => [
      atMost('request counted by `CallStatistics`: added', 300, medians[counting]!, 'ns', {
        figure: medians[least]!,
        of: 'a listener that counts, and one number alone',
      }),
      atMost('request with `publishEvents`, no subscriber: added', 30, medians[silent]!, 'ns'),
      ...[collected, withoutSdk, withoutDurations].map((name) =>
        atMost(`request with ${name}: added`, 300, medians[name]!, 'ns'),
      ),
      atMost(`request with ${withDurations}: added`, 300, medians[withDurations]!, 'ns', {
        figure: medians[record]!,
        of: record,
      }),
    ],
  }),
};
