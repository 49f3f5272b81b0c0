import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CallNotPermittedError,
  type Admission,
  type CircuitBreaker,
  type OutcomeRow,
} from '../../src/index.ts';
import { coded, HOST, retryAfter, Rig } from './http-rig.ts';

/** Set FC_SEED to the printed number to try the same cases again. */
const seed = Number(process.env['FC_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
console.log(`two levels, properties: FC_SEED=${seed}`);

const rules: OutcomeRow[] = [
  { status: 429, retryAfter: true, outcome: 'hold' },
  { status: 430, outcome: 'hold', holdFor: 700, domain: 'host' },
  { status: 521, outcome: 'trip' },
  { status: 522, outcome: 'trip', domain: 'host' },
  { status: 523, outcome: 'failure', domain: 'host' },
  { status: 444, outcome: 'ignore' },
];

const endings: readonly ((admission: Admission) => void)[] = [
  (admission) => admission.responded(200),
  (admission) => admission.responded(200),
  (admission) => admission.responded(503, retryAfter('2')),
  (admission) => admission.responded(429, retryAfter('1')),
  (admission) => admission.responded(430),
  (admission) => admission.responded(521),
  (admission) => admission.responded(522),
  (admission) => admission.responded(523),
  (admission) => admission.responded(444),
  (admission) => admission.failed(coded('ECONNREFUSED')),
  (admission) => admission.failed(coded('ECONNRESET')),
  (admission) => admission.failed(new DOMException('gone', 'AbortError')),
  (admission) => admission.bodyFailed(coded('ECONNRESET')),
  (admission) => {
    admission.responded(200);
    admission.bodyFailed(coded('ECONNRESET'));
  },
  (admission) => admission.released(),
  (admission) => {
    admission.released();
    admission.responded(500);
  },
];

type Step =
  | { readonly do: 'admit'; readonly path: string }
  | { readonly do: 'end'; readonly call: number; readonly how: number }
  | { readonly do: 'advance'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('admit'), path: fc.constantFrom('/a', '/b', '/c') }) }, // prettier-ignore
  { weight: 5, arbitrary: fc.record({ do: fc.constant('end'), call: fc.nat(7), how: fc.nat(endings.length - 1) }) }, // prettier-ignore
  { weight: 2, arbitrary: fc.record({ do: fc.constant('advance'), ms: fc.constantFrom(0, 1, 400, 1001, 1600, 5000) }) }, // prettier-ignore
);

const scenario = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 120 }),
  detectStalledCalls: fc.boolean(),
  permitted: fc.integer({ min: 1, max: 3 }),
  limit: fc.constantFrom(0, 2000),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

/** Small thresholds and spans, so that a few steps move everything. */
function rigOf({ detectStalledCalls, permitted, limit }: Scenario): Rig {
  return new Rig({
    rules,
    breaker: {
      minimumNumberOfCalls: 4,
      consecutiveFailureThreshold: 3,
      waitDurationInOpenState: 1000,
      slowCallDurationThreshold: 1500,
      permittedNumberOfCallsInHalfOpenState: permitted,
      maxWaitDurationInHalfOpenState: limit,
      permitLease: 4000,
      detectStalledCalls,
    },
    hostBreaker: { consecutiveFailureThreshold: 4, maxWaitDurationInHalfOpenState: limit },
  });
}

function breakersOf(rig: Rig): CircuitBreaker[] {
  return [HOST, ...['/a', '/b', '/c'].map((path) => `GET ${HOST}${path}`)].flatMap(
    (key) => rig.http.find(key) ?? [],
  );
}

/** Plays the steps, and looks after each of them; answers the calls that are still out. */
function play(
  chosen: Scenario,
  look: (rig: Rig, out: readonly Admission[]) => void,
): { rig: Rig; out: Admission[] } {
  const rig = rigOf(chosen);
  const out: Admission[] = [];
  for (const step of chosen.steps) {
    if (step.do === 'advance') rig.clock.advance(step.ms);
    else if (step.do === 'end')
      out.splice(step.call, 1).forEach((call) => endings[step.how]!(call));
    else {
      const answer = rig.tryAdmit(step.path);
      if (!(answer instanceof CallNotPermittedError)) out.push(answer);
    }
    look(rig, out);
  }
  return { rig, out };
}

function check(property: (chosen: Scenario) => void): void {
  fc.assert(fc.property(scenario, property), { numRuns: 300, seed });
}

describe('two levels, whatever the endings', () => {
  it('leave no call in flight at either level once all have ended', () => {
    check((chosen) => {
      const { rig, out } = play(chosen, () => {});
      for (const [index, admission] of out.entries()) endings[index % endings.length]!(admission);
      for (const breaker of breakersOf(rig)) expect(breaker.metrics().callsInFlight).toBe(0);
    });
  });

  it('leave none in flight once all leases are over, if none ever ends', () => {
    check((chosen) => {
      const { rig } = play(chosen, () => {});
      rig.clock.advance(4001);
      for (const breaker of breakersOf(rig).toReversed()) {
        expect(breaker.metrics().callsInFlight).toBe(0);
      }
    });
  });

  it('never have more trial calls out in half-open than are permitted, and lose none', () => {
    check((chosen) => {
      play(chosen, (rig) => {
        for (const { machine } of breakersOf(rig)) {
          const { state, period } = machine;
          if (state.name !== 'half-open') continue;
          expect(state.permitsLeft).toBeGreaterThanOrEqual(0);
          expect(state.trialsOut).toBeGreaterThanOrEqual(0);
          // Each permit is there, or out, or used by an outcome.
          const used = state.permitsLeft + state.trialsOut + period.window.calls;
          expect(used).toBe(chosen.permitted);
        }
      });
    });
  });

  it('never have more calls in flight than there are', () => {
    check((chosen) => {
      play(chosen, (rig, out) => {
        const [host = 0, ...endpoints] = [...breakersOf(rig)].map(
          (breaker) => breaker.metrics().callsInFlight,
        );
        expect(host).toBeLessThanOrEqual(out.length);
        expect(endpoints.reduce((sum, calls) => sum + calls, 0)).toBeLessThanOrEqual(out.length);
      });
    });
  });

  it('can always be closed again by healthy calls', () => {
    check((chosen) => {
      const { rig, out } = play(chosen, () => {});
      for (const admission of out) admission.released();
      for (let round = 0; round < 40; round++) {
        for (const path of ['/a', '/b', '/c']) {
          if (rig.refusal(path) === undefined) rig.respond(200, { path });
        }
        rig.clock.advance(500);
      }
      for (const breaker of breakersOf(rig)) expect(breaker.state).toBe('closed');
    });
  });
});
