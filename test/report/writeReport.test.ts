/** A report as a file. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ValidationResult } from '../../src/index.js';
import { acrossSites, subgroupTable } from '../../src/stats/index.js';
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
  for (const place of [join(folder, 'r.htm'), join(folder, 'r.markdown'), 5])
    expect(await thrown(place)).toMatch(/^bad_place: /);
  const missing = join(folder, 'no', 'such', 'r.html');
  expect(await thrown(missing)).toMatch(/^unwritable_place: /);
  expect(existsSync(missing)).toBe(false);
  await result.writeReport(join(folder, 'later.md'));
});

describe('subgroups and sites', () => {
  const rows = Array.from({ length: 60 }, (_, row) => row);
  const parts = (of: ValidationResult) => ({
    subgroups: subgroupTable(of, { by: { half: rows.map((row) => row % 2) }, metrics: ['accuracy'] }),
    sites: acrossSites(of, { sites: rows.map((row) => row % 3), metric: 'accuracy' }),
  });

  it('are written where they are of this result, also when read back from JSON', async () => {
    const own = JSON.parse(JSON.stringify(parts(result)));
    own.subgroups.rows[0].differences.accuracy = { estimate: 0.25, lower: 0.1, upper: 0.4 };
    await result.writeReport(join(folder, 'own.md'), own);
    const text = readFileSync(join(folder, 'own.md'), 'utf8');
    expect(text).toMatch(/## Subgroups\n[\s\S]*## Sites\n/);
    expect(text).toContain('| accuracy | less all others |');
    expect(text).toContain('| 0.250 (0.100 to 0.400) |');
  });

  it('are refused where they are of another result, and where JSON would drop them', async () => {
    const other = parts(await someResult({ randomState: 7 }));
    const thrown = (place: string, options: object) =>
      result.writeReport(join(folder, place), options).catch(({ code, message }) => `${code}: ${message}`);
    for (const name of ['subgroups', 'sites'] as const) {
      const text = `other_result: The \`${name}\` option of report must be computed from the result of the report. Got what was computed from another one.`;
      for (const place of ['not.md', 'not.html']) expect(await thrown(place, { [name]: other[name] })).toBe(text);
      expect(() => result.toMarkdown({ [name]: other[name] })).toThrow('another one');
      expect(await thrown('not.json', { [name]: parts(result)[name] })).toBe(
        `idle_option: The \`${name}\` option of writeReport has no effect: JSON has the result alone. Write .html or .md.`,
      );
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('not'))).toEqual([]);
  });
});
