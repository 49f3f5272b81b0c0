/** A stand-in of fetch. What it throws it rejects with. */
export function standIn<R>(answer: () => R | PromiseLike<R>): (url: string) => Promise<R> {
  return async () => answer();
}
