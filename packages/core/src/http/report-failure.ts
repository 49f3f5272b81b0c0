import type { Admission } from './admission.ts';
import { propertyOf } from './hostile-value.ts';
import { RealmTable } from './realm-table.ts';

const admissions: RealmTable<Pick<Admission, 'failureReported'>> = /* @__PURE__ */ new RealmTable(
  'admissions',
);

/** The response came by this admission. */
export function rememberAdmission(response: unknown, admission: Admission): void {
  admissions.set(response, admission);
}

/**
 * Says that a call failed although its status did not: for a caller who finds the failure in the body
 * of a 200. The success that was recorded for the endpoint becomes a failure, as when its body had
 * broken off; it is no second call.
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
  const admission = admissions.get(response) ?? admissions.get(propertyOf(response, 'response'));
  return admission?.failureReported(reason) ?? false;
}
