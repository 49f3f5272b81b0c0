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
import { nsPerCall, sync, type Loop } from '../measure.ts';
import type { Part } from '../part.ts';
import { atMost, compared } from '../table.ts';

// All of a request and its events is compiled for good only then.
const WARM_UP = 1_000_000;

const request: RequestLike = {
  method: 'GET',
  origin: 'https://api.example.com',
  path: '/users/64',
};

interface Listening {
  /** Of each request, for those that can tell: it keeps what they count from going uncounted. */
  readonly counted?: () => number;
  readonly stop: () => void;
}

async function nsOf(loop: Loop): Promise<number> {
  await loop(WARM_UP);
  return nsPerCall(loop);
}

/**
 * What a listener adds, as a program has it that listens from the start; then the same breaker goes on
 * without it, in the same process: from one to another the same code differs by a fifth.
 */
async function nsAdded(listen: (breaker: HttpCircuitBreaker) => Listening): Promise<number> {
  const breaker = new HttpCircuitBreaker();
  const { counted, stop } = listen(breaker);
  let requests = 0;
  const loop = sync(() => {
    requests++;
    return breaker.admit(request).responded(200) === 'success' ? 1 : 0;
  });
  const listening = await nsOf(loop);
  const events = counted?.() ?? 2 * requests;
  if (events !== 2 * requests) throw new Error(`${events} events were counted`);
  stop();
  return listening - (await nsOf(loop));
}

function nsBare(): Promise<number> {
  const breaker = new HttpCircuitBreaker();
  return nsOf(sync(() => (breaker.admit(request).responded(200) === 'success' ? 1 : 0)));
}

function successes(breaker: HttpCircuitBreaker): Listening {
  let heard = 0;
  const stop = breaker.on('success', ({ elapsed }) => {
    if (elapsed >= 0) heard++;
  });
  return { stop, counted: () => heard };
}

function statistics(breaker: HttpCircuitBreaker): Listening {
  const counts = new CallStatistics(breaker);
  return {
    stop: () => counts.stop(),
    counted: () =>
      [...counts.series].reduce((sum, { durations }) => sum + durations.success.count, 0),
  };
}

function channelsOfMoves(breaker: HttpCircuitBreaker): Listening {
  subscribe('recloser:stateTransition', () => {});
  return { stop: publishEvents(breaker) };
}

/** With the SDK, whose reader collects at the end of the day. */
function openTelemetry(options: InstrumentOptions): (breaker: HttpCircuitBreaker) => Listening {
  return (breaker) => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const readers = [
      new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 86_400_000 }),
    ];
    return {
      stop: instrument(breaker, { meterProvider: new MeterProvider({ readers }), ...options }),
    };
  };
}

/** What the SDK takes for one duration without an attribute. */
function nsOfRecord(): Promise<number> {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const readers = [
    new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 86_400_000 }),
  ];
  const meter = new MeterProvider({ readers }).getMeter('bench');
  const histogram = meter.createHistogram('duration');
  const attributes = {};
  return nsPerCall(
    sync(() => {
      histogram.record(0.1, attributes);
      return 1;
    }),
  );
}

const bare = 'the request itself, nobody listening';
const least = "a listener for 'success'";
const counting = 'CallStatistics';
const silent = 'publishEvents, no subscriber';
const collected = 'collectMetrics, between two scrapes';
const withoutSdk = 'instrument, without an SDK';
const withoutDurations = 'instrument, with the SDK, no durations';
const withDurations = 'instrument, with the SDK';
const withAttributes = 'instrument, with the SDK and attributes';
const record = 'one `record` of a duration by the SDK, and nothing else';

export const part: Part<number> = {
  title: 'A request to which somebody listens',
  contestants: {
    [bare]: nsBare,
    [least]: () => nsAdded(successes),
    [counting]: () => nsAdded(statistics),
    [silent]: () => nsAdded((breaker) => ({ stop: publishEvents(breaker) })),
    'publishEvents, a subscriber of stateTransition': () => nsAdded(channelsOfMoves),
    [collected]: () =>
      nsAdded((breaker) => ({ stop: collectMetrics(breaker, { register: new Registry() }) })),
    [withoutSdk]: () => nsAdded((breaker) => ({ stop: instrument(breaker) })),
    [withoutDurations]: () => nsAdded(openTelemetry({ callDurations: false })),
    [withDurations]: () => nsAdded(openTelemetry({})),
    [withAttributes]: () => nsAdded(openTelemetry({ attributes: { client: 'shop' } })),
    [record]: nsOfRecord,
  },
  report: compared({
    unit: 'ns added',
    reference: bare,
    note:
      'A request is two events: one of the endpoint, one of its host. `CallStatistics` is what ' +
      '`collectMetrics` and `instrument` count with.',
    targets: (medians) => [
      atMost('request counted by `CallStatistics`: added', 300, medians[counting]!, 'ns', {
        figure: medians[least]!,
        of: 'a listener that counts, and one number alone',
      }),
      atMost('request with `publishEvents`, no subscriber: added', 50, medians[silent]!, 'ns'),
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
