// Runs one contestant of one part and prints its figure: `node --expose-gc child.ts PART
// CONTESTANT`.

import { writeSync } from 'node:fs';
import type { Part } from './part.ts';

const [name, contestant] = process.argv.slice(2) as [string, string];
const { part } = (await import(`./parts/${name}.ts`)) as { part: Part<unknown> };
writeSync(1, JSON.stringify(await part.contestants[contestant]!()));
// Timers of opossum and sockets would keep it.
process.exit();
