/** A report as a file. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ValidationResult } from '../../src/index.js';
import { someResult } from '../helpers/result.js';

const folder = mkdtempSync(join(tmpdir(), 'cvkit-report-'));
afterAll(() => rmSync(folder, { recursive: true }));
let result: ValidationResult;
beforeAll(async () => {
  result = await someResult();
});

it('is HTML, Markdown or JSON by the ending of its name, and replaces what was there', async () => {
  for (const [name, begins] of [
    ['r.html', '<!doctype html>'],
    ['r.MD', '# Cross-validation: report'],
    ['r.json', '{\n'],
  ]) {
    await result.writeReport(join(folder, name));
    await result.writeReport(pathToFileURL(join(folder, name)));
    expect(readFileSync(join(folder, name), 'utf8').startsWith(begins)).toBe(true);
  }
  expect(readdirSync(folder).sort()).toEqual(['r.MD', 'r.html', 'r.json']);
});

it('refuses a name without an ending that it knows, and a place that cannot be written; the result stays', async () => {
  const thrown = (place: unknown) =>
    result.writeReport(place as string).catch(({ code, message }) => `${code}: ${message}`);
  expect(await thrown('report.pdf')).toBe(
    "bad_place: The place of writeReport must be a path or file URL that ends in .html, .md or .json. Got 'report.pdf'.",
  );
  expect(await thrown(5)).toMatch(/^bad_place: /);
  const missing = join(folder, 'no', 'such', 'r.html');
  expect(await thrown(missing)).toMatch(/^unwritable_place: /);
  expect(existsSync(missing)).toBe(false);
  await result.writeReport(join(folder, 'later.md'));
});
