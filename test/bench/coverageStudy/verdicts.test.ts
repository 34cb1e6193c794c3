/** Rules of the verdicts, and what the tables make of chunks. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { page } from '../../../bench/coverageStudy/page.mjs';
import { picture } from '../../../bench/coverageStudy/picture.mjs';
import { chunksOf, cpuPer, tasksOf } from '../../../bench/coverageStudy/results.mjs';
import { METRICS, SCENARIOS } from '../../../bench/coverageStudy/scenarios.mjs';
import { summarise } from '../../../bench/coverageStudy/summary.mjs';
import { judge, median, verdict, wilson } from '../../../bench/coverageStudy/verdicts.mjs';
import reference from '../../reference/coverageStudy.json' with { type: 'json' };

const folder = mkdtempSync(join(tmpdir(), 'cvkit-study-parts-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each(reference.wilson)('Wilson limits of $hits in $n are those of scipy', ({ hits, n, limits }) => {
  wilson(hits, n).forEach((limit, at) => {
    expect(limit).toBeCloseTo(limits[at], 12);
  });
});

it('Wilson limits hold the share and lie in [0, 1]', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
      const hits = Math.round(share * n);
      const [lower, upper] = wilson(hits, n);
      expect(lower).toBeLessThanOrEqual(hits / n + 1e-12);
      expect(upper).toBeGreaterThanOrEqual(hits / n - 1e-12);
      expect(lower).toBeGreaterThanOrEqual(-1e-12);
      expect(upper).toBeLessThanOrEqual(1 + 1e-12);
    }),
  );
});

const of = (hits: number, n: number) => ({ covered: hits / n, limits: wilson(hits, n) });
const stable = { stable: true, trueAuc: 0.8 };

// At n = 2,000 the upper limit of 1,837 hits (.9185) is .9297, that of 1,839 is .9307.
it.each([
  [1837, stable, 'too low'],
  [1839, stable, 'close'],
  [1860, stable, 'met'],
  [1837, { stable: false, trueAuc: 0.8 }, 'met'],
  [1790, { stable: false, trueAuc: 0.8 }, 'too low'],
  [1980, stable, 'met'],
  [1985, stable, 'close'],
  [1992, stable, 'too high'],
  [2000, { stable: true, trueAuc: 0.96 }, 'met'],
])('%s of 2,000 with %o is %s', (hits, facts, expected) => {
  expect(verdict(of(hits, 2000), facts)).toBe(expected);
});

it('few repetitions cannot fail a scenario: its limits still hold the goal', () => {
  expect(verdict(of(35, 40), stable)).toBe('close');
  expect(verdict(of(175, 200), stable)).toBe('too low');
});

const row = (name: string, hits: number, ruler: number, ratio: number) => ({
  ...stable,
  name,
  methods: { fits10: { ...of(hits, 1000), n: 1000, missing: 0 }, corrected_t: { covered: ruler } },
  ratios: { fits10: ratio },
});

it('width counts only where the ruler covers enough; the mean counts everywhere', () => {
  const rows = [row('a', 950, 0.95, 0.7), row('b', 960, 0.94, 0.9), row('c', 940, 0.92, 0.1), row('d', 890, 0.93, 0.8)];
  const found = judge(rows);
  expect(found).toMatchObject({ lowest: 0.89, highest: 0.96, width: 0.8, widthMet: true, compared: 3, meanMet: false });
  expect(found?.mean).toBeCloseTo(0.935, 12);
  expect(found?.tooLow.map(({ name }: { name: string }) => name)).toEqual(['d']);
  expect(judge(rows, 'nothing')).toBeUndefined();
  expect(median([3, 1, 2, 10])).toBe(2.5);
});

it('a task says which repetitions its file holds, and a longer run does not count the short last chunk twice', () => {
  const here = join(folder, 'results');
  const [first] = SCENARIOS;
  const names = (count: number) =>
    tasksOf([first], { truth: count }, { seed: '1', folder: here }).map(({ file }: { file: string }) =>
      file.slice(here.length + 1),
    );
  expect(names(300)).toEqual([`${first.id}.truth.0-250.json`, `${first.id}.truth.250-300.json`]);
  expect(names(500)[1]).toBe(`${first.id}.truth.250-500.json`);

  for (const range of ['0-250', '250-300', '250-500']) writeFileSync(join(folder, `s.truth.${range}.json`), '{}');
  writeFileSync(join(folder, 's.truth.0-250.json.ms'), JSON.stringify({ ms: 900, cpu: 500, count: 250 }));
  expect(chunksOf(folder, 's', 'truth').map(({ from, to }) => [from, to])).toEqual([
    [0, 250],
    [250, 500],
  ]);
  expect(cpuPer(folder, 's', 'truth')).toBe(2);
  expect(cpuPer(folder, 's', 'fewer')).toBeUndefined();
});

/** Chunks in which the truth is .8 and four repetitions hold it 3 times; corrected t is twice as wide. */
function writeChunks(id: string, where: string) {
  const columns = (values: (number | null)[]) => Object.fromEntries(METRICS.map((name) => [name, values]));
  const method = (lower: (number | null)[], upper: (number | null)[]) => ({
    lower: columns(lower),
    upper: columns(upper),
  });
  const write = (kind: string, range: string, found: unknown) =>
    writeFileSync(join(where, `${id}.${kind}.${range}.json`), JSON.stringify(found));
  write('truth', '0-4', Object.fromEntries(METRICS.map((name) => [name, { count: 4, sum: 3.2, squares: 2.6 }])));
  const ours = method([0.75, 0.7, 0.81, 0.75], [0.85, 0.8, 0.91, 0.85]);
  const ruler = method([0.7, 0.7, 0.7, null], [0.9, 0.9, 0.9, null]);
  write('intervals', '0-4', {
    fits10: ours,
    corrected_t: ruler,
    bayle_all: ours,
    bayle_within: ours,
    estimates: columns([0.82, 0.86, null, 0.82]),
    trainingShares: columns([0, 0.2, 0, null]),
  });
  const models = { value: columns([0.76, 0.9, null, 0.86]), pValue: columns([0.005, null, 0.5, 0.2]) };
  write('fewer', '0-4', { fits5: ours, fits0: ours, models });
}

it('coverage, widths and the models of the folds come out of chunks as they should', () => {
  const scenario = SCENARIOS[1];
  writeChunks(scenario.id, folder);
  const summary = summarise(SCENARIOS, () => folder);
  expect(summary).toHaveLength(METRICS.length);
  const auc = summary[0];
  expect(auc).toMatchObject({ metric: 'roc_auc', truth: 0.8, trueAuc: 0.8 });
  // sqrt((2.6 / 4 - .64) / 4)
  expect(auc.truthSe).toBeCloseTo(0.05, 12);
  // Estimates .82, .86, .82: mean .8333, variance (2 (.0133)^2 + (.0267)^2) / 3.
  expect(auc.bias).toBeCloseTo(0.1 / 3 / Math.sqrt((2 * (0.04 / 3) ** 2 + (0.08 / 3) ** 2) / 3), 10);
  expect(auc.methods.fits10).toMatchObject({ covered: 0.75, n: 4, missing: 0 });
  expect(auc.methods.corrected_t).toMatchObject({ covered: 1, n: 3, missing: 1 });
  expect(auc.ratios.fits10).toBeCloseTo(0.5, 12);
  expect(auc.methods.conservative_z).toBeUndefined();
  // .76 is held, .9 and .86 are not, and a repetition without a value does not count.
  expect(auc.predictions).toMatchObject({ n: 3, tested: 3 });
  expect(auc.predictions?.covered).toBeCloseTo(1 / 3, 12);
  expect(auc.predictions?.marked).toBeCloseTo(1 / 3, 12);
  // Of three intervals with a share two have 0; the first holds .8, the third begins at .81.
  expect(auc.unseen).toMatchObject({ n: 2, covered: 0.5 });
  expect(auc.unseen?.share).toBeCloseTo(2 / 3, 12);
});

it('the page says what the numbers say, and the picture has a dot for each', () => {
  const summary = summarise(SCENARIOS, () => folder);
  const run = { counts: { truth: 4 }, seeds: { tuning: '7', judging: '8' }, frozenAt: undefined };
  const low = page(summary, run);
  expect(low).toContain('**AUC** covers .750 on the average of 1 scenario, from .750 to .750');
  expect(low).toContain('the mean is outside its goal');
  expect(low).toContain('Beyond a goal, but within the error of simulation');
  expect(low).toContain('it proves nothing. The judging grid has not been run.');
  expect(low).not.toMatch(/NaN|undefined|Infinity/);
  const better = summary.map((each: (typeof summary)[number]) => ({
    ...each,
    methods: { ...each.methods, fits10: { ...of(1900, 2000), n: 2000, missing: 0 } },
    grid: 'judging',
  }));
  const met = page(better, { ...run, frozenAt: 'abcdef0123456789' });
  expect(met).toContain('from .950 to .950: all goals met.');
  expect(met).toContain('frozen at commit abcdef012345,');
  expect(met).not.toMatch(/outside its goal|too low in|proves nothing/);

  const svg = picture(summary);
  expect(svg.match(/<circle[^>]*r="4.5" fill="#[0-9a-f]{6}" fill-opacity/g)).toHaveLength(5);
  expect(svg).not.toMatch(/NaN|undefined/);
  expect(page([], run)).toContain('Nothing has been run.');
});
