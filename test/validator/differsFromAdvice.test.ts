import { describe, expect, it } from 'vitest';
import * as cvkit from '../../src/index.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { differsFromAdvice } from '../../src/validator/differsFromAdvice.js';
import { evaluate } from '../../src/validator/evaluate.js';
import { recommendCv } from '../../src/validator/recommendCv.js';
import type { ValidateOptions } from '../../src/validator/validateOptions.js';
import type { ValidatorOptions } from '../../src/validator/validatorOptions.js';

const n = 240;
const random = cvkit.randomSource(7);
const X = Array.from({ length: n }, () => [random.random(), random.random()]);
const y = Array.from({ length: n }, () => (random.random() < 0.4 ? 1 : 0));
const patient = y.map((_, row) => `P${Math.floor(row / 4)}`);
const byDay = y.map((_, row) => row);
const coordinates = y.map((_, row) => [row % 16, Math.floor(row / 16)]);
/** Outcomes that follow the map. */
const west = { y: coordinates.map(([x]) => (x < 8 ? 1 : 0)), coordinates };
const RARE = y.map((_, row) => (row % 20 === 0 ? 1 : 0));
const model = () => ({ fit: () => undefined, predict: (rows: unknown[]) => rows.map((_, row) => row % 2) });

const ORDER = "pass `design: 'iid'` if order does not count";
const PLACES = "pass `design: 'iid'` if the model is for these very places";

async function adviceOf(options: ValidatorOptions, call: Partial<ValidateOptions> = {}) {
  const settings = { returnConfidenceIntervals: false, ...options };
  const data = { model, X, y, metrics: ['accuracy'], verbose: 0, ...call } as ValidateOptions;
  const result = await new CVKitValidator(settings).validate(data);
  const { advice } = result.manifest;
  // The summary and the reports say what the manifest says, or nothing.
  for (const text of [result.summary(), result.toMarkdown()])
    expect(/^[ *|-]*Advice/m.test(text)).toBe(advice !== null);
  return advice;
}

describe.each([
  ['with the checks', {}],
  ['without them', { checkLeakage: false, checkBalance: false }],
] as const)('the advice of a validation %s', (_title, checks) => {
  it.each<[title: string, options: ValidatorOptions, call: Partial<ValidateOptions>, advice: string | null]>([
    [
      'patients on both sides',
      { method: 'kfold' },
      { patientIds: patient },
      'recommendCv would use StratifiedGroupKFold (4 rows per patient); this run used KFold',
    ],
    ['patients kept whole', { method: 'patient_grouped_kfold' }, { patientIds: patient }, null],
    ['patients kept whole by the default', {}, { patientIds: patient }, null],
    [
      'another number of folds, another seed',
      { method: 'stratified_group_kfold', nSplits: 3, randomState: 1 },
      { groups: patient },
      null,
    ],
    ['patients of one row each', { method: 'kfold' }, { groups: byDay }, null],
    ['patients kept whole by a hold-out', { method: 'holdout' }, { groups: patient }, null],
    [
      'order under a prospective design',
      { method: 'stratified_kfold' },
      { timestamps: byDay, design: 'prospective' },
      "recommendCv would use TimeSeriesSplit (the design is 'prospective'); this run used StratifiedKFold",
    ],
    ['order kept', { method: 'temporal' }, { timestamps: byDay, design: 'prospective' }, null],
    [
      'times without a design',
      {},
      { timestamps: byDay },
      `recommendCv would use TimeSeriesSplit (times are given); this run used StratifiedKFold; ${ORDER}`,
    ],
    ['times without a design, order kept', { method: 'temporal' }, { timestamps: byDay }, null],
    [
      'patients and times without a design',
      {},
      { timestamps: byDay, groups: patient },
      `recommendCv would use PurgedGroupTimeSeriesSplit({ groupExclusive: true }) (times are given); this run used StratifiedGroupKFold; ${ORDER}`,
    ],
    [
      'all that is lacking, the worst first',
      { method: 'kfold' },
      { timestamps: byDay, groups: patient },
      `recommendCv would use PurgedGroupTimeSeriesSplit({ groupExclusive: true }) (4 rows per patient, times are given); this run used KFold; ${ORDER}`,
    ],
    [
      'patients, where order does not count',
      { method: 'kfold' },
      { timestamps: byDay, groups: patient, design: 'iid' },
      'recommendCv would use StratifiedGroupKFold (4 rows per patient); this run used KFold',
    ],
    ['times and the design iid', {}, { timestamps: byDay, design: 'iid' }, null],
    [
      'other sites',
      { method: 'stratified_group_kfold' },
      { hierarchy: { site: byDay.map((row) => row % 6), patient: byDay.map((row) => row % 60) }, design: 'deployment' },
      "recommendCv would use HierarchicalGroupKFold({ hierarchyLevel: 'site' }) (the design is 'deployment', at another site); this run used StratifiedGroupKFold",
    ],
    [
      'a rare class',
      { method: 'kfold' },
      { y: RARE },
      'recommendCv would use StratifiedKFold (the rarest class has 12 of 240 rows); this run used KFold',
    ],
    ['no rare class', { method: 'kfold' }, {}, null],
    [
      'a rare class, repeats that keep it',
      { cv: new cvkit.RepeatedKFold({ stratify: true, nRepeats: 2 }) },
      { y: RARE },
      null,
    ],
    ['numbers', { method: 'kfold' }, { y: X.map(([a]) => a), metrics: ['mae'] }, null],
  ])('%s', async (_name, options, call, advice) => {
    expect(await adviceOf({ ...options, ...checks }, call)).toBe(advice);
  });
});

describe('the advice', () => {
  it('is what recommendCv says', async () => {
    const advice = await adviceOf({ method: 'kfold' }, { patientIds: patient });
    const { splitter } = await recommendCv({ X, y, patientIds: patient });
    expect(advice).toContain(`would use ${(splitter as cvkit.StratifiedGroupKFold).facts.name} `);
  });

  it('does not contradict the checks: folds of the caller that keep patients whole, and places that do not matter', async () => {
    const whole = patient.map((_, row) => Math.floor(row / 4) % 5);
    const folds = [0, 1, 2, 3, 4].map((fold) => ({
      train: byDay.filter((row) => whole[row] !== fold),
      test: byDay.filter((row) => whole[row] === fold),
    }));
    const cv = { split: () => folds, getNSplits: () => 5, claims: { partition: true } };
    expect(await adviceOf({ cv }, { groups: patient })).toBeNull();
    const torn = {
      ...cv,
      split: () => folds.map(({ train, test }) => ({ train: [...train.slice(1)], test: [...test, train[0]] })),
      claims: {},
    };
    expect(await adviceOf({ cv: torn }, { groups: patient })).toMatch(/4 rows per patient/);
    // Noise at 240 places: the check finds no autocorrelation, so that blocks are not needed.
    expect(await adviceOf({}, { coordinates })).toBeNull();
    // Of outcomes that follow the map the check fails.
    expect(await adviceOf({}, west)).toBe(
      `recommendCv would use SpatialBlockCV (coordinates are given); this run used StratifiedKFold; ${PLACES}`,
    );
    expect(await adviceOf({}, { ...west, design: 'iid' })).toBeNull();
    expect(await adviceOf({ checkLeakage: false }, { coordinates })).toMatch(/SpatialBlockCV/);
    expect(await adviceOf({ checkLeakage: false }, { coordinates, design: 'iid' })).toBeNull();
  });

  it('says nothing of patients that a check has found on one side', async () => {
    const call = { timestamps: byDay, groups: byDay.map((row) => row - (row % 10 === 1 ? 1 : 0)) };
    expect(await adviceOf({ method: 'temporal' }, { ...call, design: 'prospective' })).toBeNull();
    expect(await adviceOf({ method: 'temporal', checkLeakage: false }, { ...call, design: 'prospective' })).toBe(
      'recommendCv would use PurgedGroupTimeSeriesSplit({ groupExclusive: true }) (1.1 rows per patient); this run used TimeSeriesSplit',
    );
  });

  it('does not name the design that the run used', async () => {
    // Labels are known so late that no folds can wait for them: TimeSeriesSplit is the best that there is.
    const labelEndTimes = byDay.map((day) => day + 400);
    expect(await adviceOf({ method: 'temporal' }, { timestamps: byDay, labelEndTimes })).toBeNull();
    const soon = byDay.map((day) => day + 3);
    expect(await adviceOf({ method: 'temporal' }, { timestamps: byDay, labelEndTimes: soon })).toBe(
      `recommendCv would use PurgedGroupTimeSeriesSplit (times and label end times are given); this run used TimeSeriesSplit; ${ORDER}`,
    );
    const blocks = new cvkit.SpatialBlockCV({ blockSize: 1 });
    expect(await adviceOf({ cv: blocks }, west)).toBeNull();
  });

  it('names no blocks to buffers that are too narrow, and no seed makes a recommended splitter another', async () => {
    for (const checkLeakage of [true, false]) {
      const cv = new cvkit.BufferedSpatialCV({ bufferSize: 0.5, distanceMetric: 'euclidean' });
      expect(await adviceOf({ cv, checkLeakage }, west)).toBeNull();
      for (const randomState of [1, 'two', 3]) {
        const { splitter } = await recommendCv({ X, ...west, randomState });
        expect(await adviceOf({ cv: splitter, checkLeakage }, west)).toBeNull();
      }
    }
  });

  it('does not ask to spread classes where each patient is a fold', async () => {
    const rare = { y: RARE, groups: byDay.map((row) => Math.floor(row / 8)) };
    expect(await adviceOf({ cv: new cvkit.LeaveOneGroupOut() }, rare)).toBeNull();
    expect(await adviceOf({ method: 'patient_grouped_kfold' }, rare)).toMatch(/StratifiedGroupKFold \(the rarest/);
  });

  it('takes no seed from a splitter of others that has something else under that name', async () => {
    const folds = new cvkit.KFold({ shuffle: true, randomState: 1 });
    const [split, getNSplits] = [folds.split.bind(folds), folds.getNSplits.bind(folds)];
    for (const randomState of [1.5, -1, '', null]) {
      const cv = { options: { randomState }, split, getNSplits };
      expect(await adviceOf({ cv }, { groups: patient })).toMatch(/^recommendCv would use StratifiedGroupKFold/);
    }
  });

  it('names no design that the data do not allow', async () => {
    // Each patient is seen over the whole time, so that nobody is both earlier and another.
    const groups = byDay.map((row) => row % 12);
    const advice = await adviceOf({ method: 'kfold' }, { groups, timestamps: byDay, design: 'prospective' });
    expect(advice).toBe('recommendCv would use StratifiedGroupKFold (20 rows per patient); this run used KFold');
  });

  it('takes the place of the warning about times that the splitter does not use', async () => {
    const said = async (call: Partial<ValidateOptions>, options: ValidatorOptions = {}) => {
      const settings = { returnConfidenceIntervals: false, ...options };
      const data = { model, X, y, metrics: ['accuracy'], verbose: 0, ...call } as ValidateOptions;
      const { manifest } = await new CVKitValidator(settings).validate(data);
      return [manifest.advice !== null, manifest.warnings.some((text) => /does not use the/.test(text))];
    };
    expect(await said({ timestamps: byDay })).toEqual([true, false]);
    expect(await said({ timestamps: byDay, labelEndTimes: byDay })).toEqual([true, false]);
    const soon = byDay.map((day) => day + 3);
    expect(await said({ timestamps: byDay, labelEndTimes: soon }, { method: 'temporal' })).toEqual([true, false]);
    // What the advice does not say is still said.
    expect(
      await said({ timestamps: byDay, labelEndTimes: byDay.map((day) => day + 400) }, { method: 'temporal' }),
    ).toEqual([false, true]);
    // All rows are of one time: there is no other design to advise.
    expect(await said({ timestamps: y.map(() => 1) })).toEqual([false, true]);
    // Who says that order does not count is not told to mind it.
    expect(await said({ timestamps: byDay, design: 'iid' })).toEqual([false, false]);
  });

  it('of folds that keep the order by themselves, as the check counted, there is none', async () => {
    const first = { train: byDay.slice(0, 160), test: byDay.slice(160) };
    const cv = { split: () => [first], getNSplits: () => 1, claims: {} };
    expect(await adviceOf({ cv }, { timestamps: byDay })).toBeNull();
    const second = { train: byDay.slice(160), test: byDay.slice(0, 160) };
    const late = { split: () => [second], getNSplits: () => 1 };
    expect(await adviceOf({ cv: late }, { timestamps: byDay })).toMatch(/TimeSeriesSplit \(times are given\)/);
    expect(await adviceOf({ cv: late }, { timestamps: byDay, design: 'iid' })).toBeNull();
  });

  it('counts patients as everything else does: those of the hierarchy, and ids of several kinds', async () => {
    const ids = y.map((_, row) => (row % 2 === 0 ? row >> 2 : String(row >> 2)));
    expect(await adviceOf({ method: 'kfold' }, { groups: ids })).toMatch(/\(4 rows per patient\)/);
    expect(await adviceOf({ method: 'kfold' }, { hierarchy: { patient } })).toMatch(/\(4 rows per patient\)/);
  });

  it('names no design that many rows do not allow', async () => {
    const many = 20_000;
    const labels = (await import('../../src/data/labels.js')).labelsOf(
      Array.from({ length: many }, (_, row) => row % 2),
    );
    const splitter = new cvkit.KFold();
    const plan = cvkit.foldsOf(splitter, many);
    const data = { X: { length: many } as never, y: labels, data: { timestamps: new Float64Array(many) } };
    expect(differsFromAdvice(data, { splitter, plan, design: undefined, checks: [] })).toBeNull();
  });

  it('reads no row of X, and is none of runs without a validation', async () => {
    const rows = { length: n, take: () => expect.unreachable('was read') };
    const labels = (await import('../../src/data/labels.js')).labelsOf(y);
    const splitter = new cvkit.KFold({ nSplits: 5 });
    const plan = cvkit.foldsOf(splitter, n);
    const data = { X: rows as never, y: labels, data: { groups: patient } };
    expect(differsFromAdvice(data, { splitter, plan, design: undefined, checks: [] })).toMatchObject({
      text: expect.stringMatching(/^recommendCv would use/),
    });
    const fold = byDay.map((row) => row % 5);
    const given = await evaluate({ yTrue: y, yPred: y, fold, groups: patient });
    expect(given.manifest.advice).toBeNull();
    const half = byDay.filter((row) => row % 2 === 0);
    const [XTrain, yTrain] = [half.map((row) => X[row]), half.map((row) => y[row])];
    const once = await new CVKitValidator({ returnConfidenceIntervals: false }).fitValidate({
      model,
      XTrain,
      yTrain,
      XTest: XTrain,
      yTest: yTrain,
      groups: half.map((row) => patient[row]),
      testGroups: half.map((row) => patient[row]),
      verbose: 0,
    });
    expect(once.manifest.advice).toBeNull();
    const plain = await new UniversalCVRunner({ cvSplitter: splitter, verbose: 0 }).run({
      model,
      data: [X, y, patient],
    });
    expect(plain.metadata).not.toHaveProperty('advice');
  });
});
