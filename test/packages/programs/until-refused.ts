export interface Outage {
  /** How the calls ended: each with its status, but for the last. */
  readonly endings: readonly (number | 'refused')[];
  /** What the fallback gave once calls were refused. */
  readonly instead: unknown;
}

/** Calls again and again, and once that is refused, calls with a fallback. */
export async function untilRefused(
  call: () => Promise<number>,
  isRefusal: (error: unknown) => boolean,
  callWithFallback: () => Promise<unknown>,
): Promise<Outage> {
  const endings: (number | 'refused')[] = [];
  while (endings.at(-1) !== 'refused' && endings.length < 10) {
    try {
      endings.push(await call());
    } catch (error) {
      if (!isRefusal(error)) throw error;
      endings.push('refused');
    }
  }
  return { endings, instead: await callWithFallback() };
}
