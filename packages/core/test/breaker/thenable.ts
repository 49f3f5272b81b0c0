/** A promise of another make. */
export function thenable(
  then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => void,
): PromiseLike<never> {
  // oxlint-disable-next-line unicorn/no-thenable
  return { then } as PromiseLike<never>;
}
