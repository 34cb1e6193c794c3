/**
 * Prints the counts of a vitest JSON report as its one line, for example `812 passed, 0 failed, 3 skipped`.
 *
 * Usage: node scripts/count-tests.mjs <report.json>. Exits with 1 when anything failed, also a file that did not load.
 */
import { existsSync, readFileSync } from 'node:fs';

const [path] = process.argv.slice(2);
const report = existsSync(path)
  ? JSON.parse(readFileSync(path, 'utf8'))
  : { testResults: [{ status: 'failed', assertionResults: [] }], success: false };

const count = (status) =>
  report.testResults.flatMap((file) => file.assertionResults).filter((test) => status.includes(test.status)).length;
const unloaded = report.testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
).length;

const passed = count(['passed']);
const failed = count(['failed']) + unloaded;
const skipped = count(['skipped', 'pending', 'todo', 'disabled']);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 && passed > 0 && report.success ? 0 : 1;
