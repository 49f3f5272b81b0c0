import type { Room } from './room.ts';

/** What all versions of a runtime have in common. */
export type Family = 'Node' | 'Bun' | 'Deno' | 'workerd' | 'workerd without Node.js APIs';

/** Where one family does not do as the others, and why. */
export interface Difference {
  readonly because: string;
  readonly expected: unknown;
}

export interface Check {
  readonly name: string;
  /** Does what a user would, and gives what is seen of it, as JSON can say it. */
  run(room: Room): Promise<unknown>;
  readonly expected: unknown;
  readonly differs?: Partial<Record<Family, Difference>>;
}
