import { expect, test } from 'vitest';

const isRequired = process.env['RECLOSER_REQUIRES_PROMETHEUS'] !== undefined;

// In place of the tests that ask it.
test.skipIf(!isRequired)('not here: the tests with Prometheus, for want of one on PATH', () => {
  expect.fail(
    'There is no prometheus with its promtool on PATH. On Debian `.ci/install-prometheus` installs it.',
  );
});
