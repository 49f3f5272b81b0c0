export interface Outage {
  /** How the calls ended: each with its status, but for the last. */
  readonly endings: readonly (number | 'refused')[];
  /** What a fallback gave, or an instrument told, once calls were refused. */
  readonly next: unknown;
}

/** Calls again and again, and once that is refused, does what is to be done then. */
export async function untilRefused(
  call: () => Promise<number>,
  isRefusal: (error: unknown) => boolean,
  next: () => unknown,
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
  return { endings, next: await next() };
}
