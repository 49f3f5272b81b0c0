// What workerd runs.

import type { World } from './room.ts';
import { runChecks } from './run-checks.ts';

export default {
  async test(_controller: unknown, { WORLD }: { readonly WORLD: World }): Promise<void> {
    console.log(JSON.stringify({ userAgent: navigator.userAgent }));
    await runChecks(WORLD, (line) => console.log(line));
  },
};
