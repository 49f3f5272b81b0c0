// Writes docs/options.md anew: `pnpm --filter @recloser/documentation-tests run options`.

import { writeFileSync } from 'node:fs';
import { optionsPage } from './options-page.ts';

const page = new URL('../../../packages/core/docs/options.md', import.meta.url);
writeFileSync(page, await optionsPage());
