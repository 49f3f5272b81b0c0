/**
 * The fallback's answer to a call whose response was a failure. Of that one the body is cancelled
 * where nobody has begun to read it: nobody else has it, and it would hold its connection.
 */
export async function inPlaceOf(failing: unknown, answer: Promise<unknown>): Promise<unknown> {
  let ending: unknown;
  try {
    ending = await answer;
    return ending;
  } catch (error) {
    ending = error;
    throw error;
  } finally {
    leaveUnless(ending, failing as Response);
  }
}

/** An answer, or an error, may hand on the failing response, or its body. */
function leaveUnless(ending: unknown, failing: Response): void {
  try {
    const { body, bodyUsed } = failing;
    const { body: own, cause, response } = Object(ending) as Record<string, unknown>;
    const isUsed = own === body || [ending, cause, response].includes(failing);
    if (body === null || bodyUsed || isUsed) return;
    void body.cancel().catch(() => {});
  } catch {
    // A stand-in, whose body is no stream of the web.
  }
}
