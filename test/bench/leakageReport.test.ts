/** The data file of the leakage benchmark and what is generated from it, from made-up counts: goals, kinds, rules, picture. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { dataText, writeParts } from '../../bench/leakage/dataFile.mjs';
import { countsOf } from '../../bench/leakage/peers/comparison.mjs';
import { byCheck, byCorpus, rightOf, summarise, verdictOf, wilson } from '../../bench/leakage/summary.mjs';
import { leakagePicture, leakagePieces } from '../../scripts/generate/leakage.mjs';

const folder = mkdtempSync(join(tmpdir(), 'cvkit-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

const scenario = { check: 'CVL002', type: 'duplicate', n: 100, what: 'copies', corpus: null as string | null };
const planted = { ...scenario, kind: 'planted', cases: 400, fired: 400, notEvaluated: 0, counts: true };
const clean = { ...scenario, kind: 'clean', cases: 1000, fired: 0, notEvaluated: 0, counts: true };

/** A scenario of the comparison: what cvkit and one rule found in each case. */
function compared(kind: string, ours: number, theirs: number) {
  const cases = Array.from({ length: 10 }, (_, at) => ({
    status: at < ours ? 'needs_review' : 'passed',
    fired: { 'trustcv, duplicate': at < theirs },
    errors: at === 9 ? { 'trustcv, duplicate': 'ValueError' } : {},
  }));
  return { ...scenario, kind, cases };
}

/** The data file as it is read: parts with columns. */
function dataOf(scenarios: object[], peers: object[] = [compared('planted', 10, 4), compared('clean', 0, 3)]) {
  const file = pathToFileURL(join(folder, 'data.json'));
  const table = { table: 'pbc', rows: 418, features: 17, agreeing: 0, findings: ['CVL011 needs_review: id'] };
  const plants = [
    { table: 'pbc', plant: 'rows twice', check: 'CVL002', found: true, status: 'failed' },
    { table: 'pbc', plant: 'oversampling', check: 'CVL002', found: false, status: 'not_evaluated' },
  ];
  writeParts(
    {
      scenarios: { seed: '1', records: scenarios },
      peers: { versions: { trustcv: '1.0.7', cleanlab: null }, cases: 10, largest: 2000, records: countsOf(peers) },
      tables: { seed: 1, records: [table] },
      plants: { seed: 1, records: plants },
    },
    file,
  );
  return JSON.parse(readFileSync(file, 'utf8'));
}

it('has the interval of Wilson', () => {
  // scipy 1.17: binomtest(5, 20).proportion_ci(method='wilson'), and of 400 of 400.
  expect(wilson(5, 20).map((limit) => limit.toFixed(6))).toEqual(['0.111862', '0.468701']);
  expect(wilson(400, 400)[0]).toBeCloseTo(0.990488, 5);
});

it('counts what was found in the chunks that there are', () => {
  const file = join(folder, 'a.0.json');
  writeFileSync(file, JSON.stringify(['failed', 'needs_review', 'passed', 'not_evaluated']));
  const tasks = ['a.0', 'a.25', 'b.0'].map((name) => ({ id: name.slice(0, 1), file: join(folder, `${name}.json`) }));
  const [a, b] = summarise([{ id: 'a' }, { id: 'b', goal: false }], tasks);
  expect(a).toMatchObject({ id: 'a', cases: 4, fired: 2, notEvaluated: 1, counts: true });
  expect(b).toMatchObject({ id: 'b', cases: 0, fired: 0, notEvaluated: 0, counts: false });
  expect(byCheck([{ ...planted, cases: 0 }])).toEqual([]);
});

it('judges limits for a check, leaves out what has no goal, and says where cases are too few', () => {
  const point = { ...planted, fired: 1, counts: false };
  expect(rightOf([{ ...planted, fired: 392 }, point], 'planted')).toMatchObject({ right: 392, cases: 400 });
  expect(rightOf([point], 'planted')).toBeNull();
  const verdict = (row: typeof planted) => verdictOf(rightOf([row], row.kind) as never);
  expect(verdict({ ...planted, fired: 389 })).toBe('met');
  expect(verdict({ ...planted, fired: 388 })).toBe('not met');
  expect(verdict({ ...clean, fired: 11 })).toBe('met');
  expect(verdict({ ...clean, fired: 12 })).toBe('not met');
  expect(verdict({ ...clean, cases: 100 })).toBe('too few cases');
});

it('gives every kind of clean data its own specificity, and every kind of leak its own limit', () => {
  const rows = [
    { ...clean, cases: 50, fired: 2, corpus: 'lab tables' },
    { ...clean, cases: 50, fired: 1, corpus: 'lab tables' },
    { ...clean, cases: 50, fired: 2, corpus: 'surveys' },
    { ...clean, cases: 50, fired: 50, corpus: 'no goal', counts: false },
    clean,
    { ...planted, corpus: 'one cell' },
    { ...planted, fired: 385, corpus: 'two cells' },
  ];
  const kinds = byCorpus(byCheck(rows)) as { corpus: string; right: number; cases: number }[];
  expect(kinds.map((each) => [each.corpus, each.right, each.cases, verdictOf(each as never)])).toEqual([
    ['one cell', 400, 400, 'met'],
    ['two cells', 385, 400, 'not met'],
    ['lab tables', 97, 100, 'met'],
    ['surveys', 48, 50, 'not met'],
  ]);
  const pieces = leakagePieces(dataOf(rows));
  expect(pieces['leakage run']).toMatch(/800 planted and 1,200 clean sets\. 4 of 6 goals are met\.$/);
  expect(pieces['leakage kinds']).toContain(
    '| clean | CVL002 duplicate | surveys | 0.9600 (48 of 50) | 0.865 to 0.989 |',
  );
  expect(pieces['leakage checks']).toContain('| CVL002 duplicate | 0.9812 (785 of 800) |');
  expect(Object.values(pieces).join()).not.toMatch(/NaN|undefined|Infinity/);
});

it('has the real tables, with the status of what was not found', () => {
  const pieces = leakagePieces(dataOf([planted, clean]));
  expect(pieces['leakage plants']).toContain('| rows twice | CVL002 | 1 of 1 | — |');
  expect(pieces['leakage plants']).toContain('| oversampling | CVL002 | 0 of 1 | 1 `not_evaluated` |');
  expect(pieces['leakage tables']).toContain('| pbc | 418 | 17 | 0 | failed | **not_evaluated** |');
  expect(pieces['leakage findings']).toBe('- pbc: CVL011 needs_review: id');
});

it('compares rules of others with cvkit on the same cases', () => {
  const piecesOf = (...peers: object[]) => leakagePieces(dataOf([planted, clean], peers));
  const worse = piecesOf(compared('planted', 10, 4), compared('clean', 0, 3));
  expect(worse['leakage peers']).toContain(
    '| CVL002 duplicate | trustcv, duplicate | 10 | 10 | 4 | 10 | 0 | 3 | cvkit |',
  );
  expect(worse['leakage peers summary']).toContain('trustcv 1.0.7, cleanlab (not installed)');
  expect(worse['leakage peers summary']).toContain('- No rule of deepchecks for: CVL002.');
  const better = piecesOf(compared('planted', 5, 9), compared('clean', 0, 0));
  expect(better['leakage peers']).toContain('| 10 | 5 | 9 | 10 | 0 | 0 | rule |');
  expect(better['leakage peers summary']).toContain('- Rules that find more planted leaks: 1 of 1.');
  expect(piecesOf(compared('planted', 9, 9))['leakage peers']).toContain('| 10 | 9 | 9 | 0 | 0 | 0 | equal |');
  expect(countsOf([{ ...compared('planted', 10, 4), goal: false }])).toEqual([]);
});

it('draws a dot for all who have both shares, twice where both are .9 or more', () => {
  const svg = leakagePicture(dataOf([planted, { ...clean, fired: 10 }, { ...clean, check: 'CVL003' }]));
  expect(svg.match(/<title>CVL002 duplicate: sensitivity 1\.000, specificity 0\.990<\/title>/g)).toHaveLength(2);
  expect(svg.match(/<title>CVL002, trustcv, duplicate: sensitivity 0\.400, specificity 0\.700<\/title>/g)).toHaveLength(
    1,
  );
  // The corner of the first panel is (360, 40), a specificity of .99 stands 3 left of it.
  expect(svg).toContain('<circle cx="357.0" cy="40.0"');
  expect(svg).not.toMatch(/CVL003|NaN|undefined/);
});

it('keeps one row a line in the data file of the pages', () => {
  const text = readFileSync(new URL('../../docs/leakage-benchmark.json', import.meta.url), 'utf8');
  expect(dataText(JSON.parse(text))).toBe(text);
});
