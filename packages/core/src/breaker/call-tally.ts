import type { CircuitBreakerEventType, OutcomeDetails } from './events.ts';

/**
 * Counts calls as they end, in the middle of the step that ends them: it is handed what an event
 * would tell, and no event is made for it, which costs ten times as much
 * (test/bench/parts/listener.ts). It must not ask or move a breaker.
 * @param type  how it ended: the name of its event
 * @param elapsed  from admission to the end, in ms
 */
export type CallTally = (
  key: string,
  name: string,
  type: CircuitBreakerEventType,
  elapsed: number,
  details: OutcomeDetails | undefined,
) => void;
