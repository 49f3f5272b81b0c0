import { describe, expect, it } from 'vitest';
import {
  CircuitBreaker,
  ManualClock,
  type HttpCircuitBreakerOptions,
  type StateTransitionEvent,
} from '../../src/index.ts';
import { coded, Rig } from './http-rig.ts';

const PRICING = 'https://pricing.example.com';
const INVENTORY = 'https://inventory.example.com';

const pricing = {
  slidingWindowType: 'time-based',
  slidingWindowSize: 10,
  minimumNumberOfCalls: 20,
  failureRateThreshold: 50,
  slowCallDurationThreshold: 800,
  slowCallRateThreshold: 70,
  waitDurationInOpenState: { initial: 20_000, multiplier: 2, max: 120_000 },
  automaticTransitionFromOpenToHalfOpenEnabled: true,
  permittedNumberOfCallsInHalfOpenState: 5,
  maxWaitDurationInHalfOpenState: 10_000,
} as const;

const inventory = {
  slidingWindowType: 'count-based',
  slidingWindowSize: 20,
  minimumNumberOfCalls: 10,
  failureRateThreshold: 50,
  slowCallDurationThreshold: 2000,
  slowCallRateThreshold: 80,
  waitDurationInOpenState: 30_000,
  permittedNumberOfCallsInHalfOpenState: 3,
} as const;

const examples: HttpCircuitBreakerOptions = {
  configs: { pricing, inventory },
  overrides: [
    { name: 'pricing', host: 'pricing.example.com', base: 'pricing' },
    { name: 'inventory', host: 'inventory.example.com', base: 'inventory' },
  ],
  rules: [
    {
      name: 'connection errors are recorded',
      host: 'pricing.example.com',
      error: ['dns', 'refused', 'unreachable', 'tls', 'connect-timeout', 'reset'],
      outcome: 'failure',
    },
    {
      name: 'no such price',
      host: 'pricing.example.com',
      status: 404,
      outcome: 'ignore',
    },
  ],
};

/** From JSON, as it would be stored. */
function stored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** The services of the two examples; calls go to one of them. */
class Services extends Rig {
  readonly #origin: string;

  constructor(origin: string) {
    super(stored(examples));
    this.#origin = origin;
  }

  get service(): CircuitBreaker {
    return this.breaker(`GET ${this.#origin}/items/:id`);
  }

  get call(): { path: string; origin: string } {
    return { path: '/items/1', origin: this.#origin };
  }

  answer(status: number, times = 1, after = 0): void {
    for (let call = 0; call < times; call++) {
      const admission = this.admit(this.call.path, this.call);
      this.clock.advance(after);
      admission.responded(status);
    }
  }

  refused(): string | undefined {
    return this.refusal(this.call.path, this.call.origin)?.reason;
  }
}

// What neither example says: of the HTTP defaults.
const inherited = {
  consecutiveFailureThreshold: 10,
  failureCountThreshold: Infinity,
  maxConcurrentCalls: Infinity,
  maxConcurrentCallsInHalfOpenState: Infinity,
  transitionToStateAfterWaitDuration: 'evaluate',
  detectStalledCalls: true,
  permitLease: 360_000,
  recordErrors: undefined,
  ignoreErrors: undefined,
  recordResult: undefined,
  transitionOnResult: undefined,
  initialState: 'closed',
  writableStackTraceEnabled: false,
};

/** Every resolved option but the clock; of the waits, the first six. */
function resolved(origin: string): Record<string, unknown> {
  const services = new Services(origin);
  services.answer(200);
  const { clock: _, ...options } = services.service.machine.options;
  const waits = [1, 2, 3, 4, 5, 6].map((openings) => options.waitDurationInOpenState(openings));
  return { ...options, waitDurationInOpenState: waits };
}

describe('the worked examples', () => {
  it('are plain data: nothing is lost in JSON', () => {
    expect(stored(examples)).toEqual(examples);
  });

  it('show their names', () => {
    for (const [origin, name] of [
      [PRICING, 'pricing'],
      [INVENTORY, 'inventory'],
    ] as const) {
      const services = new Services(origin);
      services.answer(503, 10);
      expect(services.refusal(services.call.path, origin)?.breaker).toBe(name);
    }
  });
});

describe('pricing', () => {
  it('is resolved field by field', () => {
    expect(resolved(PRICING)).toEqual({
      ...inherited,
      slidingWindowType: 'time-based',
      slidingWindowSize: 10,
      minimumNumberOfCalls: 20,
      failureRateThreshold: 50,
      slowCallDurationThreshold: 800,
      slowCallRateThreshold: 70,
      waitDurationInOpenState: [20_000, 40_000, 80_000, 120_000, 120_000, 120_000],
      automaticTransitionFromOpenToHalfOpenEnabled: true,
      permittedNumberOfCallsInHalfOpenState: 5,
      maxWaitDurationInHalfOpenState: 10_000,
    });
  });

  it('opens at 50 % of 20 calls, and not of 19', () => {
    const services = new Services(PRICING);
    for (let call = 0; call < 19; call++) services.answer(call % 2 === 0 ? 500 : 200);
    expect(services.service.state).toBe('closed');
    services.answer(200);
    expect(services.service.state).toBe('open');
  });

  it('forgets a call with its second, 10 s later', () => {
    const services = new Services(PRICING);
    services.answer(500);
    services.clock.advance(9999);
    expect(services.service.metrics().numberOfBufferedCalls).toBe(1);
    services.clock.advance(1);
    expect(services.service.metrics().numberOfBufferedCalls).toBe(0);
  });

  it('takes 800 ms for quick, and opens where 14 of 20 calls take longer', () => {
    const services = new Services(PRICING);
    services.answer(200, 1, 800);
    expect(services.service.metrics().numberOfSlowCalls).toBe(0);
    services.clock.advance(20_000);
    // So many at a time, and never ten: they would stall in a row.
    for (const atATime of [5, 5, 4]) {
      const calls = Array.from({ length: atATime }, () =>
        services.admit('/items/1', services.call),
      );
      services.clock.advance(801);
      for (const call of calls) call.responded(200);
    }
    services.answer(200, 5);
    expect(services.service.metrics()).toMatchObject({ numberOfSlowCalls: 14, state: 'closed' });
    services.answer(200);
    expect(services.service.state).toBe('open');
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'UND_ERR_CONNECT_TIMEOUT'])(
    'records the connection error %s, as its own and not its host’s alone',
    (code) => {
      const services = new Services(PRICING);
      services.fail(coded(code), { ...services.call, times: 9 });
      expect(services.service.metrics()).toMatchObject({ numberOfFailedCalls: 9, state: 'closed' });
      services.fail(coded(code), services.call);
      expect(services.service.state).toBe('open');
    },
  );

  it('ignores 404, which gives a trial call back', () => {
    const services = new Services(PRICING);
    services.answer(503, 10);
    expect(services.service.metrics().numberOfBufferedCalls).toBe(10);
    services.clock.advance(20_000);
    services.answer(404, 30);
    expect(services.service.metrics()).toMatchObject({
      state: 'half-open',
      numberOfBufferedCalls: 0,
    });
  });

  it('moves by itself, waits 20, 40, 80, 120 and 120 s, and tries with five calls', () => {
    const services = new Services(PRICING);
    const moves = services.hear('stateTransition');
    services.answer(503, 10);
    for (const seconds of [20, 40, 80, 120, 120]) {
      expect(moves.at(-1)).toMatchObject({ to: 'open', wait: seconds * 1000 });
      services.clock.advance(seconds * 1000 - 1);
      expect(moves.at(-1)).toMatchObject({ to: 'open' });
      services.clock.advance(2);
      expect(moves.at(-1)).toMatchObject({ to: 'half-open', reason: 'wait-elapsed' });
      services.answer(503, 5);
    }
    expect(moves.at(-1)).toMatchObject({ to: 'open', wait: 120_000 });
  });

  it('has room for five trial calls, and closes by them', () => {
    const services = new Services(PRICING);
    services.answer(503, 10);
    services.clock.advance(20_001);
    const trials = Array.from({ length: 5 }, () => services.admit('/items/1', services.call));
    expect(services.refused()).toBe('half-open-full');
    for (const trial of trials) trial.responded(200);
    expect(services.service.state).toBe('closed');
  });

  it.each([
    [200, 'closed'],
    [503, 'open'],
  ])('judges after 10 s of half-open by what one %i showed: %s', (status, state) => {
    const services = new Services(PRICING);
    services.answer(503, 10);
    services.clock.advance(20_001);
    services.answer(status);
    services.clock.advance(9999);
    expect(services.service.state).toBe('half-open');
    services.clock.advance(1);
    expect(services.service.state).toBe(state);
  });
});

describe('inventory', () => {
  it('is resolved field by field', () => {
    expect(resolved(INVENTORY)).toEqual({
      ...inherited,
      slidingWindowType: 'count-based',
      slidingWindowSize: 20,
      minimumNumberOfCalls: 10,
      failureRateThreshold: 50,
      slowCallDurationThreshold: 2000,
      slowCallRateThreshold: 80,
      waitDurationInOpenState: Array(6).fill(30_000),
      automaticTransitionFromOpenToHalfOpenEnabled: false,
      permittedNumberOfCallsInHalfOpenState: 3,
      // Not said: the slow threshold in force, by which a trial call is slow.
      maxWaitDurationInHalfOpenState: 2000,
    });
  });

  it('opens at 50 % of 10 calls, and not of 9', () => {
    const services = new Services(INVENTORY);
    for (let call = 0; call < 9; call++) services.answer(call % 2 === 0 ? 500 : 200);
    expect(services.service.state).toBe('closed');
    services.answer(200);
    expect(services.service.state).toBe('open');
  });

  it('holds the last 20 calls, however old', () => {
    const services = new Services(INVENTORY);
    services.answer(200, 30);
    services.clock.advance(3_600_000);
    expect(services.service.metrics().numberOfBufferedCalls).toBe(20);
    services.answer(500, 9);
    expect(services.service.metrics()).toMatchObject({ failureRate: 45, state: 'closed' });
  });

  it('takes 2 s for quick, and opens where 8 of 10 calls take longer', () => {
    const services = new Services(INVENTORY);
    services.answer(200, 2, 2000);
    services.answer(200, 7, 2001);
    expect(services.service.metrics()).toMatchObject({ numberOfSlowCalls: 7, state: 'closed' });
    services.answer(200, 1, 2001);
    expect(services.service.state).toBe('open');
  });

  it('waits 30 s each time, moves with the next call, and tries with three', () => {
    const services = new Services(INVENTORY);
    const moves = services.hear('stateTransition');
    services.answer(503, 10);
    for (let opening = 0; opening < 3; opening++) {
      expect(moves.at(-1)).toMatchObject({ to: 'open', wait: 30_000 });
      services.clock.advance(30_000);
      expect(services.refused()).toBe('open');
      services.clock.advance(1);
      expect(services.service.state).toBe('open');
      services.answer(503, 3);
    }
    services.clock.advance(30_001);
    services.answer(200, 3);
    expect(moves.at(-1)).toMatchObject({ to: 'closed' });
  });
});

/** What the service does with a call. */
interface Answer {
  readonly status: number;
  readonly after: number;
}

const HEALTHY: Answer = { status: 200, after: 40 };

/**
 * 20 calls a second, well for a minute and then not. Ms from then to the first opening, and why it
 * opened.
 */
function firstOpening(
  clock: ManualClock,
  moves: readonly StateTransitionEvent[],
  call: (answer: Answer) => void,
  broken: Answer,
): { after: number; reason: string } {
  const send = (answer: Answer): void => {
    call(answer);
    clock.advance(50);
  };
  for (let number = 0; number < 1200; number++) send(HEALTHY);
  expect(moves).toEqual([]);
  const began = clock.date();
  while (moves.length === 0 && clock.date() - began < 60_000) send(broken);
  const { at = NaN, reason = 'none' } = moves[0] ?? {};
  return { after: at - began, reason };
}

function throughHttp(broken: Answer): ReturnType<typeof firstOpening> {
  const services = new Services(PRICING);
  const moves = services.hear('stateTransition');
  const call = ({ status, after }: Answer): void => {
    const admission = services.tryAdmit('/items/1', PRICING);
    if ('responded' in admission) services.clock.setTimer(() => admission.responded(status), after);
  };
  return firstOpening(services.clock, moves, call, broken);
}

function throughBreaker(broken: Answer): ReturnType<typeof firstOpening> {
  const clock = new ManualClock();
  const breaker = new CircuitBreaker('pricing', { ...stored(pricing), clock });
  const moves: StateTransitionEvent[] = [];
  breaker.on('stateTransition', (event) => moves.push(event));
  const call = ({ status, after }: Answer): void => {
    const permit = breaker.tryAcquire();
    const settle = () => (status < 500 ? permit?.success() : permit?.failure());
    clock.setTimer(settle, after);
  };
  return firstOpening(clock, moves, call, broken);
}

describe('pricing at 20 calls a second', () => {
  const outage: Answer = { status: 503, after: 40 };
  const slowDown: Answer = { status: 200, after: 1000 };

  it('opens in the first second of an outage, by the row that it inherits', () => {
    // The tenth call is sent at 450 ms.
    expect(throughHttp(outage)).toEqual({ after: 490, reason: 'consecutive-failures' });
  });

  it('opens in the eighth second of a slow-down, by the rate of slow calls', () => {
    // At 6.99 s the window holds three seconds of quick calls, 60, and 124 that are slow: 67 %.
    expect(throughHttp(slowDown)).toEqual({ after: 7000, reason: 'slow-call-rate' });
  });

  it('opens in the fifth second of an outage as a bare breaker, which has no row', () => {
    // 100 failures, and 100 calls of the five seconds before.
    expect(throughBreaker(outage)).toEqual({ after: 4990, reason: 'failure-rate' });
  });

  it('opens in the eighth second of a slow-down as a bare breaker, which counts what returned', () => {
    // At 6.95 s: 60 quick calls and 120 slow ones, 67 %.
    expect(throughBreaker(slowDown)).toEqual({ after: 7000, reason: 'slow-call-rate' });
  });
});
