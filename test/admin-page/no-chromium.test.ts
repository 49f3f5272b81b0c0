import { expect, test } from 'vitest';

const isRequired = process.env['RECLOSER_REQUIRES_CHROMIUM'] !== undefined;

// In place of the tests that run in it.
test.skipIf(!isRequired)('not here: the operator’s page, for want of a chromium on PATH', () => {
  expect.fail('There is no chromium on PATH. On Debian `.ci/install-chromium` installs it.');
});
