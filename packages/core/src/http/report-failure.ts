import type { Admission } from './admission.ts';
import { propertyOf } from './hostile-value.ts';

// One table for every copy of the package, as that of degraded responses.
const table: unique symbol = Symbol.for('@recloser/core.admissions');
const realm = globalThis as { [table]?: WeakMap<object, Pick<Admission, 'failureReported'>> };

/** The response came by this admission. */
export function rememberAdmission(response: unknown, admission: Admission): void {
  if (typeof response !== 'object' || response === null) return;
  (realm[table] ??= new WeakMap()).set(response, admission);
}

/**
 * Says that a call failed although its status did not: for a caller who finds the failure in the
 * body of a 200. The success that was recorded for the endpoint becomes a failure, as when its body
 * had broken off; it is no second call.
 *
 *     const { errors } = await response.json();
 *     if (errors) reportFailure(response, 'GraphQL errors');
 *
 * @param response  the very response that the client gave, or an error that has it as `response`
 * @param reason  stands in the `amended` event, as its `error`
 * @returns false where the response is unknown, was no success, or was reported before: nothing is
 *   changed then
 */
export function reportFailure(response: unknown, reason: unknown): boolean {
  const admission = admissionOf(response) ?? admissionOf(propertyOf(response, 'response'));
  return admission?.failureReported(reason) ?? false;
}

function admissionOf(response: unknown): Pick<Admission, 'failureReported'> | undefined {
  if (typeof response !== 'object' || response === null) return undefined;
  return realm[table]?.get(response);
}
