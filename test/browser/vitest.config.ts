import { chromiumArguments } from '@recloser/test-support/chromium-arguments';
import { findExecutable } from '@recloser/test-support/find-executable';
import { playwright } from '@vitest/browser-playwright';
import { defineProject } from 'vitest/config';

/** Only what hangs is to end by it: a slow machine is no reason to fail. */
const PATIENCE = 300_000;

const executablePath = findExecutable('chromium');

// Its packages are the built ones, with the conditions that Vite gives every page: no source
// condition is among them.
export default defineProject({
  // Found while tests run they would reload the page.
  optimizeDeps: { include: ['axios', 'ky'] },
  test:
    executablePath === undefined
      ? { name: 'browser', include: ['no-chromium.test.ts'] }
      : {
          name: 'browser',
          include: ['*.browser.test.ts'],
          globalSetup: ['global-setup.ts'],
          setupFiles: ['expect-build.ts'],
          testTimeout: PATIENCE,
          hookTimeout: PATIENCE,
          // One page at a time.
          fileParallelism: false,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            connectTimeout: PATIENCE,
            instances: [{ name: 'browser', browser: 'chromium' }],
            provider: playwright({
              launchOptions: {
                executablePath,
                timeout: PATIENCE,
                args: chromiumArguments,
              },
            }),
          },
        },
});
