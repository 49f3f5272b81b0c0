// summary.mjs REPORTS STATUS: prints `N passed, N failed` from vitest's reports in a directory and exits
// with STATUS. A run that broke before its tests, or beside them, counts as one failure.
import { readdirSync, readFileSync } from 'node:fs';

const [reports, status] = process.argv.slice(2);
let passed = 0;
let failed = 0;
let skipped = 0;
for (const name of readdirSync(reports)) {
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(`${reports}/${name}`, 'utf8'),
  );
  passed += numPassedTests;
  skipped += numPendingTests + numTodoTests;
  for (const { status: fileStatus, assertionResults } of testResults) {
    const failures = assertionResults.filter((test) => test.status === 'failed').length;
    failed += fileStatus === 'failed' ? Math.max(failures, 1) : failures;
  }
}

const code = Number(status) || (passed === 0 || failed > 0 ? 1 : 0);
if (code !== 0) failed = Math.max(failed, 1);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = code;
