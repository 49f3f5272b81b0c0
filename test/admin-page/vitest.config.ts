import { findExecutable } from '@recloser/test-support/find-executable';
import { project } from '../vitest.project.ts';

const placeholder = 'no-chromium.test.ts';

// The page in Chromium, served by the handler’s sources.
export default project(
  'admin-page',
  findExecutable('chromium') === undefined
    ? { include: [placeholder] }
    : { exclude: [placeholder] },
);
