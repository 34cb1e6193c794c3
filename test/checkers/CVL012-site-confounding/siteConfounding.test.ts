import { describe, expect, it } from 'vitest';
import {
  permutedAssociation,
  siteArea,
  siteConfounding,
} from '../../../src/checkers/CVL012-site-confounding/siteConfounding.js';
import { type RandomSource, randomInterval, randomSource } from '../../../src/core/random.js';
import { BootstrapValidation } from '../../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { PredefinedSplit } from '../../../src/splitters/iid/predefinedSplit.js';
import { inWords, judged } from '../judged.js';
import { siteConfoundingScenes } from './siteConfounding.scenes.js';

const { leaking, clean } = siteConfoundingScenes;
const splitter = new KFold({ nSplits: 2 });
const random = randomSource(9);
const judge = (y: (number | string)[], hierarchy: Record<string, (number | string)[]>, groups?: number[]) =>
  judged(siteConfounding, {
    X: y.map(() => [random.random()]),
    y,
    data: { hierarchy, ...(groups ? { groups } : {}) },
    splitter,
  });

describe('siteConfounding', () => {
  it('asks for a review when the site predicts the label', async () => {
    const result = await judged(siteConfounding, leaking);
    expect(result).toMatchObject({ code: 'CVL012', status: 'needs_review', severity: 'medium' });
    expect(result.message).toMatch(
      /^site alone predicts the label with AUC 0\.7\d\d \(Cramér's V 0\.\d{3}, p = 0\.001; 4 sites, 200 patients\)\. Features tell the site of \d\d % of the patients \(\d\d % by naming the largest\)\.$/,
    );
    expect(result.fix).toMatch(/HierarchicalGroupKFold.*`hierarchyLevel: 'site'`/);
    const { largestShareGap } = result.evidence as { largestShareGap: Record<string, unknown> };
    expect(largestShareGap).toEqual({
      fold: expect.stringMatching(/^fold-\d$/),
      site: expect.stringMatching(/^#[0-9a-f]{8}$/),
      shareOfTest: expect.any(Number),
      shareOfAll: expect.any(Number),
    });
  });

  it('says what folds can do: keep sites whole, no more, or nothing where a site has one label', async () => {
    const site = Array.from({ length: 200 }, (_, row) => row % 4);
    const y = site.map((id, row) => Number(row % 16 < 4 * id));
    const whole = new PredefinedSplit({ testFold: site });
    const kept = await judged(siteConfounding, {
      X: y.map(() => [1]),
      y,
      data: { hierarchy: { site } },
      splitter: whole,
    });
    expect(kept.fix).toBe('The folds keep every site whole, as they should; report the score by site.');
    const bySite = site.map((id) => Number(id > 1));
    expect((await judge(bySite, { site })).fix).toBe(
      'Add patients of every label from every site: with these, no folds can tell the label from the site.',
    );
  });

  it('passes where the label does not depend on it, with what would have been found', async () => {
    const result = await judged(siteConfounding, clean);
    expect(result.status).toBe('passed');
    // 200 patients, 3 degrees: the root of (11 + 5.8 sqrt(3)) / 200 is 0.324.
    expect(result.message).toContain('4 sites, 200 patients; 0.324 or more would have been found');
    expect(result.evidence.pValue).toBeGreaterThan(0.01);
  });

  it('says how many patients have no site', async () => {
    const groups = Array.from({ length: 120 }, (_, row) => Math.floor(row / 2));
    // Patients 0-9 have none at all, patient 10 has one in one of two rows.
    const site = groups.map((id, row) => (row < 21 ? null : id % 2)) as number[];
    const [even, ofTen] = [groups.map((id) => Number(id % 4 < 2)), groups.map((id) => Number(id < 10))];
    const free = await judge(even, { site }, groups);
    expect(free.status).toBe('passed');
    expect(free.message).toContain('; 2 sites, 50 patients, 10 more have no site; ');
    expect((await judge(ofTen, { site }, groups)).message).toMatch(/10 more/);
  });

  it('takes a named level, the innermost of several, or each row for the patients, and no visit for a site', async () => {
    const half = Array.from({ length: 120 }, (_, row) => Number(row >= 60));
    const of = (rows: number) => half.map((_, row) => `u${Math.floor(row / rows)}`);
    const site = half.map((_, row) => `s${Math.floor(row / 2) % 3}`);
    const y = half.map((_, row) => Number(Math.floor(row / 2) % 5 < 2));
    for (const [hierarchy, words, groups] of [
      [{ site, subject: of(2) }, '3 sites, 60 subjects', undefined],
      [{ site, scanner: half }, '120 rows', undefined],
      [{ site, visit: half.map((_, row) => row % 2) }, '3 sites, 60 patients', of(2)],
      [{ site, batch: half.map(() => 'x') }, '3 sites, 60 patients', of(2)],
    ] as const) {
      expect((await judge(y, hierarchy as never, groups as never)).message).toContain(words);
    }
  });

  it('says how well features tell the site, of patients who have one, with more features than patients too', async () => {
    const half = Array.from({ length: 300 }, (_, row) => Number(row % 3 > 0));
    const y = half.map((_, row) => Number(row % 7 < 3));
    const noise = half.map(() => random.random());
    const judge = (X: number[][], site: unknown[], batch = half.map(() => null)) => {
      const hierarchy = { site, batch } as never;
      return judged(siteConfounding, { X, y: y.slice(0, X.length), data: { hierarchy }, splitter });
    };
    const apart = half.map((site, row) => [3 * site, noise[row]]);
    expect((await judge(apart, half)).evidence).toMatchObject({ siteAccuracy: 1, siteChance: 2 / 3 });
    // Noise can do no better than naming the larger site: chance moves that by a few patients.
    const { evidence } = await judge(
      noise.map((value) => [value]),
      half,
    );
    expect(Math.abs((evidence.siteAccuracy as number) - 2 / 3)).toBeLessThan(0.05);
    // A level that nobody has leaves nobody out; a level that some have leaves the others out.
    const known = half.map((site, row) => (row < 30 ? null : site));
    expect((await judge(apart, known)).evidence).toMatchObject({ patients: 270, siteAccuracy: 1, siteChance: 2 / 3 });
    const many = noise.slice(0, 24).map((value) => Array<number>(40).fill(value));
    const few = await judge(many, half.slice(0, 24), Array(24).fill(null));
    expect(few.evidence.siteAccuracy).toBeGreaterThanOrEqual(0);
    expect(few.evidence.siteAccuracy).toBeLessThanOrEqual(1);
  });

  it('looks at all levels above the patients with one test, and reports the strongest', async () => {
    const n = 200;
    const batch = Array.from({ length: n }, () => Math.floor(3 * random.random()));
    const site = Array.from({ length: n }, (_, row) => row % 5);
    const y = batch.map((each) => Number(random.random() < [0.1, 0.4, 0.8][each]));
    const result = await judge(y, { site, batch }, [...y.keys()]);
    expect(result).toMatchObject({ status: 'needs_review', evidence: { level: 'batch', levels: ['site', 'batch'] } });
  });

  it('tells how much of numbers the site explains', async () => {
    const site = Array.from({ length: 120 }, (_, row) => row % 3);
    const y = site.map((each) => Math.exp(random.random() + each));
    const result = await judge(y, { site });
    expect(inWords(result)).toMatch(
      /^needs_review: The label depends on site \(root of epsilon squared 0\.\d{3}, p = 0\.001; 3 sites, 120 rows\)/,
    );
    expect(result.evidence).toMatchObject({ measure: 'root_epsilon_squared', siteAuc: null });
  });

  it('does not apply to one site, and cannot tell with one class', async () => {
    const one = await judge([0, 1, 0, 1], { site: [1, 1, 1, 1] });
    expect(one).toMatchObject({ status: 'not_applicable' });
    expect(one.message).toContain('no sites to compare');
    const same = await judge(Array(40).fill(1), { site: Array.from({ length: 40 }, (_, row) => row % 2) });
    expect(same).toMatchObject({ status: 'not_evaluated', message: 'All patients have the same label.' });
    // 40 patients of two rows, one with the label and one without.
    const groups = Array.from({ length: 80 }, (_, row) => Math.floor(row / 2));
    const halves = groups.map((_, row) => row % 2);
    const site = groups.map((id) => id % 2);
    expect((await judge(halves, { site }, groups)).message).toBe('The commonest label of every patient is the same.');
    const numbers = halves.map((label) => label + 0.5);
    expect((await judge(numbers, { site }, groups)).message).toBe('The mean label of every patient is the same.');
  });

  it('gives numbers for bad input', async () => {
    const odd = Array.from({ length: 60 }, (_, i) => [
      i % 2 ? 1e300 : 1e-300,
      Number.NaN,
      i % 3 ? 'a' : null,
      Number.POSITIVE_INFINITY,
      7,
    ]);
    const labels = {
      two: odd.map(() => Number(random.random() < 0.5)),
      three: odd.map(() => 'abc'[Math.floor(3 * random.random())]),
      numbers: odd.map(() => (random.random() < 0.5 ? 1e300 : -1e300) * random.random()),
      many: odd.map(() => [0, 1].map(() => Number(random.random() < 0.5))),
    };
    const sites = { two: odd.map((_, i) => i % 2), lone: odd.map((_, i) => (i === 0 ? 'x' : `s${i % 4}`)) };
    for (const y of Object.values(labels)) {
      for (const site of Object.values(sites)) {
        for (const cv of [splitter, new LOOCV(), new BootstrapValidation({ nIterations: 5, randomState: 1 })]) {
          const result = await judged(siteConfounding, { X: odd, y, data: { hierarchy: { site } }, splitter: cv });
          expect(result.status).toBe('passed');
          expect(JSON.stringify({ ...result.evidence, siteAuc: 0 })).not.toMatch(/NaN|Infinity|null/);
        }
      }
    }
    const ten = await judge([0, 1, 0, 1, 0, 1, 0, 1, 0, 1], { site: [1, 1, 1, 1, 1, 2, 2, 2, 2, 2] });
    expect(ten).toMatchObject({ status: 'not_evaluated' });
  });
});

const draw = (random: RandomSource, n: number, count: number) => ({
  codes: Int32Array.from({ length: n }, () => randomInterval(random, count - 1)),
  count,
});

it('is near the smallest p-value where the site is the label', async () => {
  const sites = draw(randomSource(1), 100, 3);
  const labels = { values: sites.codes.map((site) => Number(site === 0)), classes: 2 };
  expect(await permutedAssociation(labels, [sites], randomSource(2))).toBe(1 / 1000);
});

it('leaves aside a level of which the patients that are tested have one site', async () => {
  const random = randomSource(3);
  const labels = { values: draw(random, 40_000, 2).codes, classes: 2 };
  const single = { codes: new Int32Array(40_000).fill(1, 39_999), count: 2 };
  expect(await permutedAssociation(labels, [single], random)).toBe(1);
  expect(await permutedAssociation(labels, [draw(random, 40_000, 3), single], random)).toBeGreaterThan(0.05);
});

it.each(['classes', 'numbers'])('has uniform p-values where nothing is the matter, %s', async (kind) => {
  // 200 simulations; the Kolmogorov-Smirnov distance stays below 1.628 / sqrt(200) with probability .99 (Smirnov 1948).
  const random = randomSource(20);
  const found: number[] = [];
  for (let trial = 0; trial < 200; trial++) {
    const labels =
      kind === 'classes'
        ? { values: draw(random, 200, 2).codes, classes: 2 }
        : { values: Float64Array.from({ length: 200 }, () => random.random()) };
    found.push(await permutedAssociation(labels, [draw(random, 200, 5), draw(random, 200, 12)], random));
  }
  found.sort((a, b) => a - b);
  const distance = Math.max(...found.map((p, at) => Math.max(Math.abs(p - at / 200), Math.abs(p - (at + 1) / 200))));
  expect(distance).toBeLessThan(1.628 / Math.sqrt(200));
});

it('is 1 where the site is the label, and about .5 where it is not, however many sites', () => {
  const codes = Int32Array.from({ length: 1000 }, (_, patient) => patient % 100);
  const told = codes.map((site) => site % 2);
  expect(siteArea(told, { codes, count: 100 }, randomSource(1))).toBe(1);
  const random = randomSource(2);
  const unrelated = codes.map(() => Number(random.random() < 0.5));
  // In the same patients, ten per site, the area would be about .68. Standard error .018.
  expect(Math.abs((siteArea(unrelated, { codes, count: 100 }, randomSource(1)) ?? 0) - 0.5)).toBeLessThan(0.06);
});

it('is null where no fold has both classes', () => {
  expect(
    siteArea(Int32Array.of(0, 0, 0, 0, 0), { codes: Int32Array.of(0, 1, 0, 1, 0), count: 2 }, randomSource(1)),
  ).toBeNull();
});
