/**
 * Prints the counts of vitest JSON reports as its one line, for example `812 passed, 0 failed, 3 skipped`. A test that one
 * run leaves to another is skipped only where none ran it.
 *
 * Usage: node scripts/count-tests.mjs <report.json> ... Exits with 1 when anything failed, also a file that did not load.
 */
import { existsSync, readFileSync } from 'node:fs';

const UNREADABLE = { testResults: [{ status: 'failed', assertionResults: [] }], success: false };
const reports = process.argv
  .slice(2)
  .map((path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : UNREADABLE));
const files = reports.flatMap((report) => report.testResults);
const tests = files.flatMap(({ name, assertionResults }) =>
  assertionResults.map(({ fullName, status }) => ({ key: `${name} ${fullName}`, status })),
);

const unloaded = files.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
).length;
const passed = tests.filter(({ status }) => status === 'passed').length;
const failed = tests.filter(({ status }) => status === 'failed').length + unloaded;
const ran = new Set(tests.filter(({ status }) => ['passed', 'failed'].includes(status)).map(({ key }) => key));
const skipped = new Set(tests.map(({ key }) => key).filter((key) => !ran.has(key))).size;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 && passed > 0 && reports.every(({ success }) => success) ? 0 : 1;
