// What adapters of clients, and packages that tell of breakers, share. Users need none of it.
export {
  checkBoolean,
  checkChoice,
  checkCount,
  checkFunction,
  checkNames,
  checkObject,
  checkText,
  shown,
} from './breaker/checks.ts';
export { setSystemTimer, systemClock } from './breaker/clock.ts';
export { circuitBreakerStates } from './breaker/state.ts';
export type { CallTally } from './breaker/call-tally.ts';
export { absoluteUrl } from './http/absolute-url.ts';
export { addLayer } from './http/add-layer.ts';
export { answerInstead } from './http/answer-instead.ts';
export { carryMarks } from './http/carry-marks.ts';
export { checkAdapterOptions, type AdapterOptionCheck } from './http/check-adapter-options.ts';
export { healthOf } from './http/health.ts';
export { httpEventTypes } from './http/http-events.ts';
export { checkHttpCircuitBreaker, isHttpCircuitBreaker } from './http/http-breaker-brand.ts';
export { listenWhileAwake } from './http/listen-while-awake.ts';
export type { InContext } from './http/request-storage.ts';
export { tallyCalls } from './http/tally-calls.ts';
export { toHttpCircuitBreaker } from './http/to-http-circuit-breaker.ts';
export { webResponse } from './http/web-response.ts';
