import { describe, expect, it } from 'vitest';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import { LearningRateScheduler } from '../../src/callbacks/learningRateScheduler.js';
import { ModelCheckpoint } from '../../src/callbacks/modelCheckpoint.js';
import { recordOf } from '../../src/core/recorded.js';
import type { FoldDetails } from '../../src/runner/foldResult.js';
import { runFacts } from '../../src/runner/runFacts.js';
import type { RunMetadata } from '../../src/runner/runMetadata.js';

/** What the facts are made of. */
const METADATA = {
  ...{ cvkit: '1.0.0', seconds: 65, splitter: 'KFold', design: 'KFold({ nSplits: 2 })', foldFingerprint: 'abc' },
  ...{ nSplits: 2, foldsRun: 2, modelsTrained: 5, stopped: false, randomState: 7, n: 100, nGroups: 40 },
  ...{ rowShape: [28, 28], task: 'binary', taskReason: 'y has 2 distinct integers', positiveLabel: 1 },
  ...{ adapter: 'tfjs', engine: { backend: 'wasm', backendReason: 'small layers' }, model: null },
  ...{ epochs: 40, batchSize: 32, training: { optimizer: 'adam, learning rate 0.001', lossFn: 'binaryCrossentropy' } },
  ...{ fixedModel: null, fitNotSeen: null, preprocessing: null, labels: null, adjustment: null, verifiedFolds: null },
  ...{ overridden: ['`framework` by `adapter`'], options: {} },
} as unknown as RunMetadata;

const fold = (part: Partial<FoldDetails> = {}) =>
  ({
    fold: 'fold-0',
    status: 'completed',
    error: null,
    epochs: 40,
    nTrain: 50,
    nFitted: 50,
    nValidation: 0,
    ...part,
  }) as FoldDetails;

const factsOf = (metadata: Partial<RunMetadata>, folds: FoldDetails[] = [fold(), fold()], details = false) =>
  Object.fromEntries(runFacts({ metadata: { ...METADATA, ...metadata }, foldDetails: folds }, { details }));

describe('runFacts', () => {
  it('says how the models were trained', () => {
    expect(factsOf({})).toEqual({
      Design: 'KFold, 2 folds; training seed 7; 1 min 5 s',
      Data: '100 rows of 40 patients, each 28 x 28',
      Task: 'binary: y has 2 distinct integers; positive class 1',
      Model: 'tfjs on wasm: 40 epochs, adam, learning rate 0.001, binaryCrossentropy, batches of 32',
    });
  });

  it.each([
    ['StratifiedKFold({ shuffle: true, randomState: 7 })', '; seed 7'],
    ["StratifiedKFold({ shuffle: true, randomState: '7' })", ", randomState '7'; training seed 7"],
    ['NestedCV({ outerCv: KFold({ shuffle: true, randomState: 1 }) })', ', randomState 1; training seed 7'],
  ])('says which seed drew the folds: %s', (design, seed) => {
    expect(factsOf({ design }).Design).toBe(`KFold, 2 folds${seed}; 1 min 5 s`);
  });

  it('says how many epochs and rows were used where training ended early and rows were watched', () => {
    const folds = [
      fold({ epochs: 12, nFitted: 40, nValidation: 10 }),
      fold({ epochs: 30, nFitted: 39, nValidation: 11 }),
    ];
    const { Model, Training } = factsOf({}, folds);
    expect(Model).toContain('12 to 30 of 40 epochs');
    expect(Training).toBe('39 to 40 rows in each fold; 10 to 11 more were watched');
  });

  it('says what else acted on training', async () => {
    const callbacks = [new LearningRateScheduler({ schedule: (_, rate) => rate }), new EarlyStopping({ patience: 3 })];
    const own = { name: 'Warmup', needsEpochs: true, onEpochStart: () => undefined };
    const loggers = [new ModelCheckpoint({ path: 'best' }), { onEpochEnd: () => undefined }];
    const written = {
      classWeight: await recordOf({ no: 1, yes: 3 }),
      augment: await recordOf(() => ({})),
      callbacks: await recordOf([...callbacks, own, ...loggers]),
    };
    const options = { validate: written, CVKitValidator: {} };
    const { Training } = factsOf({ options }, [fold({ nFitted: 40, nValidation: 10 })]);
    expect(Training).toBe(
      '40 rows in each fold; 10 more were watched; classWeight no 1, yes 3, augment, ' +
        'LearningRateScheduler(schedule a function, minimum 0, warmup 0), ' +
        "EarlyStopping(monitor 'val_loss', minDelta 0, patience 3, restoreBest true), Warmup",
    );
    const balanced = { run: { classWeight: 'balanced' } };
    expect(factsOf({ options: balanced }).Training).toBe("classWeight 'balanced'");
  });

  it('says among the details where the labels come from', () => {
    const labels = "the most probable class, as the model's own labels were on 48 training rows";
    expect(factsOf({ labels }).Labels).toBeUndefined();
    expect(factsOf({ labels }, undefined, true).Labels).toBe(labels);
  });

  it('says that a model was not trained, and names no epochs where there are none', () => {
    expect(factsOf({ fixedModel: 'a GraphModel can only predict', epochs: null }).Model).toBe(
      'tfjs on wasm, not trained: a GraphModel can only predict',
    );
    const estimator = { adapter: 'estimator', engine: {}, epochs: null, training: null };
    expect(factsOf(estimator).Model).toBe('estimator');
    expect(factsOf({ ...estimator, model: 'LogisticRegression' }).Model).toBe('estimator (LogisticRegression)');
  });

  it('counts failed folds, and shows three of their errors', () => {
    const failed = Array.from({ length: 5 }, (_, i) => fold({ status: 'failed', error: `Fold ${i} failed: lost` }));
    const facts = runFacts({ metadata: METADATA, foldDetails: [fold(), ...failed] });
    expect(facts).toContainEqual(['FAILED', '5 of 6 folds, in no score']);
    expect(facts.filter(([label]) => label === 'Reason').map(([, text]) => text)).toEqual([
      'Fold 0 failed: lost',
      'Fold 1 failed: lost',
      'Fold 2 failed: lost',
      'and 2 more',
    ]);
  });

  it('adds what it takes to repeat the run', () => {
    const facts = factsOf({}, undefined, true);
    expect(facts.Folds).toBe('KFold({ nSplits: 2 }); fingerprint abc');
    expect(facts.Engine).toBe('backend wasm (small layers), cvkit 1.0.0');
    expect(facts.Overridden).toBe('`framework` by `adapter`');
  });
});
