import { CircuitBreaker } from '@recloser/core';
import { checks } from './checks.ts';
import { Room, type World } from './room.ts';

/** Only what hangs is to end by it, so that its name is told and the others are run. */
const PATIENCE = 30_000;

/**
 * Runs all checks, and prints a line of JSON for each as it ends. Leaves nothing to do but to wait
 * for the timer of a breaker that is open.
 */
export async function runChecks(world: World, print: (line: string) => void): Promise<void> {
  for (const [index, check] of checks.entries()) {
    let line: object;
    try {
      line = { check: check.name, seen: await inTime(check.run(new Room(world, `room-${index}`))) };
    } catch (error) {
      line = { check: check.name, error: String((error as Error | undefined)?.stack ?? error) };
    }
    print(JSON.stringify(line));
  }

  const breaker = new CircuitBreaker('left open', {
    waitDurationInOpenState: 24 * 3_600_000,
    automaticTransitionFromOpenToHalfOpenEnabled: true,
  });
  breaker.transitionToOpenState();
  print(JSON.stringify({ leftIn: breaker.state }));
}

async function inTime<T>(result: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it hangs')), PATIENCE);
  });
  try {
    return await Promise.race([result, hang]);
  } finally {
    clearTimeout(timer);
  }
}
