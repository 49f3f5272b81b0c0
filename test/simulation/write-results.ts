// Writes results.md anew: `pnpm --filter @recloser/simulation run results`.

import { writeFileSync } from 'node:fs';
import { report, simulateFigures } from './report.ts';

writeFileSync(new URL('results.md', import.meta.url), report(simulateFigures()));
