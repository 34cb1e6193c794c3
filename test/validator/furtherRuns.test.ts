import { describe, expect, it } from 'vitest';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import { ModelCheckpoint } from '../../src/callbacks/modelCheckpoint.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import type { ValidateOptions } from '../../src/validator/validateOptions.js';
import type { ValidatorOptions } from '../../src/validator/validatorOptions.js';
import { rejection } from '../helpers/failure.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';

const { X, y } = blobs(60);
const model = () => new NearestMean();
const metrics = ['accuracy', 'brier'];
const nested = { ciMethod: 'nested_cv', metrics } as const;

async function validated(options: ValidatorOptions, call: Partial<ValidateOptions> = {}) {
  const { adapter, spy } = spyAdapter();
  const given = { model, X, y, adapter, verbose: 0, ...call };
  const result = await new CVKitValidator(options).validate(given as ValidateOptions);
  const { confidenceIntervals, manifest, meanScores, refitted } = result;
  return { confidenceIntervals, manifest, meanScores, refitted, spy };
}

describe('nested_cv of the validator', () => {
  it('makes R K (K + 1) / 2 further fits and gives an interval of the refitted model', async () => {
    const { spy, confidenceIntervals, manifest } = await validated({ ...nested, nestedCvRepeats: 3, nSplits: 4 });
    expect(spy.trainedOn).toHaveLength(4 + (3 * 4 * 5) / 2);
    expect(spy.disposed).toBe(spy.built);
    expect(manifest.nSplits).toBe(4);
    for (const interval of Object.values(confidenceIntervals)) {
      expect(interval).toMatchObject({ method: 'nested_cv', estimand: 'refitted_model', unit: 'row', nTrain: 60 });
      expect(interval.lower).toBeLessThan(interval.estimate as number);
      expect(interval.upper).toBeGreaterThan(interval.estimate as number);
      expect(interval.note).toContain('From 3 repeats of 4 folds, 30 models.');
    }
  });

  it('is reproducible, and changes with the seed', async () => {
    const run = async (randomState: number) =>
      (await validated({ ...nested, nestedCvRepeats: 2, randomState })).confidenceIntervals.brier;
    expect(await run(1)).toEqual(await run(1));
    expect((await run(1)).estimate).not.toBe((await run(2)).estimate);
  });

  it('keeps patients whole and takes them for the units', async () => {
    const groups = y.map((_, row) => `p${Math.floor(row / 3)}`);
    const { spy, confidenceIntervals } = await validated({ ...nested, nestedCvRepeats: 2 }, { groups });
    expect(confidenceIntervals.accuracy).toMatchObject({ unit: 'patient', nUnits: 20, nTrain: 20 });
    expect(spy.trainedOn).toHaveLength(5 + 2 * 15);
    for (const rows of spy.trainedOn) {
      const trained = new Set(rows.map((row) => groups[row]));
      expect(rows).toHaveLength(3 * trained.size);
    }
  });

  it('serves some scores of a record, and gives the others null limits with the reason', async () => {
    const both = { metrics: ['accuracy', 'roc_auc'], nestedCvRepeats: 1 };
    const { confidenceIntervals } = await validated({ ...both, ciMethod: { accuracy: 'nested_cv' } });
    expect(confidenceIntervals.accuracy.method).toBe('nested_cv');
    expect(confidenceIntervals.roc_auc.method).toBe('bootstrap');
    const all = await validated({ ...both, ciMethod: 'nested_cv' });
    expect(all.confidenceIntervals.roc_auc).toMatchObject({ method: 'nested_cv', lower: null });
    expect(all.confidenceIntervals.roc_auc.reason).toContain('which roc_auc is not');
  });

  it('calls what is part of training in further fits, and nothing else', async () => {
    const calls = { training: 0, logging: 0, saving: 0 };
    class Counting extends EarlyStopping {
      override forFold() {
        calls.training++;
        return super.forFold();
      }
    }
    class Saving extends ModelCheckpoint {
      override forFold() {
        calls.saving++;
        return super.forFold();
      }
    }
    const callbacks = [
      new Counting({ patience: 1 }),
      new Saving({ path: 'models/{fold}', every: 100 }),
      { name: 'logger', onFoldStart: () => void calls.logging++ },
    ];
    await validated({ ...nested, nestedCvRepeats: 1 }, { callbacks, validation: 0.2, epochs: 3 });
    expect(calls).toEqual({ training: 5 + 15, logging: 5, saving: 5 });
  });

  it('trains the model of all rows once, and saves models of the folds alone', async () => {
    const { adapter, spy } = spyAdapter();
    const saved: string[] = [];
    const saving = {
      ...adapter,
      capabilities: { ...adapter.capabilities, saves: true },
      save: async (_: unknown, place: unknown) => void saved.push(String(place)),
      load: async () => new NearestMean(),
    };
    const kept = { refit: true, keepModels: 'save', modelPath: 'memory://{fold}', adapter: saving as never } as const;
    const result = await validated({ ...nested, nestedCvRepeats: 1 }, kept);
    expect(spy.trainedOn).toHaveLength(5 + 1 + 15);
    expect(saved).toEqual([0, 1, 2, 3, 4].map((fold) => `memory://fold-${fold}`));
    expect(result.refitted).not.toBeNull();
    // The refitted model is the caller's.
    expect(spy.built - spy.disposed).toBe(1);
  });

  it('gives null limits with the reason when a further fit fails, and keeps the scores', async () => {
    let fits = 0;
    const { adapter } = spyAdapter();
    const failing = {
      ...adapter,
      fit: async (...args: Parameters<typeof adapter.fit>) => {
        if (++fits === 9) throw new Error('diverged');
        return adapter.fit(...args);
      },
    };
    const result = await validated({ ...nested, nestedCvRepeats: 1 }, { adapter: failing as never });
    expect(result.meanScores.accuracy).toEqual(expect.any(Number));
    expect(result.confidenceIntervals.accuracy).toMatchObject({ lower: null });
    expect(result.confidenceIntervals.accuracy.reason).toMatch(/^1 .*repeat-0_without-3.*diverged/);
  });

  it('trains no further model once a callback has ended the run', async () => {
    const callbacks = [{ name: 'stop', onFoldEnd: () => 'stop' as const }];
    const { spy, confidenceIntervals } = await validated(nested, { callbacks });
    expect(spy.trainedOn).toHaveLength(1);
    expect(confidenceIntervals.brier.reason).toBe('nested_cv needs models of its own, and none were trained');
  });

  it('trains no further model for scoring functions alone', async () => {
    const { spy } = await validated({ ciMethod: 'nested_cv' }, { scoring: { own: () => 0.5 } });
    expect(spy.trainedOn).toHaveLength(5);
  });

  it('takes folds as they are for one repeat', async () => {
    const cv = new PredefinedSplit({ testFold: y.map((_, row) => row % 3) });
    const { spy, confidenceIntervals } = await validated({ ...nested, nestedCvRepeats: 1 }, { cv });
    expect(spy.trainedOn).toHaveLength(3 + 6);
    expect(confidenceIntervals.brier.lower).toEqual(expect.any(Number));
  });

  it('refuses before anything is trained', async () => {
    const { adapter, spy } = spyAdapter();
    const validator = new CVKitValidator({ ...nested, method: 'loocv' });
    expect(await rejection(validator.validate({ model, X, y, adapter, verbose: 0 }))).toMatch(/^interval_method: /);
    const sets = { XTrain: X, yTrain: y, XTest: X, yTest: y };
    expect(await rejection(new CVKitValidator(nested).fitValidate({ model, ...sets, adapter }))).toMatch(/one split/);
    expect(spy.built).toBe(0);
  });
});

describe('ciRefits of the validator', () => {
  it('runs the cross-validation again on resampled patients, and takes the larger standard error', async () => {
    const groups = y.map((_, row) => Math.floor(row / 2));
    const call = { groups, cv: new GroupKFold({ nSplits: 3, randomState: 1 }) };
    const of = async (ciRefits: number | null) => {
      const { spy, confidenceIntervals } = await validated({ metrics: ['brier'], ciRefits }, call);
      return { spy, interval: confidenceIntervals.brier };
    };
    const { interval: plain } = await of(null);
    const { spy, interval: refitted } = await of(20);
    expect(spy.trainedOn).toHaveLength(3 + 20 * 3);
    expect(refitted).toMatchObject({ method: 'bootstrap', estimand: 'procedure', estimate: plain.estimate });
    expect(refitted.lower).toBeLessThanOrEqual(plain.lower as number);
    expect(refitted.upper).toBeGreaterThanOrEqual(plain.upper as number);
    expect(refitted.note).toMatch(/The standard error of 20 refits on resampled patients, times sqrt\(\.632\), is/);
    expect((await of(20)).interval).toEqual(refitted);
  });
});

describe('refits of the bootstrap estimators', () => {
  it('give the .632+ estimate an interval', async () => {
    const options = { method: 'bootstrap', bootstrapValidationEstimator: '.632+', bootstrapValidationIterations: 5 };
    const { spy, confidenceIntervals } = await validated({ ...options, ciRefits: 20, metrics: ['accuracy'] } as object);
    expect(spy.trainedOn).toHaveLength(21 * (5 + 1));
    const { accuracy } = confidenceIntervals;
    expect(accuracy.lower).toBeLessThan(accuracy.estimate as number);
    expect(accuracy.upper).toBeGreaterThan(accuracy.estimate as number);
    expect(accuracy.note).toContain('Standard error of 20 refits on resampled rows, times sqrt(.632).');
  });
});
