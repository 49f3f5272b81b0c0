import {
  ValueType,
  type Meter,
  type MetricOptions,
  type Observable,
  type ObservableCounter,
  type ObservableGauge,
  type ObservableUpDownCounter,
} from '@opentelemetry/api';

/** What is read at each collection, in one go. */
export class ObservedInstruments {
  readonly calls: ObservableCounter;
  readonly refusedCalls: ObservableCounter;
  readonly transitions: ObservableCounter;
  readonly openings: ObservableCounter;
  readonly lateOutcomes: ObservableCounter;
  readonly stalledCalls: ObservableCounter;
  readonly callsInFlight: ObservableUpDownCounter;
  readonly bufferedCalls: ObservableUpDownCounter;
  readonly state: ObservableUpDownCounter;
  readonly everOpened: ObservableUpDownCounter;
  readonly everEvaluated: ObservableUpDownCounter;
  readonly failureRatio: ObservableGauge;
  readonly slowCallRatio: ObservableGauge;
  readonly timeInState: ObservableGauge;
  readonly outage: ObservableGauge;
  readonly breakers: ObservableUpDownCounter;
  readonly evictions: ObservableCounter;
  readonly overflows: ObservableCounter;
  readonly unguardedRequests: ObservableCounter;
  readonly operatorOrders: ObservableUpDownCounter;
  readonly all: Observable[] = [];

  constructor(meter: Meter) {
    const keep = <T extends Observable>(instrument: T): T => {
      this.all.push(instrument);
      return instrument;
    };
    const counter = (name: string, unit: string, description: string): ObservableCounter =>
      keep(meter.createObservableCounter(full(name), count(unit, description)));
    const number = (name: string, unit: string, description: string): ObservableUpDownCounter =>
      keep(meter.createObservableUpDownCounter(full(name), count(unit, description)));
    const gauge = (name: string, unit: string, description: string): ObservableGauge =>
      keep(meter.createObservableGauge(full(name), { unit, description }));

    this.calls = counter('calls', '{call}', 'Calls that ended');
    this.refusedCalls = counter('refused_calls', '{call}', 'Calls that were refused');
    this.transitions = counter('transitions', '{transition}', 'Moves from one state to another');
    this.openings = counter('openings', '{opening}', 'Moves to open');
    this.lateOutcomes = counter('late_outcomes', '{call}', 'Calls that ended too late to count');
    this.stalledCalls = counter('stalled_calls', '{call}', 'Calls found slow while still out');
    this.callsInFlight = number('calls_in_flight', '{call}', 'Calls that are out');
    this.bufferedCalls = number('buffered_calls', '{call}', 'Calls in the window');
    // To sum it up over instances makes sense, for which semantic conventions want this kind:
    // https://opentelemetry.io/docs/specs/semconv/how-to-write-conventions/status-metrics/
    this.state = number('state', '1', '1 for the state that the breaker is in, 0 for the others');
    this.everOpened = number('ever_opened', '{breaker}', '1 if it was ever open');
    this.everEvaluated = number('ever_evaluated', '{breaker}', '1 if it ever judged its window');
    this.failureRatio = gauge('failure_ratio', '1', 'Share of the calls in the window that failed');
    this.slowCallRatio = gauge(
      'slow_call_ratio',
      '1',
      'Share of the calls in the window that were slow',
    );
    this.timeInState = gauge('time_in_state', 's', 'How long it has been in its state');
    this.outage = gauge('outage', 's', 'How long ago it opened, if it has not closed since');
    this.breakers = number('breakers', '{breaker}', 'Breakers that there are');
    this.evictions = counter('evictions', '{breaker}', 'Breakers that were forgotten');
    this.overflows = counter('overflows', '{call}', 'Calls that got no breaker for want of room');
    this.unguardedRequests = counter(
      'unguarded_requests',
      '{request}',
      'Requests that no breaker guarded',
    );
    this.operatorOrders = number('operator_orders', '{order}', 'Orders by hand that stand');
  }
}

function full(name: string): string {
  return `circuit_breaker.${name}`;
}

function count(unit: string, description: string): MetricOptions {
  return { unit, description, valueType: ValueType.INT };
}
