import { getDegradation, markDegraded } from './degradation.ts';
import { admissionOf, rememberAdmission } from './report-failure.ts';

/**
 * For adapters: what `isDegraded` and `reportFailure` know of a response they then know of the copy
 * that the client made of it, too.
 * @returns the copy
 */
export function carryMarks<T>(response: unknown, copy: T): T {
  const degradation = getDegradation(response);
  if (degradation !== undefined) markDegraded(copy, degradation.cause);
  const admission = admissionOf(response);
  if (admission !== undefined) rememberAdmission(copy, admission);
  return copy;
}
