// What Node, Bun and Deno run.

import type { World } from './room.ts';
import { runChecks } from './run-checks.ts';

const imports = ['@recloser/core', '@recloser/fetch'].map((name) => import.meta.resolve(name));
console.log(JSON.stringify({ userAgent: navigator.userAgent, imports }));

await runChecks(JSON.parse(process.argv[2]!) as World, (line) => console.log(line));
