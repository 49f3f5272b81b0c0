import fc from 'fast-check';
import { states } from './breaker-settings.ts';
import type { ModelState } from './model/model-options.ts';

export const endings = [
  'success',
  'failure',
  'ignore',
  'good result',
  'bad result',
  'recorded error',
  'ignored error',
  'other error',
  'trip',
  'hold',
  'release',
  'amend',
] as const;
export type Ending = (typeof endings)[number];

export interface EndStep {
  do: 'end';
  how: Ending;
  /** Which call, counted round those out, or round all that ever were. */
  call: number;
  among: 'out' | 'all';
  /** The span of a hold, or of a failure's Retry-After; 0 for none. */
  ms: number;
}

export type Step =
  | { do: 'acquire' }
  | EndStep
  | { do: 'advance'; ms: number }
  | { do: 'move'; to: ModelState }
  | { do: 'openFor' | 'openUntil'; ms: number }
  | { do: 'reset' }
  | { do: 'read' };

/** Near the spans of the settings, on them, and off them by the least step of the clock. */
const spans = [
  1, 0.25, 4, 5, 5.25, 10, 10.25, 45, 50, 51, 99, 100, 100.25, 850, 1000, 1001, 1500, 2000, 3001,
] as const;

const acquire = fc.constant<Step>({ do: 'acquire' });
const end: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('end' as const),
  how: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('success' as const, 'failure' as const) },
    { weight: 2, arbitrary: fc.constantFrom(...endings) },
  ),
  call: fc.nat({ max: 20 }),
  among: fc.oneof(
    { weight: 5, arbitrary: fc.constant('out' as const) },
    { weight: 1, arbitrary: fc.constant('all' as const) },
  ),
  ms: fc.constantFrom(0, 20, 200, 2500),
});
const amend: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('end' as const),
  how: fc.constant('amend' as const),
  call: fc.nat({ max: 20 }),
  among: fc.constant('all' as const),
  ms: fc.constant(0),
});
const advance: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('advance' as const),
  ms: fc.constantFrom(...spans),
});
const byHand: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('move' as const), to: fc.constantFrom(...states) }),
  fc.record({ do: fc.constant('openFor' as const), ms: fc.constantFrom(1, 30, 700) }),
  fc.record({ do: fc.constant('openUntil' as const), ms: fc.constantFrom(-10, 0, 30, 700) }),
  fc.constant<Step>({ do: 'reset' }),
);
const read = fc.constant<Step>({ do: 'read' });

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: acquire },
  { weight: 8, arbitrary: end },
  { weight: 1, arbitrary: amend },
  { weight: 5, arbitrary: advance },
  { weight: 2, arbitrary: byHand },
  { weight: 1, arbitrary: read },
);
/** Without the operator's hand: the machine's own ways. */
const ownStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: acquire },
  { weight: 8, arbitrary: end },
  { weight: 1, arbitrary: amend },
  { weight: 5, arbitrary: advance },
);

export const manySteps: fc.Arbitrary<Step[]> = fc.oneof(
  fc.array(step, { maxLength: 60, size: 'max' }),
  fc.array(ownStep, { maxLength: 60, size: 'max' }),
);
