import { findChromium } from '../browser/find-chromium.ts';
import { project } from '../vitest.project.ts';

const placeholder = 'no-chromium.test.ts';

// The page in Chromium, served by the handler’s sources.
export default project(
  'admin-page',
  findChromium() === undefined ? { include: [placeholder] } : { exclude: [placeholder] },
);
