import { describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/index.js';
import {
  type CVCallback,
  CVKitValidator,
  type CVResults,
  type DryRun,
  KFold,
  type RunOptions,
  StratifiedKFold,
  TimeSeriesSplit,
  UniversalCVRunner,
  type ValidateOptions,
  type ValidatorOptions,
} from '../../src/index.js';

const n = 90;
const X = Array.from({ length: n }, (_, row) => [Math.sin(row) + (row % 2), Math.cos(3 * row)]);
const y = X.map((_, row) => Number(row % 2 === 0 ? row % 5 === 0 : row % 3 !== 0));
const model = () => new LogisticRegression();
const runner = (more: object = {}) =>
  new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 4 }), randomState: 3, verbose: 0, ...more });
const run = (options: Partial<RunOptions>) => ({ model, data: [X, y], ...options }) as RunOptions;

describe('a dry run', () => {
  it.each<[string, Partial<RunOptions>]>([
    ['the folds', {}],
    ['inner folds of a threshold', { threshold: 'youden' }],
    ['a threshold that needs none', { threshold: { fixed: 0.4 } }],
    ['a model of all rows', { refit: true, recalibrate: 'platt' }],
    ['the apparent performance', { apparent: true }],
    ['folds that are trained again', { verifyIsolation: true, threshold: 'youden' }],
    ['some folds', { folds: [1, 3] }],
  ])('counts the models of %s as the run trains them', async (_, options) => {
    const dry = await runner().run({ ...run(options), dryRun: true });
    const results = await runner().run(run(options));
    expect(dry).toMatchObject({ folds: results.folds.length, fits: results.metadata.modelsTrained });
    expect(dry).toMatchObject({ kept: 0, seconds: null, tasks: null });
  });

  it.each<[string, ValidatorOptions, Partial<ValidateOptions>]>([
    ['as many halves as it chooses', {}, {}],
    ['as many as it is told', { ciFits: 6 }, { threshold: 'youden' }],
    ['none', { ciFits: 0 }, {}],
    ['none without intervals', { returnConfidenceIntervals: false }, {}],
    [
      'none where folds split patients',
      { method: 'kfold' },
      { groups: Array.from({ length: n }, (_, row) => row % 6) },
    ],
    ['the models of nested cross-validation', { ciMethod: 'nested_cv', nestedCvRepeats: 2 }, {}],
    ['refits', { ciRefits: 20, nSplits: 2 }, {}],
    ['no halves of one given test set', { method: 'holdout', ciFits: 0 }, {}],
  ])('counts what intervals train: %s', async (_, validator, more) => {
    let fits = 0;
    class Counted extends LogisticRegression {
      override fit(...rows: Parameters<LogisticRegression['fit']>) {
        fits++;
        return super.fit(...rows);
      }
    }
    const options = { model: () => new Counted(), X, y, verbose: 0, ...more } as ValidateOptions;
    const dry = await new CVKitValidator({ independentRows: !('groups' in more), ...validator }).validate({
      ...options,
      dryRun: true,
    });
    expect(fits).toBe(0);
    await new CVKitValidator({ independentRows: !('groups' in more), ...validator }).validate(options);
    expect(dry.fits).toBe(fits);
  });

  it.each([true, false])('counts the trials of a search (outer: %s)', async (outer) => {
    let fits = 0;
    class Counted extends LogisticRegression {
      override fit(...rows: Parameters<LogisticRegression['fit']>) {
        fits++;
        return super.fit(...rows);
      }
    }
    const options = {
      modelFn: (params: object) => new Counted(params),
      paramGrid: { C: [0.1, 1, 10], fitIntercept: [true, false] },
      data: [X, y] as [number[][], number[]],
      outer,
    };
    const dry = await runner().runWithHyperparameterTuning({ ...options, dryRun: true });
    expect(fits).toBe(0);
    await runner().runWithHyperparameterTuning(options);
    expect(dry.fits).toBe(fits);
    expect(dry.summary()).toContain('6 trials each');
  });

  it('calls no hook of folds, and tears callbacks down', async () => {
    const called: string[] = [];
    const note = (name: string) => () => void called.push(name);
    const callbacks = {
      onCvStart: note('start'),
      onFoldStart: note('fold'),
      onCvEnd: note('end'),
      teardown: note('down'),
    };
    await runner().run({ ...run({ callbacks: callbacks as CVCallback }), dryRun: true });
    expect(called).toEqual(['down']);
  });

  it('shows the mistakes of the call', async () => {
    const dry = (options: Partial<RunOptions>) => runner().run({ ...run(options), dryRun: true });
    await expect(dry({ epochs: 3 })).rejects.toMatchObject({ code: 'idle_option' });
    await expect(dry({ model: () => ({}) })).rejects.toMatchObject({ code: 'unknown_model' });
    await expect(dry({ model: () => Promise.reject(new Error('no weights')) })).rejects.toThrow('no weights');
    const validator = new CVKitValidator({ cv: new TimeSeriesSplit(), ciFits: 5 });
    await expect(validator.validate({ model, X, y, dryRun: true })).rejects.toThrow('ciFits');
    // All of one class are tested in the first fold, which has none to train on.
    const sorted = y.map((_, row) => Number(row < 20));
    const inOrder = runner({ cvSplitter: new KFold({ nSplits: 4, shuffle: false }) });
    await expect(inOrder.run({ ...run({ data: [X, sorted] }), dryRun: true })).rejects.toMatchObject({
      foldId: 'fold-0',
    });
  });

  it('says what it found in words, also where it is printed', async () => {
    const dry: DryRun = await runner().run({ ...run({ refit: true }), dryRun: true });
    const text = dry.summary();
    for (const part of ['nothing was trained', '5: 4 in folds, 1 on all rows', 'not known', 'models are not counted']) {
      expect(text.replace(/\s+/g, ' ')).toContain(part);
    }
    expect((dry as unknown as Record<symbol, () => string>)[Symbol.for('nodejs.util.inspect.custom')]()).toBe(text);
    const results: CVResults = await runner().run(run({}));
    expect(results.summary()).not.toContain('Dry run');
  });
});
