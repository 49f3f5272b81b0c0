import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BreakerRegistry, ManualClock, type Permit } from '../../src/index.ts';

/** Set FC_SEED to the printed number to try the same cases again. */
const seed = Number(process.env['FC_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
console.log(`registry, against a model: FC_SEED=${seed}`);

const BOUND = 4;
const WAIT = 100;
const actions = ['get', 'get', 'get', 'open', 'close', 'acquire', 'settle', 'delete'] as const;

/** What the model knows of one breaker. */
interface Known {
  readonly key: string;
  /** The end of its wait, while it is open. */
  openUntil: number | undefined;
  readonly permits: Permit[];
}

/** The rules of eviction, said plainly: a list, the least recently used first. */
class Model {
  known: Known[] = [];

  of(key: string): Known | undefined {
    return this.known.find((known) => known.key === key);
  }

  get(key: string, now: number): void {
    const found = this.of(key);
    if (found === undefined && this.known.length === BOUND && !this.#makeRoom(now)) return;
    this.known = this.known.filter((known) => known !== found);
    this.known.push(found ?? { key, openUntil: undefined, permits: [] });
  }

  delete(key: string): void {
    this.known = this.known.filter((known) => known.key !== key);
  }

  #makeRoom(now: number): boolean {
    const isIdle = ({ openUntil = -1, permits }: Known) => permits.length === 0 && openUntil < now;
    const isClosed = ({ openUntil }: Known) => openUntil === undefined;
    const closed = this.known.findIndex((known) => isIdle(known) && isClosed(known));
    const goes = closed === -1 ? this.known.findIndex(isIdle) : closed;
    const lookedAt = this.known.slice(0, closed === -1 ? BOUND : closed);
    const passedOver = lookedAt.filter((known) => !isIdle(known));
    const stay = this.known.filter((known, index) => index !== goes && !passedOver.includes(known));
    this.known = [...stay, ...passedOver];
    return goes !== -1;
  }
}

const step = fc.record({
  action: fc.constantFrom(...actions),
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  ms: fc.constantFrom(0, 0, 60, 101),
});

it('evicts and keeps exactly what its model does', () => {
  const property = fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
    const clock = new ManualClock();
    const registry = new BreakerRegistry({
      maxBreakers: BOUND,
      breaker: { waitDurationInOpenState: WAIT },
      clock,
    });
    const model = new Model();
    for (const { action, key, ms } of steps) {
      clock.advance(ms);
      const breaker = action === 'delete' ? undefined : registry.get(key);
      if (action === 'delete') {
        registry.delete(key);
        model.delete(key);
      } else {
        model.get(key, clock.now());
      }
      const known = model.of(key);
      expect(breaker === undefined).toBe(known === undefined);
      if (breaker !== undefined && known !== undefined) {
        if (action === 'open') {
          breaker.transitionToOpenState();
          known.openUntil = clock.now() + WAIT;
        } else if (action === 'close') {
          breaker.transitionToClosedState();
          known.openUntil = undefined;
        } else if (action === 'acquire' && breaker.state === 'closed') {
          known.permits.push(breaker.acquire());
        } else if (action === 'settle') {
          known.permits.pop()?.ignore();
        }
      }
      expect([...registry].map(([name]) => name)).toEqual(model.known.map((each) => each.key));
    }
  });
  fc.assert(property, { numRuns: 300, seed });
});
