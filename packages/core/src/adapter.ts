// What adapters of clients share. Users of a client need none of it.
export { checkFunction, shown } from './breaker/checks.ts';
export { absoluteUrl } from './http/absolute-url.ts';
export { answerInstead } from './http/answer-instead.ts';
export { carryMarks } from './http/carry-marks.ts';
export { checkAdapterOptions, type AdapterOptionCheck } from './http/check-adapter-options.ts';
export { addLayer, toHttpCircuitBreaker } from './http/http-circuit-breaker.ts';
export type { InContext } from './http/request-storage.ts';
export { webResponse } from './http/web-response.ts';
