import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupBy } from '../../src/core/groupBy.js';
import { mean } from '../../src/core/numbers.js';
import type { GeneratedDataset } from '../../src/datasets/generatedDataset.js';
import {
  type GenerateTemporalPatientDataOptions,
  generateTemporalPatientData,
} from '../../src/datasets/generateTemporalPatientData.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { SimpleImputer } from '../../src/preprocessing/simpleImputer.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { PurgedGroupTimeSeriesSplit } from '../../src/splitters/temporal/purgedGroupTimeSeriesSplit.js';
import { TimeSeriesSplit } from '../../src/splitters/temporal/timeSeriesSplit.js';
import { generatorSuite } from '../helpers/generatorSuite.js';
import reference from '../reference/generators.json' with { type: 'json' };

const DAY = 86_400_000;
const timesOf = ({ timestamps }: GeneratedDataset) => (timestamps ?? []).map(Number);
/** Row numbers of each patient, in the order of time. */
const visitsOf = ({ groups }: GeneratedDataset) => [...groupBy(groups.keys(), (row) => groups[row]).values()];

describe('what is true', () => {
  // Expected numbers: scipy on the same specification, test/reference/generators.py.
  it.each(reference.visits)(
    'is as in scipy: $nTimepoints visits, $nFeatures features, prevalence $prevalence',
    ({ nTimepoints, nFeatures, prevalence, trueAuc, aucKnowingPatients, intercept, r2 }) => {
      const options = { nPatients: 1, nTimepoints, nFeatures };
      const binary = generateTemporalPatientData({ ...options, prevalence });
      expect(Math.abs(Number(binary.trueAuc) - trueAuc)).toBeLessThan(1e-8);
      expect(Math.abs(Number(binary.truth.aucKnowingPatients) - aucKnowingPatients)).toBeLessThan(1e-8);
      expect(Math.abs(binary.truth.intercept - intercept)).toBeLessThan(1e-10);
      expect([binary.truth.r2, binary.truth.reason]).toEqual([null, null]);
      const { truth } = generateTemporalPatientData({ ...options, outcomeType: 'continuous' });
      expect(Math.abs(Number(truth.r2) - r2)).toBeLessThan(1e-10);
    },
  );

  it('of a continuous outcome is an R2 that a large sample has', { tags: 'slow' }, () => {
    const data = generateTemporalPatientData({ nPatients: 100_000, nTimepoints: 2, outcomeType: 'continuous' });
    const { y, truth, trueAuc } = data;
    const centre = mean(y);
    const r2 = 1 - mean(y.map((v, row) => (v - truth.expected[row]) ** 2)) / mean(y.map((v) => (v - centre) ** 2));
    expect(Math.abs(r2 - Number(truth.r2))).toBeLessThan(0.006);
    expect(trueAuc).toBeNull();
    expect(truth.reason).toMatch(/^y is continuous/);
    expect(truth.prevalence).toBeNull();
    expect(truth.patientSd).toBe(25);
  });
});

describe('the visits', () => {
  it('are up to 12 of each of 100 patients with 10 features, in the order of time, by default', () => {
    const data = generateTemporalPatientData();
    expect(new Set(data.groups).size).toBe(100);
    expect(data.featureNames.length).toBe(10);
    const n = data.X.length;
    expect(n).toBeGreaterThan(900);
    expect(n).toBeLessThan(1200);
    for (const each of [data.y, data.groups, data.timestamps, data.truth.expected]) expect(each).toHaveLength(n);
    expect(timesOf(data).every((time, row, all) => row === 0 || time >= all[row - 1])).toBe(true);
    expect(visitsOf(data).every(({ length }) => length >= 1 && length <= 12)).toBe(true);
  });

  it('are a month apart, more or less, and some patients drop out', () => {
    const data = generateTemporalPatientData({ nPatients: 4000, nFeatures: 1 });
    const [times, visits] = [timesOf(data), visitsOf(data)];
    const gaps = visits.flatMap((rows) => rows.slice(1).map((row, at) => (times[row] - times[rows[at]]) / DAY));
    expect(Math.min(...gaps)).toBeGreaterThan(9.9);
    expect(Math.max(...gaps)).toBeLessThan(50.1);
    expect(Math.abs(mean(gaps) - 30)).toBeLessThan(0.2);
    // 3 % leave after each of 11 visits.
    expect(mean(visits.map(({ length }) => Number(length === 12)))).toBeCloseTo(0.97 ** 11, 1.5);
  });

  it('are alike within a patient, the more the nearer in time', () => {
    const data = generateTemporalPatientData({ nPatients: 8000, nTimepoints: 8, nFeatures: 15, missingRate: 0 });
    const at = data.featureNames.indexOf('temperature_celsius');
    const z = data.X.map((row) => (row[at] - 36.9) / 0.5);
    const visits = visitsOf(data);
    // Mean of exp(-gap / 84 days) over jitters of both visits, each uniform in 10 days to either side.
    const jitter = Math.sinh(10 / 84) / (10 / 84);
    for (const lag of [1, 3, 6]) {
      const products = visits.flatMap((rows) => rows.slice(1 + lag).map((row, k) => z[row] * z[rows[k + 1]]));
      const expected = 0.3 + 0.7 * Math.exp((-30 * lag) / 84) * jitter ** 2;
      expect(Math.abs(mean(products) - expected)).toBeLessThan(0.03);
    }
  });

  it('show a disease that goes on', () => {
    const data = generateTemporalPatientData({ nPatients: 20_000, nFeatures: 10 });
    const share = (visit: number) =>
      mean(visitsOf(data).flatMap((rows) => (rows.length > visit ? [data.y[rows[visit]]] : [])));
    expect(share(11) - share(0)).toBeGreaterThan(0.06);
  });

  it('keep their promises for any options', () => {
    const options = fc.record({
      nPatients: fc.integer({ min: 1, max: 30 }),
      nTimepoints: fc.integer({ min: 1, max: 20 }),
      nFeatures: fc.integer({ min: 1, max: 25 }),
      outcomeType: fc.constantFrom('binary' as const, 'continuous' as const),
      missingRate: fc.double({ min: 0, max: 0.99, noNaN: true }),
      randomState: fc.integer({ min: 0, max: 0xffffffff }),
    });
    fc.assert(
      fc.property(options, (chosen) => {
        const data = generateTemporalPatientData(chosen);
        const [times, visits] = [timesOf(data), visitsOf(data)];
        expect(visits.length).toBe(chosen.nPatients);
        expect(visits.every((rows) => rows.length <= chosen.nTimepoints)).toBe(true);
        expect(visits.every((rows) => rows.every((row, k) => k === 0 || times[row] > times[rows[k - 1]]))).toBe(true);
        expect(data.X.every((row) => row.length === chosen.nFeatures)).toBe(true);
        expect(data.y.every(Number.isFinite)).toBe(true);
        expect(data.trueAuc === null).toBe(chosen.outcomeType === 'continuous');
      }),
      { numRuns: 60 },
    );
  });
});

describe('splitters and the runner', () => {
  const model = () => new LogisticRegression();

  it.each([
    ['TimeSeriesSplit', new TimeSeriesSplit({ nSplits: 3 })],
    ['PurgedGroupTimeSeriesSplit', new PurgedGroupTimeSeriesSplit({ nSplits: 3, groupExclusive: true })],
  ])('take the data as they are: %s', async (_, cvSplitter) => {
    const data = generateTemporalPatientData();
    const runner = new UniversalCVRunner({ cvSplitter, verbose: 0 });
    const result = await runner.run({ model, data, preprocessing: new SimpleImputer() });
    expect(result.metadata.dataset?.trueAuc).toBe(data.trueAuc);
    expect(Number(result.meanScores.roc_auc)).toBeGreaterThan(0.5);
    const { X, y, groups, timestamps } = data;
    const times = timesOf(data);
    for (const { train, test } of cvSplitter.split(X, y, { groups, timestamps })) {
      const last = Math.max(...Array.from(train, (row) => times[row]));
      expect(last).toBeLessThanOrEqual(Math.min(...Array.from(test, (row) => times[row])));
    }
  });

  it('read a continuous outcome as regression', async () => {
    const data = generateTemporalPatientData({ outcomeType: 'continuous' });
    const runner = new UniversalCVRunner({ cvSplitter: new TimeSeriesSplit(), verbose: 0 });
    const { DummyRegressor } = await import('../../src/estimators/dummyRegressor.js');
    const result = await runner.run({ model: () => new DummyRegressor(), data, preprocessing: new SimpleImputer() });
    expect(result.metadata.task).toBe('regression');
    expect(result.metadata.dataset).not.toHaveProperty('trueAuc');
  });
});

const of = (name: string) => `The \`${name}\` option of generateTemporalPatientData`;
generatorSuite<GenerateTemporalPatientDataOptions>({
  generate: generateTemporalPatientData,
  samples: [
    { randomState: 1, nPatients: 22_000 },
    { randomState: 2, nPatients: 200_000, nTimepoints: 1, nFeatures: 4 },
    { randomState: 3, nPatients: 9_000, nTimepoints: 40, nFeatures: 3, prevalence: 0.1 },
    { randomState: 'four', nPatients: 72_000, nTimepoints: 3, missingRate: 0 },
  ],
  mostSe: 0.008,
  many: { nPatients: 3000 },
  few: { nPatients: 5 },
  golden: [
    [{ nPatients: 20 }, '0e992d7727319877143976356b6e380d'],
    [{ nPatients: 20, outcomeType: 'continuous' }, '09e5d71e7856f2034714d9fbd60cc37c'],
  ],
  refused: [
    [{ nPatients: 0 }, `invalid_option: ${of('nPatients')} must be an integer >= 1 and <= 1000000. Got 0.`],
    [{ nTimepoints: 1.5 }, `invalid_option: ${of('nTimepoints')} must be an integer >= 1 and <= 10000. Got 1.5.`],
    [{ nFeatures: -1 }, `invalid_option: ${of('nFeatures')} must be an integer >= 1 and <= 10000. Got -1.`],
    [{ missingRate: 1 }, `invalid_option: ${of('missingRate')} must be a number >= 0 and < 1. Got 1.`],
    [
      { outcomeType: 'survival' },
      `invalid_option: ${of('outcomeType')} must be one of 'binary', 'continuous'. Got 'survival'.`,
    ],
    [
      { outcomeType: 'continuous', prevalence: 0.2 },
      `idle_option: ${of('prevalence')} has no effect: \`outcomeType\` is 'continuous'. Leave it out.`,
    ],
  ],
});
