/** The page of the leakage suite from made-up counts: goals, kinds, other packages, picture. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { comparison } from '../../bench/leakage/peers/comparison.mjs';
import { picture } from '../../bench/leakage/picture.mjs';
import { markdown } from '../../bench/leakage/report.mjs';
import { byCheck, byCorpus, rightOf, summarise, verdictOf, wilson } from '../../bench/leakage/summary.mjs';

const folder = mkdtempSync(join(tmpdir(), 'cvkit-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A line of `byCorpus`. */
interface Kind {
  kind: string;
  corpus: string;
  right: number;
  cases: number;
  share: number;
  low: number;
}

const planted = { kind: 'planted', check: 'CVL002', type: 'duplicate', n: 100, effect: 'copies', cases: 400, open: 0 };
const clean = { kind: 'clean', check: 'CVL002', type: 'duplicate', n: 100, effect: 'noise', cases: 1000, open: 0 };
const OPTIONS = { seed: '1', planted: '400', clean: '1000' };
const goalsOf = (page: string) => page.slice(page.indexOf('## Goals'), page.indexOf('## Where others'));

it('has the interval of Wilson', () => {
  // scipy 1.17: binomtest(5, 20).proportion_ci(method='wilson'), and of 400 of 400.
  expect(wilson(5, 20).map((limit) => limit.toFixed(6))).toEqual(['0.111862', '0.468701']);
  expect(wilson(400, 400)[0]).toBeCloseTo(0.990488, 5);
});

it('counts what was found in the chunks that there are', () => {
  const file = join(folder, 'a.0.json');
  writeFileSync(file, JSON.stringify(['failed', 'needs_review', 'passed', 'not_evaluated']));
  const tasks = [
    { id: 'a', file },
    { id: 'a', file: join(folder, 'a.25.json') },
    { id: 'b', file: join(folder, 'b.0.json') },
  ];
  const [a, b] = summarise([{ id: 'a' }, { id: 'b' }], tasks);
  expect(a).toEqual({ id: 'a', cases: 4, fired: 2, open: 1 });
  expect(b).toEqual({ id: 'b', cases: 0, fired: 0, open: 0 });
  expect(byCheck([{ ...planted, cases: 0, fired: 0 }])).toEqual([]);
});

it('judges limits for a check, leaves out what has no goal, and says where cases are too few', () => {
  const point = { ...planted, fired: 1, goal: false };
  expect(rightOf([{ ...planted, fired: 392 }, point], 'planted')).toMatchObject({ right: 392, cases: 400 });
  expect(rightOf([point], 'planted')).toBeNull();
  const verdict = (row: typeof planted & { fired: number }) => verdictOf(rightOf([row], row.kind) as never);
  expect(verdict({ ...planted, fired: 389 })).toBe('met');
  expect(verdict({ ...planted, fired: 388 })).toBe('not met');
  expect(verdict({ ...clean, fired: 11 })).toBe('met');
  expect(verdict({ ...clean, fired: 12 })).toBe('not met');
  expect(verdict({ ...clean, cases: 100, fired: 0 })).toBe('too few cases');
});

it('gives every kind of clean data its own specificity, and every kind of leak its own limit', () => {
  const rows = [
    { ...clean, cases: 50, fired: 2, corpus: 'lab tables' },
    { ...clean, cases: 50, fired: 1, corpus: 'lab tables' },
    { ...clean, cases: 50, fired: 2, corpus: 'surveys' },
    { ...clean, cases: 50, fired: 50, corpus: 'aside', goal: false },
    { ...clean, fired: 0 },
    { ...planted, fired: 400, corpus: 'one cell' },
    { ...planted, fired: 385, corpus: 'two cells' },
  ];
  const kinds = byCorpus(byCheck(rows)) as unknown as Kind[];
  expect(kinds.map((each) => [each.kind, each.corpus, each.right, each.cases, verdictOf(each)])).toEqual([
    ['planted', 'one cell', 400, 400, 'met'],
    ['planted', 'two cells', 385, 400, 'not met'],
    ['clean', 'lab tables', 97, 100, 'met'],
    ['clean', 'surveys', 48, 50, 'not met'],
  ]);
  const page = markdown(rows, OPTIONS);
  expect(page).toContain('| CVL002 duplicate | surveys | 0.9600 (48 of 50) | 0.865-0.989 | not met |');
  const [words] = page.split('## All checks');
  expect(goalsOf(words as string)).toContain(
    '- **Not met**: specificity of CVL002 duplicate on "surveys", accused 2 of 50 (lower limit .865; goal: specificity .970).',
  );
  expect(goalsOf(words as string)).toContain('- Met: 4 of 6 goals.');
  expect(page.indexOf('## Goals')).toBeLessThan(page.indexOf('## Where others are better'));
  expect(page).not.toMatch(/NaN|undefined|Infinity/);
});

/** A scenario of the comparison: what cvkit and one rule said of each case. */
function compared(kind: string, ours: number, theirs: number, more: object = {}) {
  const cases = Array.from({ length: 10 }, (_, at) => ({
    status: at < ours ? 'needs_review' : 'passed',
    fired: { 'trustcv, duplicate': at < theirs },
    errors: at === 9 ? { 'trustcv, duplicate': 'ValueError' } : {},
  }));
  return { ...planted, kind, cases, versions: { trustcv: '1.0.7', cleanlab: null }, ...more };
}

it('sets rules of others beside cvkit on the same cases', () => {
  const { rows, better, finding, text } = comparison([compared('planted', 10, 4), compared('clean', 0, 3)]);
  expect(rows).toMatchObject([
    { planted: 10, clean: 10, ours: { found: 10, accused: 0 }, theirs: { found: 4, accused: 3 }, raised: 2 },
  ]);
  expect([better, finding]).toEqual([[], []]);
  expect(text).toContain('| CVL002 duplicate | trustcv, duplicate | 10 | 10 | 4 | 10 | 0 | 3 | 2 | cvkit |');
  expect(text).toContain('- deepchecks has none for CVL002 duplicate.');
  expect(comparison([compared('planted', 10, 4, { goal: false })]).rows).toEqual([]);
});

it('says where a rule is better, and where it finds more at a price', () => {
  const pageOf = (...peers: object[]) => markdown([{ ...planted, fired: 400 }], OPTIONS, peers);
  const better = pageOf(compared('planted', 5, 9), compared('clean', 0, 0));
  expect(better).toContain(
    '- **trustcv, duplicate** is better than CVL002: found 9 of 10 (cvkit 5), accused 0 of 10 (cvkit 0).',
  );
  expect(better).not.toContain('finds more than');
  expect(pageOf(compared('planted', 5, 9), compared('clean', 0, 8))).toContain(
    '- trustcv, duplicate finds more than CVL002 (9 against 5 of 10), and accuses more (8 against 0 of 10 clean sets).',
  );
  const page = pageOf(compared('planted', 9, 9), compared('clean', 0, 0));
  expect(page).toContain('No rule is right more often than the check of cvkit');
  expect(page).toContain('trustcv 1.0.7, cleanlab (not installed)');
  expect(page).toContain('| 10 | 9 | 9 | 10 | 0 | 0 | 2 | equal |');
  expect(pageOf()).toContain('Other packages were not asked in this run');
});

it('draws a dot for all who have both shares, twice where both are .9 or more', () => {
  const checks = byCheck([
    { ...planted, fired: 400 },
    { ...clean, fired: 10 },
    { ...clean, check: 'CVL003', fired: 0 },
  ]);
  const { rows } = comparison([compared('planted', 10, 4), compared('clean', 0, 3)]);
  const svg = picture(checks, rows);
  expect(svg.match(/<title>CVL002 duplicate: sensitivity 1\.000, specificity 0\.990<\/title>/g)).toHaveLength(2);
  expect(svg.match(/<title>CVL002, trustcv, duplicate: sensitivity 0\.400, specificity 0\.700<\/title>/g)).toHaveLength(
    1,
  );
  // The corner of the first panel is (360, 40), a specificity of .99 stands 3 left of it.
  expect(svg).toContain('<circle cx="357.0" cy="40.0"');
  expect(svg).not.toMatch(/CVL003|NaN|undefined/);
});
