import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { tabular } from '../../src/preprocessing/tabular.js';
import type { RefittedModel } from '../../src/runner/keptModels.js';
import { loadModel } from '../../src/runner/loadModel.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { evaluate } from '../../src/validator/evaluate.js';
import { blobs } from '../helpers/nearestMean.js';
import { Climber, scriptedAdapter } from '../helpers/scriptedAdapter.js';
import { thrown } from '../helpers/thrown.js';

const { X, y } = blobs(80);
/** New patients, two rows each. */
const XTest = X.slice(0, 40).map(([a, b], row) => [a + (row % 7) / 10, b - (row % 3) / 10]);
const yTest = y.slice(0, 40);
const patients = yTest.map((_, row) => `P${row >> 1}`);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cvkit-'));
});
afterAll(() => rm(folder, { recursive: true }));

let count = 0;
async function saved(options: Partial<RunOptions> = {}) {
  const run = await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 }).run({
    model: () => new LogisticRegression(),
    data: [X, y],
    preprocessing: new StandardScaler(),
    refit: true,
    ...options,
  });
  const place = join(folder, `m${count++}`);
  await (run.refitted as RefittedModel).save(place);
  return loadModel(place);
}
const fitValidate = (options: object, settings = {}) =>
  new CVKitValidator({ nBootstrap: 200, ...settings }).fitValidate({ verbose: 0, ...options } as never);

describe('fitValidate with a saved model', () => {
  it('warns of categories that the preparation was not fitted on, and of a column without a value', async () => {
    const [ward, size] = [X.map((_, row) => (row % 2 ? 'a' : 'b')), X.map(([a]) => a)];
    const model = await saved({ data: { X: { ward, size }, y }, preprocessing: tabular() });
    const warnings = async (test: object) => {
      const { manifest } = await fitValidate({ model, XTest: test, yTest, testPatientIds: patients });
      const trained = await fitValidate({
        ...{ model: () => new LogisticRegression(), XTrain: { ward, size }, yTrain: y, XTest: test, yTest },
        ...{ preprocessing: tabular(), testPatientIds: patients },
      });
      // Trained here or before, the same is said.
      for (const each of manifest.warnings) expect(trained.manifest.warnings).toContain(each);
      return manifest.warnings;
    };
    const [known, amounts] = [ward.slice(0, 40), size.slice(0, 40)];
    const write = 'Write them as in the training data.';
    expect(await warnings({ ward: known, size: amounts })).toEqual([]);
    expect(
      await warnings({ ward: known.map((each, row) => (row < 30 ? each.toUpperCase() : each)), size: amounts }),
    ).toEqual([`In column 'ward' 30 of 40 test rows hold categories that the model was not fitted on. ${write}`]);
    expect(await warnings({ ward: amounts, size: amounts.map(() => Number.NaN) })).toEqual([
      "In column 'size' all 40 test rows are missing.",
      `In column 'ward' 40 of 40 test rows hold categories that the model was not fitted on. ${write}`,
    ]);
    // One new category in few rows is no news.
    expect(await warnings({ ward: known.map((each, row) => (row === 0 ? 'c' : each)), size: amounts })).toEqual([]);
  });

  it('scores what the model predicts, with its recalibration and its threshold, and trains nothing', async () => {
    const model = await saved({ threshold: { fixed: 0.3 }, recalibrate: 'isotonic' });
    const { predictions, probabilities } = await model.predict(XTest);
    const result = await fitValidate({ model, XTest, yTest, testPatientIds: patients });
    const ofThese = await evaluate({ yTrue: yTest, yPred: predictions, yProba: probabilities as Float64Array });
    expect(result.estimates).toEqual(ofThese.estimates);
    expect(Array.from(result.outOfFold.yPred)).toEqual(Array.from(predictions as ArrayLike<number>));
    expect(result.confidenceIntervals.roc_auc).toMatchObject({ estimand: 'predictions', unit: 'patient', nUnits: 20 });
    expect(result.manifest).toMatchObject({
      modelsTrained: 0,
      nGroups: 20,
      adapter: 'estimator',
      method: 'given test set',
    });
    expect(result.manifest.adjustment).toContain('isotonic recalibration, threshold 0.3');
    expect(result.manifest.sha256?.data.X).toMatch(/^[\da-f]{64}$/);
    expect(result.summary()).toContain('Validation on a test set');
  });

  it('makes no check that needs training rows, and says why', async () => {
    const result = await fitValidate({ model: await saved(), XTest, yTest });
    const { checks, overallStatus } = result;
    expect(new Set(checks.filter(({ code }) => code.startsWith('CVL')).map(({ status }) => status))).toEqual(
      new Set(['not_evaluated']),
    );
    expect(checks[0].message).toContain('SHA-256 is not that of these rows');
    expect([overallStatus, checks.find(({ code }) => code === 'CVB001')?.status]).toEqual([
      'not_fully_verified',
      'passed',
    ]);
    const acknowledged = { CVL001: 'another hospital' };
    const other = await fitValidate({ model: await saved(), XTest, yTest, acknowledged });
    expect(other.checks[0].acknowledged).toBe('another hospital');
  });

  it('tells that the rows are those of the training', async () => {
    const result = await fitValidate({ model: await saved(), XTest: X, yTest: y });
    expect([result.overallStatus, result.checks.find(({ status }) => status === 'failed')?.code]).toEqual([
      'failed',
      'CVL002',
    ]);
    expect(
      await thrown(() => saved().then((model) => fitValidate({ model, XTest: X, yTest: y, raiseOn: [] }))),
    ).toContain('LeakageError');
  });

  it('knows columns and classes by name', async () => {
    const records = X.map(([a, b]) => ({ a, b }));
    const labels = y.map((each) => (each === 1 ? 'ill' : 'well'));
    const model = await saved({ data: [records, labels] as never, positiveLabel: 'ill' });
    const test = { model, XTest: records.slice(0, 30), yTest: labels.slice(0, 30) };
    const inOrder = await fitValidate(test);
    expect(inOrder.manifest).toMatchObject({ positiveLabel: 'ill', classes: ['ill', 'well'] });
    const turned = { ...test, XTest: test.XTest.map(({ a, b }) => ({ b, a })) };
    expect((await fitValidate(turned)).outOfFold).toEqual(inOrder.outOfFold);
    expect(await thrown(() => fitValidate({ ...test, patientIds: [1] }))).toContain('Pass `testPatientIds`.');
    const unknown = { ...test, yTest: test.yTest.map((label, row) => (row === 3 ? 'unsure' : label)) };
    expect(await thrown(() => fitValidate(unknown))).toMatch(/unseen_class.*row 3/);
    // A test set of one class is scored where it can be.
    const healthy = await fitValidate({ ...test, yTest: test.yTest.map(() => 'well') });
    expect(healthy.scores.specificity[0].value).toBeGreaterThan(0);
    expect(healthy.scores.sensitivity[0].value).toBeNull();
    expect(healthy.checks.find(({ code }) => code === 'CVB001')?.fix).toMatch(/^Test rows of another class, too/);
  });

  it('takes several classes, numbers and several labels', async () => {
    const thirds = X.map(([a]) => (a < -0.5 ? 'low' : a > 0.5 ? 'high' : 'middle'));
    const several = await saved({ data: [X, thirds] as never });
    const { probabilities } = await several.predict(XTest);
    const result = await fitValidate({ model: several, XTest, yTest: thirds.slice(0, 40) }, { metrics: ['log_loss'] });
    expect(Array.from(result.outOfFold.yProba as never)).toHaveLength(40);
    expect(probabilities).toHaveLength(120);
    expect(result.scores.log_loss[0].value).toBeGreaterThan(0);
    const line = { fit: () => undefined, predict: (rows: number[][]) => rows.map(([a]) => 2 * a), toJSON: () => ({}) };
    const numbers = (
      await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 }).run({
        model: () => ({ ...line }),
        data: [X, X.map(([a, b]) => a + b)],
        refit: true,
      })
    ).refitted as RefittedModel;
    const regression = await fitValidate({ model: numbers, XTest, yTest: XTest.map(([a]) => 2 * a) });
    expect(regression.scores.r2[0].value).toBeCloseTo(1, 12);
  });

  it.each([
    ['several labels', [0.4, 0.9, 0.2], X.map((_, row) => [row % 2, 1, Number(row % 3 === 0)])],
    [
      'masks',
      [0.4, 0.9, 0.2, 0.6],
      X.map((_, row) => [
        [row % 2, 1],
        [0, 1],
      ]),
    ],
  ])('takes %s', async (_, given, labels) => {
    const { adapter } = scriptedAdapter(
      {},
      {
        capabilities: { trains: true, epochs: true, probabilities: true, saves: true },
        predict: async (_model, { length }) => ({
          probabilities: { data: Float64Array.from(Array(length).fill(given).flat()), shape: [length, given.length] },
        }),
      },
    );
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), adapter, verbose: 0 });
    const { refitted } = await runner.run({ model: () => new Climber(), data: [X, labels] as never, refit: true });
    const test = labels.slice(0, 40);
    const { estimates } = await fitValidate({ model: refitted, XTest, yTest: test });
    const data = Float64Array.from(Array(40).fill(given).flat());
    const shape = given.length === 3 ? [40, 3] : [40, 2, 2];
    const options = { yTrue: test, yProba: { data, shape }, returnConfidenceIntervals: false };
    expect(estimates).toEqual((await evaluate(options as never)).estimates);
    expect(Object.values(estimates).some((value) => value !== null && value > 0.5)).toBe(true);
  });

  it('refuses what would train, or has no effect', async () => {
    const model = await saved();
    for (const more of [{ epochs: 3 }, { recalibrate: 'platt' }, { patientIds: y }, { XTrain: X }, { design: 'iid' }]) {
      expect(await thrown(() => fitValidate({ model, XTest, yTest, ...more }))).toContain('(idle_option)');
    }
    const untrained = { model: () => new LogisticRegression(), XTest, yTest };
    expect(await thrown(() => fitValidate(untrained))).toMatch(/missing_option.*XTrain/);
  });
});

describe('evaluate with a saved model', () => {
  it('gives what fitValidate gives', async () => {
    const model = await saved();
    const result = await evaluate({ model, X: XTest, yTrue: yTest, patientIds: patients, nBootstrap: 200 });
    const same = await fitValidate({ model, XTest, yTest, testPatientIds: patients });
    expect(result.estimates).toEqual(same.estimates);
    expect(result.confidenceIntervals).toEqual(same.confidenceIntervals);
  });

  it('refuses predictions beside it, and rows without it', async () => {
    const model = await saved();
    expect(await thrown(() => evaluate({ model, X: XTest, yTrue: yTest, yPred: yTest }))).toContain('(idle_option)');
    expect(await thrown(() => evaluate({ model, yTrue: yTest }))).toMatch(/missing_option.*`X`/);
    expect(await thrown(() => evaluate({ X: XTest, yTrue: yTest, yPred: yTest }))).toContain('(idle_option)');
    expect(await thrown(() => evaluate({ model: {} as never, X: XTest, yTrue: yTest }))).toContain('loadModel');
  });
});
