/** What is on its way in the microtask queue has come then. */
export function aTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}

/** What a promise rejects with, for a test that looks at it later. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  const value = await promise.then(
    (resolved) => ({ resolved }),
    (error: unknown) => ({ error }),
  );
  if ('error' in value) return value.error;
  throw new Error(`resolves with ${String(value.resolved)}, though it was to fail`);
}
