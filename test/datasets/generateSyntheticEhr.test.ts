import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { groupBy } from '../../src/core/groupBy.js';
import { mean } from '../../src/core/numbers.js';
import type { Dataset } from '../../src/datasets/dataset.js';
import type { GeneratedDataset } from '../../src/datasets/generatedDataset.js';
import { type GenerateSyntheticEhrOptions, generateSyntheticEhr } from '../../src/datasets/generateSyntheticEhr.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { clusteredAuc } from '../helpers/clusteredAuc.js';
import { generatorSuite } from '../helpers/generatorSuite.js';
import reference from '../reference/generators.json' with { type: 'json' };

const column = ({ X, featureNames }: GeneratedDataset, name: string) => {
  const at = featureNames.indexOf(name);
  expect(at).toBeGreaterThanOrEqual(0);
  return X.map((row) => row[at]);
};
/** Correlation of two lists, each centred first by what its rows belong to. */
function correlation(a: readonly number[], b: readonly number[]) {
  const [meanA, meanB] = [mean(a), mean(b)];
  const product = (x: readonly number[], mx: number, y: readonly number[], my: number) =>
    mean(x.map((each, at) => (each - mx) * (y[at] - my)));
  return product(a, meanA, b, meanB) / Math.sqrt(product(a, meanA, a, meanA) * product(b, meanB, b, meanB));
}
/** Row numbers by id. */
const rowsBy = (ids: readonly string[]) => groupBy(ids.keys(), (row) => ids[row]);

describe('the true AUC', () => {
  // Expected numbers: scipy on the same specification, test/reference/generators.py.
  it.each(reference.encounters)(
    'is that of scipy: $nFeatures features, prevalence $prevalence, temporal $temporal',
    ({ nFeatures, prevalence, temporal, intercept, trueAuc, aucKnowingPatients }) => {
      const data = generateSyntheticEhr({ nSamples: 1, nFeatures, prevalence, temporal });
      expect(Math.abs(Number(data.trueAuc) - trueAuc)).toBeLessThan(1e-8);
      expect(Math.abs(data.truth.intercept - intercept)).toBeLessThan(1e-10);
      expect(Math.abs(Number(data.truth.aucKnowingPatients) - aucKnowingPatients)).toBeLessThan(1e-8);
    },
  );

  it('belongs to probabilities that are calibrated', { tags: 'slow' }, () => {
    const { y, truth } = generateSyntheticEhr({ nSamples: 200_000, nPatients: 200_000, temporal: true });
    for (let low = 0; low < 0.8; low += 0.1) {
      const inside = Array.from(y.keys()).filter(
        (row) => truth.expected[row] >= low && truth.expected[row] < low + 0.1,
      );
      const gap = mean(inside.map((row) => y[row] - truth.expected[row]));
      expect(Math.abs(gap)).toBeLessThan(3.5 * Math.sqrt(0.25 / inside.length));
    }
  });
});

describe('the rows', () => {
  it('are 1,000 of 250 patients with 20 features and nothing missing, by default', () => {
    const data = generateSyntheticEhr();
    expect([data.X.length, data.y.length, data.groups.length]).toEqual([1000, 1000, 1000]);
    expect([new Set(data.groups).size, data.featureNames.length]).toEqual([250, 20]);
    expect(data.X.every((row) => row.length === 20 && row.every(Number.isFinite))).toBe(true);
    expect(data.y.every((label) => label === 0 || label === 1)).toBe(true);
    expect(data.timestamps).toBeUndefined();
    expectTypeOf(data.X).toEqualTypeOf<Dataset['X']>();
  });

  it('have values that patients could have', () => {
    const data = generateSyntheticEhr({ nSamples: 100_000 });
    const ranges: Record<string, [number, number]> = {
      age_years: [24, 92],
      female: [0, 1],
      creatinine_mg_dl: [0.1, 10],
      systolic_mmhg: [30, 230],
      haemoglobin_g_dl: [3, 24],
      oxygen_saturation_percent: [60, 100],
    };
    for (const [name, [low, high]] of Object.entries(ranges)) {
      const values = column(data, name);
      expect(values.every((value) => value >= low && value <= high)).toBe(true);
    }
    // Laboratory values are skewed to the right: the mean is above the median.
    const crp = column(data, 'crp_mg_l').sort((a, b) => a - b);
    expect(mean(crp)).toBeGreaterThan(1.3 * crp[50_000]);
  });

  it('of one patient are alike as the share between patients says', { tags: 'slow' }, () => {
    const data = generateSyntheticEhr({ nSamples: 200_000, nPatients: 100_000 });
    const pairs = [...rowsBy(data.groups).values()].filter((rows) => rows.length >= 2).map((rows) => rows.slice(0, 2));
    const alike = (values: readonly number[]) =>
      correlation(
        pairs.map(([first]) => values[first]),
        pairs.map(([, second]) => values[second]),
      );
    const tolerance = 4 / Math.sqrt(pairs.length);
    expect(Math.abs(alike(column(data, 'systolic_mmhg')) - 0.6)).toBeLessThan(tolerance);
    expect(Math.abs(alike(column(data, 'noise_01')) - 0.8)).toBeLessThan(tolerance);
    expect(Math.abs(alike(column(data, 'temperature_celsius')) - 0.3)).toBeLessThan(tolerance);
    expect(alike(column(data, 'age_years'))).toBeCloseTo(1, 10);
    expect(alike(column(data, 'diabetes'))).toBeCloseTo(1, 10);
    // Outcomes, too: beyond what the features tell.
    const residual = data.y.map((label, row) => label - data.truth.expected[row]);
    expect(alike(residual)).toBeGreaterThan(0.25);
  });

  it('differ between sites, by levels of the laboratory and by prevalence', { tags: 'slow' }, () => {
    const data = generateSyntheticEhr({ nSamples: 100_000, nPatients: 100_000 });
    const rows = rowsBy(data.hierarchy.site);
    expect([...rows.keys()].sort()).toEqual(['H1', 'H2', 'H3', 'H4', 'H5']);
    const level = (site: string) => mean((rows.get(site) ?? []).map((row) => Math.log(data.X[row][1])));
    // Creatinine: spread 0.35, 0.4 per level; H5 is 1.6 levels above H1.
    expect(level('H5') - level('H1')).toBeCloseTo(0.35 * 0.4 * 1.6, 1.5);
    const share = (site: string) => mean((rows.get(site) ?? []).map((row) => data.y[row]));
    expect(share('H5') - share('H1')).toBeGreaterThan(0.1);
    expect((rows.get('H1') ?? []).length / 100_000).toBeCloseTo(0.3, 1.8);
    for (const site of rowsBy(data.groups).values()) {
      expect(new Set(site.map((row) => data.hierarchy.site[row])).size).toBe(1);
    }
  });

  it('drift where there is time, and are in its order', () => {
    const data = generateSyntheticEhr({ nSamples: 100_000, nPatients: 100_000, temporal: true });
    const times = (data.timestamps ?? []).map(Number);
    expect(times.length).toBe(100_000);
    expect(times.every((time, row) => row === 0 || time >= times[row - 1])).toBe(true);
    const [early, late] = [data.y.slice(0, 20_000), data.y.slice(-20_000)];
    expect(mean(late) - mean(early)).toBeGreaterThan(0.06);
    const crp = column(data, 'crp_mg_l').map(Math.log);
    // 0.3 from beginning to end; the middles of the first and the last fifth are 0.8 apart.
    expect(mean(crp.slice(-20_000)) - mean(crp.slice(0, 20_000))).toBeCloseTo(0.3 * 0.8, 1.2);
  });

  it('keep their promises for any options', () => {
    const options = fc.record(
      {
        nSamples: fc.integer({ min: 1, max: 300 }),
        nFeatures: fc.integer({ min: 1, max: 30 }),
        temporal: fc.boolean(),
        prevalence: fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }),
        missingRate: fc.double({ min: 0, max: 0.99, noNaN: true }),
        randomState: fc.integer({ min: 0, max: 0xffffffff }),
      },
      { requiredKeys: ['nSamples'] },
    );
    fc.assert(
      fc.property(options, fc.double({ min: 0, max: 1, noNaN: true }), (chosen, share) => {
        const nPatients = Math.max(1, Math.floor(share * chosen.nSamples));
        const data = generateSyntheticEhr({ ...chosen, nPatients });
        expect(new Set(data.groups).size).toBe(nPatients);
        expect(data.X.every((row) => row.length === data.featureNames.length)).toBe(true);
        expect(new Set(data.featureNames).size).toBe(chosen.nFeatures ?? 20);
        expect(data.truth.expected.every((p) => p > 0 && p < 1)).toBe(true);
        expect(data.trueAuc).toBeGreaterThan(0.5);
        expect(data.trueAuc).toBeLessThan(Number(data.truth.aucKnowingPatients));
        expect(Object.keys(data.truth.coefficients)).toEqual(data.featureNames);
      }),
      { numRuns: 60 },
    );
  });
});

/** The rows themselves: who recognises patients knows their outcomes. */
class NearestNeighbours {
  #X: number[][] = [];
  #y: number[] = [];

  fit(X: number[][], y: number[]) {
    [this.#X, this.#y] = [X, y];
  }

  predictProba(X: number[][]) {
    return X.map((row) => {
      const distance = this.#X.map((other) => other.reduce((sum, value, at) => sum + (value - row[at]) ** 2, 0));
      const near = Array.from(distance.keys()).sort((a, b) => distance[a] - distance[b]);
      const p = mean(near.slice(0, 3).map((each) => this.#y[each]));
      return [1 - p, p];
    });
  }

  predict(X: number[][]) {
    return this.predictProba(X).map(([, p]) => Number(p > 0.5));
  }
}

it('a leak lifts a model that knows patients again above the true AUC, and no model for new patients', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  const data = generateSyntheticEhr({ nSamples: 1200, nPatients: 240 });
  const scoreOf = async (cvSplitter: Splitter, model: () => object) => {
    const runner = new UniversalCVRunner({ cvSplitter, verbose: 0 });
    const result = await runner.run({ model, data, preprocessing: new StandardScaler(), metrics: ['roc_auc'] });
    return Number(result.meanScores.roc_auc);
  };
  const neighbours = () => new NearestNeighbours();
  const scores = {
    leaked: await scoreOf(new KFold(), neighbours),
    guarded: await scoreOf(new GroupKFold(), neighbours),
    logistic: await scoreOf(new GroupKFold(), () => new LogisticRegression()),
  };
  const { se } = clusteredAuc(data.truth.expected, data.y, data.groups);
  const trueAuc = Number(data.trueAuc);
  expect(scores.leaked).toBeGreaterThan(trueAuc + 2 * se);
  expect(scores.guarded).toBeLessThan(trueAuc);
  expect(scores.logistic).toBeLessThan(trueAuc + 2 * se);
  expect(scores.logistic).toBeGreaterThan(0.6);
});

it('the runner and the validator take the data as they are, and record the true AUC', { tags: 'slow' }, async () => {
  const data = generateSyntheticEhr({ nSamples: 300, temporal: true });
  const runner = new UniversalCVRunner({ cvSplitter: new GroupKFold(), verbose: 0 });
  const model = () => new LogisticRegression();
  const { metadata } = await runner.run({ model, data, preprocessing: new StandardScaler() });
  expect(metadata.dataset).toEqual({
    description: data.description,
    license: data.license,
    source: data.source,
    trueAuc: data.trueAuc,
  });
  // 60 patients train 20 predictors: their risks are too extreme.
  const acknowledged = { CVR005: 'few patients on purpose' };
  const result = await new CVKitValidator({ acknowledged }).validate({
    model,
    ...data,
    preprocessing: new StandardScaler(),
    verbose: 0,
  });
  expect(result.verdict.status).toBe('passed_with_acknowledgements');
  expect(result.manifest.dataset).toEqual(metadata.dataset);
  expect(JSON.stringify(result.toJSON())).not.toContain('siteEffects');
});

const of = (name: string) => `invalid_option: The \`${name}\` option of generateSyntheticEhr must`;
const common = { nSamples: 200_000, nFeatures: 12 };
generatorSuite<GenerateSyntheticEhrOptions>({
  generate: generateSyntheticEhr,
  samples: [
    { ...common, randomState: 1 },
    { ...common, randomState: 2, nPatients: 20_000, temporal: true },
    { ...common, randomState: 3, nFeatures: 1, prevalence: 0.1 },
    { ...common, randomState: 4, nFeatures: 8, nPatients: 200_000, prevalence: 0.7 },
    { ...common, randomState: 'five', temporal: true, missingRate: 0.3, prevalence: 0.02 },
    { ...common, randomState: 6, nFeatures: 24, nPatients: 50_000 },
  ],
  mostSe: 0.006,
  many: { nSamples: 50_000 },
  few: { nSamples: 50 },
  golden: [[{ nSamples: 300, temporal: true, missingRate: 0.1 }, '6c50e9f6b15b02f613b26f288b71d4ca']],
  refused: [
    [{ nSamples: 0 }, `${of('nSamples')} be an integer >= 1 and <= 10000000. Got 0.`],
    [{ nSamples: 10.5 }, `${of('nSamples')} be an integer >= 1 and <= 10000000. Got 10.5.`],
    [{ nFeatures: 0 }, `${of('nFeatures')} be an integer >= 1 and <= 10000. Got 0.`],
    [{ nPatients: 0 }, `${of('nPatients')} be an integer >= 1. Got 0.`],
    [
      { nSamples: 5, nPatients: 6 },
      `${of('nPatients')} be at most \`nSamples\`, 5, since every patient has a row. Got 6.`,
    ],
    [{ prevalence: 0 }, `${of('prevalence')} be a number > 0 and < 1. Got 0.`],
    [{ prevalence: 1 }, `${of('prevalence')} be a number > 0 and < 1. Got 1.`],
    [{ missingRate: 1 }, `${of('missingRate')} be a number >= 0 and < 1. Got 1.`],
    [{ temporal: 'yes' }, `${of('temporal')} be true or false. Got 'yes'.`],
    [{ nSample: 5 }, 'unknown_option: generateSyntheticEhr has no option `nSample`. Did you mean `nSamples`?'],
  ],
});
