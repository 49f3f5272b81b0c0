import { getCallNotPermitted } from './errors.ts';
import type { ResolvedOptions } from './resolve-options.ts';

/**
 * What a thrown error counts as: ignoring wins over recording, and another breaker's refusal is
 * ignored unless it is listed. What a predicate throws goes to `report`, and matches nothing.
 */
export function classifyError(
  options: ResolvedOptions,
  error: unknown,
  report: (thrown: unknown, source: string) => void,
): 'failure' | 'success' | 'ignored' {
  const { ignoreErrors, recordErrors } = options;
  if (ignoreErrors?.(error, (thrown) => report(thrown, 'ignoreErrors'))) return 'ignored';
  if (recordErrors?.(error, (thrown) => report(thrown, 'recordErrors'))) return 'failure';
  if (getCallNotPermitted(error) !== undefined) return 'ignored';
  return recordErrors === undefined ? 'failure' : 'success';
}
