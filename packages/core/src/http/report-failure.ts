import { propertyOf } from './hostile-value.ts';
import { RealmTable } from './realm-table.ts';

interface Reportable {
  failureReported(reason: unknown): boolean;
}

const admissions: RealmTable<Reportable> = /* @__PURE__ */ new RealmTable('admissions');

/**
 * The response came by this admission. A client's headers can stand for it: undici makes its
 * response only after it has told of the headers.
 */
export function rememberAdmission(response: unknown, admission: Reportable): void {
  admissions.set(response, admission);
}

/** The admission by which a response came, if that was a success; found as `reportFailure` says. */
export function admissionOf(response: unknown): Reportable | undefined {
  return (
    admissions.get(response) ??
    admissions.get(propertyOf(response, 'response')) ??
    admissions.get(propertyOf(response, 'headers'))
  );
}

/**
 * Says that a call failed although its status did not: for a caller who finds the failure in the body
 * of a 200. The success that was recorded for the endpoint becomes a failure, as when its body had
 * broken off; it is no second call.
 *
 *     const { errors } = await response.json();
 *     if (errors) reportFailure(response, 'GraphQL errors');
 *
 * @param response  the very response that the client gave, an error that has it as `response`, or a
 *   response of undici, whose `headers` stand for it
 * @param reason  stands in the `amended` event, as its `error`
 * @returns false where the response is unknown, was no success, or was reported before: nothing is
 *   changed then
 */
export function reportFailure(response: unknown, reason: unknown): boolean {
  return admissionOf(response)?.failureReported(reason) ?? false;
}
