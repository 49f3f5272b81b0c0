/** What a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`no error, but ${String(value)}`);
}
