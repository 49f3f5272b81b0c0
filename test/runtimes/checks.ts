// What a user would notice of the core and of the guarded fetch. It runs on each runtime, and so
// imports no test runner and no module of one runtime's own.

import { bodyChecks } from './body-checks.ts';
import { breakerChecks } from './breaker-checks.ts';
import type { Check } from './check.ts';
import { endingChecks } from './ending-checks.ts';
import { layerChecks } from './layer-checks.ts';
import { outageChecks } from './outage-checks.ts';
import { responseChecks } from './response-checks.ts';

export const checks: readonly Check[] = [
  ...responseChecks,
  ...outageChecks,
  ...endingChecks,
  ...bodyChecks,
  ...layerChecks,
  ...breakerChecks,
];
