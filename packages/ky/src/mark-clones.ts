import { carryMarks } from '@recloser/core/adapter';

const marked = new WeakSet<object>();

/**
 * ky gives each afterResponse hook a clone, and the hook may give that to the caller: `isDegraded`
 * and `reportFailure` are to know it. A stand-in may not let its `clone` be overridden.
 */
export function markClones(response: Response): Response {
  // A mock may give one response to many calls.
  if (typeof response !== 'object' || response === null || marked.has(response)) return response;
  const native: unknown = Reflect.get(response, 'clone');
  if (typeof native !== 'function') return response;
  marked.add(response);
  const value = (): Response => {
    const clone = Reflect.apply(native, response, []) as Response;
    return markClones(carryMarks(response, clone));
  };
  Reflect.defineProperty(response, 'clone', { value, writable: true, configurable: true });
  return response;
}
