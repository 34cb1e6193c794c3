import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { terminal } from '#io';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import { InvalidOptionError } from '../../src/core/errors.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import type { CVCallback } from '../../src/runner/callback.js';
import type { FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { HierarchicalGroupKFold } from '../../src/splitters/grouped/hierarchicalGroupKFold.js';
import { LeaveOneGroupOut } from '../../src/splitters/grouped/leaveOneGroupOut.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import type { Splitter, SplitterClaims } from '../../src/splitters/splitter.js';
import { compareModels } from '../../src/stats/compareModels.js';
import { leakageInflation } from '../../src/stats/leakageInflation.js';
import { learningCurve } from '../../src/stats/learningCurve.js';
import { permutationTest } from '../../src/stats/permutationTest.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { evaluate } from '../../src/validator/evaluate.js';
import type { ValidateOptions } from '../../src/validator/validateOptions.js';
import type { ValidatorOptions } from '../../src/validator/validatorOptions.js';
import { cloningExecutor } from '../helpers/cloningExecutor.js';
import { NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { network, table, tf } from '../helpers/tfjsModels.js';

const noise = (at: number) => Math.abs(Math.sin(at * 78.233) * 43758.5453) % 1;
/** Rows of two classes that overlap. */
const rows = (n: number, classes = 2) => {
  const y = Array.from({ length: n }, (_, row) => Math.floor(noise(row) * classes));
  return { X: y.map((label, row) => [label + 2 * noise(row + 1000), noise(row + 5000)]), y };
};
const { X, y } = rows(120);
/** So many models of halves were used, whether they show an effect of training or none. */
const IN = (models: string) =>
  new RegExp(
    `What another training set would change is in the interval: ${models} models of half of the \\w+ estimate it\\.`,
  );
/** Folds of 60 rows: each alone has enough of each class for an interval about the procedure. */
const TWO = { cv: new KFold({ nSplits: 2 }) };
const stopAfter = (folds: number): CVCallback => {
  let ended = 0;
  return {
    name: 'stop',
    onCvStart: () => {
      ended = 0;
    },
    onFoldEnd: () => (++ended === folds ? 'stop' : undefined),
  };
};
const OFFER = '`ciFits: 5` estimates it with 10 more fits on half of the data';
const REPEATED = { cv: new RepeatedKFold({ nSplits: 2, nRepeats: 2 }) };
const quarters = new PredefinedSplit({ testFold: y.map((_, row) => row % 4) });
const RARE = y.map((_, row) => Number(row % 7 === 3));
const NOT_IN = 'What another training set would change is not in the interval';

/** Every row is tested once; models are trained on 40 of the 80 other rows. */
const PARTLY = new PredefinedSplit({
  folds: [0, 1, 2].map((fold) => ({
    test: y.flatMap((_, row) => (row % 3 === fold ? [row] : [])),
    train: y.flatMap((_, row) => (row % 3 !== fold && row % 2 === 0 ? [row] : [])),
  })),
});

/** Folds with inner ones, of a splitter that does not say by what they are made. */
const OWN_INNER: Splitter = {
  claims: { partition: true },
  getNSplits: () => 3,
  *split() {
    const nested = new NestedCV({ outerCv: new KFold({ nSplits: 3 }), innerCv: new KFold({ nSplits: 2 }) });
    yield* nested.split(X, y);
  },
};

/** Sites in chains: each patient has a row at one site and a row at the next one of the chain. */
const chains = (count: number) => {
  const rows = Array.from({ length: 120 * 2 }, (_, row) => ({ patient: Math.floor(row / 2), next: row % 2 }));
  const length = 120 / count;
  return {
    X: rows.map((_, row) => [noise(row), noise(row + 1000)]),
    y: rows.map(({ patient }) => Math.floor(patient / count) % 2),
    groups: rows.map(({ patient }) => patient),
    hierarchy: {
      site: rows.map(({ patient, next }) => {
        const chain = patient % count;
        const link = Math.floor((Math.floor(patient / count) + 2 * next) / 2) % (length / 2);
        return chain * 1000 + link;
      }),
    },
  };
};

type Adapter = FrameworkAdapter<NearestMean>;

/** An estimator: nothing that trains in epochs. `fails` may throw before a fit, `trains: false` gives a fixed model. */
function estimator({ fails, ...facts }: { epochs?: boolean; trains?: boolean; fails?: (rows: number) => void } = {}) {
  const { adapter, spy } = spyAdapter();
  const opened = { count: 0 };
  const own: Adapter = {
    ...adapter,
    capabilities: { ...adapter.capabilities, epochs: false, ...facts },
    open: async (...given) => {
      opened.count++;
      return (adapter.open as NonNullable<Adapter['open']>)(...given);
    },
    build: async (source, ctx) => {
      const model = await adapter.build(source, ctx);
      model.means = new Map([
        [0, [1, 0.5]],
        [1, [2, 0.5]],
      ]);
      return model;
    },
    fit: async (model, train, ...rest) => {
      fails?.(train.indices.length);
      return adapter.fit(model, train, ...rest);
    },
  };
  return { adapter: own, spy, opened };
}

/** Options that the types of some methods have. */
interface OfMethods {
  readonly nIterations?: number;
  readonly bootstrapIterations?: number;
  readonly bootstrapEstimator?: string;
  readonly holdoutTestSize?: number;
  readonly lpocvP?: number;
}

interface Asked {
  readonly options?: ValidatorOptions & OfMethods;
  readonly call?: Partial<ValidateOptions>;
  readonly spied?: ReturnType<typeof estimator>;
}

const SCORES = { metrics: ['roc_auc', 'accuracy'], nBootstrap: 100 };

async function validated({ options, call, spied = estimator() }: Asked = {}) {
  const validator = new CVKitValidator({ ...SCORES, ...options } as ValidatorOptions);
  const model = () => new NearestMean();
  const result = await validator.validate({ model, X, y, adapter: spied.adapter, verbose: 0, ...call } as never);
  const { roc_auc: auc, ...others } = result.confidenceIntervals;
  return { result, interval: auc ?? Object.values(others)[0], ...spied, fits: spied.spy.trainedOn.length };
}

/** What is said, and that nothing was trained. */
async function refused({ options, call }: Asked) {
  const { adapter, spy } = estimator();
  const model = () => new NearestMean();
  const found = await Promise.resolve()
    .then(() => new CVKitValidator({ metrics: ['accuracy'], ...options } as ValidatorOptions))
    .then((validator) => validator.validate({ model, X, y, adapter, verbose: 0, ...call } as never))
    .catch((error: Error) => error);
  expect(spy.built).toBe(0);
  return String(found);
}

/** 40 sites of three rows each, which have both classes. */
const SITES = y.map((_, row) => row % 40);
const IN_ORDER = y.map((_, row) => row);
const PAIRS = y.map((_, row) => Math.floor(row / 2));
const bySite = new HierarchicalGroupKFold({ hierarchyLevel: 'site', nSplits: 3 });
const byPatient = new HierarchicalGroupKFold({ hierarchyLevel: 'patient', nSplits: 3 });
const sixSites = { site: y.map((_, row) => row % 6), patient: IN_ORDER };

const spatial = { method: 'spatial_block_cv' };
const oneOut = { cv: new LeaveOneGroupOut(), groups: PAIRS };
const splitPatients = { cv: byPatient, hierarchy: { site: SITES, patient: PAIRS } };
const TORN = 'folds that split patients, the unit of the interval';
const places = IN_ORDER.map((row) => [row % 12, Math.floor(row / 12)]);
const NO_PARTITION = 'folds that are no partition of the rows';
const NOT_RANDOM = 'the folds are no random parts of the data';
const IN_TURN = 'folds that leave out every row, or set of rows, in turn';
const ALONE = 'folds of one unit each';
const SPLIT_SITES = 'folds that split sites, the unit of the interval';
const splitSites = { method: 'group_kfold' };
const ofSites = { groups: PAIRS, hierarchy: { site: SITES, patient: PAIRS } };
const unknownInner = 'inner folds of a splitter that does not say how it makes them (`nested`)';
const partly = 'folds that train on some of the other rows alone';

/** Designs that halves do not fit: the fits that 'auto' makes, what the note says, and what the refusal says where that is other. */
const UNFIT: [name: string, asked: Asked, fits?: number, why?: string, got?: string][] = [
  ['leave-one-out', { options: { method: 'loocv' } }, 120, 'the folds leave out every row in turn', IN_TURN],
  ['time', { options: { method: 'temporal' }, call: { timestamps: IN_ORDER } }, 5, NOT_RANDOM, 'folds in time'],
  ['space', { options: spatial, call: { coordinates: places } }, 5, NOT_RANDOM, 'folds apart in space'],
  ['one group left out', { call: oneOut }, 60, 'the folds leave out every patient in turn', ALONE],
  ['Monte Carlo', { options: { method: 'monte_carlo', nIterations: 6 } }, 6, NO_PARTITION],
  ['bootstrap', { options: { method: 'bootstrap', bootstrapIterations: 6 } }, 6, NO_PARTITION],
  ['whole sites', { call: { cv: bySite, hierarchy: sixSites } }, 3, 'folds of whole sites'],
  ['folds that split sites', { options: splitSites, call: ofSites }, 5, SPLIT_SITES],
  ['inner folds of an unknown splitter', { call: { cv: OWN_INNER } }, 3, unknownInner],
  ['some of the other rows to train on', { call: { cv: PARTLY } }, 3, partly],
  ['all pairs left out', { options: { method: 'lpocv' } }, undefined, undefined, IN_TURN],
  ['patients split over sites', { call: splitPatients }, undefined, undefined, SPLIT_SITES],
  ['folds that split patients', { options: { method: 'kfold' }, call: { groups: PAIRS } }, undefined, undefined, TORN],
];

describe('ciFits', () => {
  it("makes two fits for each of ten halvings by default, in the rows of the folds' own data", {
    tags: 'slow',
  }, async () => {
    const { fits, spy, interval, result } = await validated();
    expect(fits).toBe(5 + 20);
    expect(spy.disposed).toBe(spy.built);
    expect(interval).toMatchObject({ estimand: 'procedure', trainingShare: expect.any(Number) });
    expect(interval.note).toMatch(IN('20'));
    expect(result.manifest).toMatchObject({ ciFits: 'auto', ciFitsMade: { fits: 20, failed: 0 } });
    expect(result.manifest.ciFitsMade?.seconds).toBeGreaterThan(0);
    for (const half of spy.trainedOn.slice(5)) expect(half).toHaveLength(60);
  });

  it('makes as many as it is told, from seeds that do not depend on how many', async () => {
    const [five, ten, zero] = await Promise.all([5, 10, 0].map((ciFits) => validated({ options: { ciFits } })));
    expect([five.fits, ten.fits, zero.fits]).toEqual([15, 25, 5]);
    expect(ten.spy.trainedOn.slice(0, 15)).toEqual(five.spy.trainedOn);
    expect(ten.spy.seeds.slice(0, 15)).toEqual(five.spy.seeds);
    expect(new Set(ten.spy.seeds).size).toBe(25);
    expect(zero.interval).toMatchObject({ estimand: 'predictions' });
    expect(zero.interval).not.toHaveProperty('trainingShare');
    expect(zero.interval.note).toMatch(
      /not in the interval: `ciFits: 5` estimates it with 10 more fits on half of the data\.$/,
    );
    expect(zero.result.manifest.ciFitsOffer).toMatchObject({ ciFits: 5, fits: 10 });
    expect(zero.result.manifest).toMatchObject({ ciFits: 0, ciFitsMade: null });
    // The centre is the same with and without.
    expect(five.result.estimates).toEqual(zero.result.estimates);
    expect(five.result.foldDetails.length).toBe(5);
  });

  it('adds to the variance what it says it adds', async () => {
    const options = { ciMethod: 'analytic', metrics: ['accuracy'], nBootstrap: undefined } as const;
    const [without, with10] = await Promise.all(
      [0, 10].map((ciFits) => validated({ options: { ...options, ciFits } })),
    );
    const width = ({ interval }: typeof without) => (interval.upper as number) - (interval.lower as number);
    expect(with10.interval.estimate).toBe(without.interval.estimate);
    expect(width(with10)).toBeGreaterThanOrEqual(width(without));
  });

  it('does not act on a fixed model; a threshold that is fitted per fold counts as trained', async () => {
    const fixed = () => ({ spied: estimator({ trains: false }) });
    const said = 'A fixed model: folds show spread, not training.';
    for (const options of [{}, { ciFits: 5 }]) {
      const { interval, result, spy } = await validated({ ...fixed(), options });
      expect(interval).toMatchObject({ estimand: 'predictions', note: said });
      expect(result.manifest.ciFitsMade).toBeNull();
      expect(spy.built).toBe(5);
    }
    const told = await validated({ ...fixed(), call: { threshold: { fixed: 0.4 } } });
    expect(told.result.manifest.ciFitsMade).toBeNull();
    const chosen = await validated({ ...fixed(), call: { threshold: 'youden' }, options: { ciFits: 5 } });
    expect(chosen.result.manifest.ciFitsMade).toMatchObject({ fits: 10 });
    expect(chosen.result.confidenceIntervals.accuracy).toMatchObject({ estimand: 'procedure' });
    expect(chosen.result.confidenceIntervals.roc_auc).toMatchObject({ estimand: 'predictions', note: said });
  });

  const groups = y.map((_, row) => Math.floor(row / 2));
  const patient = y.map((_, row) => row);
  const plain = { nBootstrap: undefined };
  const inner = new NestedCV({ outerCv: new StratifiedKFold(), innerCv: new KFold() });
  const none: [name: string, asked: Asked, fits: number, why: string | undefined][] = [
    ...UNFIT.flatMap(([name, asked, fits, why]): typeof none =>
      why === undefined ? [] : [[name, asked, fits as number, why]],
    ),
    ['corrected_t', { options: { ciMethod: 'corrected_t', ...plain } }, 5, undefined],
    ['wilson for the one score', { options: { metrics: ['accuracy'], ciMethod: 'wilson', ...plain } }, 5, undefined],
    ['no intervals', { options: { returnConfidenceIntervals: false, ...plain } }, 5, undefined],
    ['ciRefits', { options: { ciRefits: 20 } }, 5 + 20 * 5, undefined],
    ['few of a class', { call: { y: RARE } }, 5, 'only 17 rows of class 1, fewer than 20'],
    [
      'a small test set',
      { options: { method: 'holdout' } },
      1,
      'in the test set only \\d+ rows of class \\d, fewer than 20',
    ],
    ['epochs', { spied: estimator({ epochs: true }) }, 5, OFFER],
    ['inner folds', { call: { cv: inner } }, 5, OFFER],
    ['given folds', { call: { cv: quarters } }, 4, `${OFFER}, if these folds are random parts`],
    ['some folds', { call: { ...TWO, folds: [0] } }, 1, '`folds` runs 1 of 2 folds'],
    ['some of the repeats', { call: { ...REPEATED, folds: [0, 1] } }, 2, undefined],
    ['a failed fold', { call: { onFoldError: 'record' }, spied: estimator({ fails: failAt(2) }) }, 4, undefined],
    ['a run that a callback ends', { call: { ...TWO, callbacks: [stopAfter(1)] } }, 1, 'a callback ended the run'],
    ['a run that ends after a repeat', { call: { ...REPEATED, callbacks: [stopAfter(2)] } }, 2, undefined],
    ['own scoring alone', { options: { metrics: undefined }, call: { scoring: { own: () => 0.5 } } }, 5, undefined],
    ['.632', { options: { method: 'bootstrap', bootstrapIterations: 6, bootstrapEstimator: '.632' } }, 7, undefined],
  ];
  it.each(none)("'auto' makes none with %s", { tags: 'slow' }, async (_, asked, wanted, why) => {
    const { interval, result, fits } = await validated(asked);
    expect(fits).toBe(wanted);
    expect(result.manifest.ciFitsMade).toBeNull();
    if (interval?.method === 'bootstrap' && result.bootstrapEstimates === null) {
      expect(interval.estimand).toBe(asked.options?.ciRefits ? 'procedure' : 'predictions');
    }
    const noted = interval?.lower === null ? result.confidenceIntervals.accuracy : interval;
    if (why) expect(noted.note).toMatch(new RegExp(`${NOT_IN}: ${why.replace(/[()]/g, '.')}`));
  });

  it.each<[string, Asked, string]>([
    ['a fixed model', { spied: estimator({ trains: false }) }, 'nothing is trained'],
    ['a run that a callback ends', { call: { ...TWO, callbacks: [stopAfter(1)] } }, 'a callback ended the run'],
    ['a score without an influence function', { options: { metrics: ['ece'] } }, 'no score has an influence function'],
    [
      'own functions',
      { options: { metrics: undefined }, call: { scoring: { own: () => 0.5 } } },
      'no score is a metric',
    ],
  ])('says that it had no effect where it was asked for: %s', async (_, asked, why) => {
    const said = async (ciFits?: number) => {
      const options = { ...asked.options, ...(ciFits === undefined ? {} : { ciFits }) };
      const { result } = await validated({ ...asked, options });
      expect(result.manifest.ciFitsMade).toBeNull();
      return result.manifest.warnings.filter((warning) => warning.includes('ciFits'));
    };
    expect(await said(5)).toEqual([`\`ciFits\` had no effect: ${why}.`]);
    expect([await said(), await said(0)]).toEqual([[], []]);
  });

  it('is made where a callback ends the run after its last fold', async () => {
    const { fits, interval } = await validated({ call: { ...TWO, callbacks: [stopAfter(2)] } });
    expect([fits, interval.estimand]).toEqual([2 + 20, 'procedure']);
  });

  it('does not count rows of weight 0: they split no unit', async () => {
    const groups = y.map((_, row) => Math.floor(row / 2));
    const cv = new GroupKFold({ nSplits: 3 });
    // One patient more, of two rows in different folds, one of weight 0.
    const folds = new Int32Array(y.length);
    let fold = 0;
    for (const { test } of cv.split(X, y, { groups })) {
      for (const row of test) folds[row] = fold;
      fold++;
    }
    folds[1] = (folds[0] + 1) % 3;
    const call = { cv: new PredefinedSplit({ testFold: Array.from(folds) }), groups };
    const weights = y.map((_, row) => (row === 1 ? 0 : 1));
    const { result } = await validated({ options: { ciFits: 5 }, call: { ...call, sampleWeight: weights } });
    expect(result.manifest.ciFitsMade).toMatchObject({ fits: 10 });
    expect(await refused({ options: { ciFits: 5 }, call })).toContain('Got folds that split patients');
  });

  it("'auto' makes none with more than 5,000 patients or 100,000 rows", { tags: 'slow' }, async () => {
    const trivial = (): Adapter => {
      const { adapter } = estimator();
      return {
        ...adapter,
        fit: async () => {
          fitted++;
          return { epochs: [] };
        },
        // What it says depends on the fit: else it would be taken for a fixed model.
        predict: async (_, { length }, { classes }) => {
          const data = new Float64Array(length * 2);
          for (let row = 0; row < length; row++) {
            data[2 * row + 1] = noise(row + fitted);
            data[2 * row] = 1 - data[2 * row + 1];
          }
          return { probabilities: { data, shape: [length, classes.length] } };
        },
      };
    };
    let fitted = 0;
    const of = async (n: number, perPatient: number) => {
      fitted = 0;
      const large = {
        X: Array.from({ length: n }, (_, row) => [row]),
        y: Array.from({ length: n }, (_, row) => row % 2),
      };
      const validator = new CVKitValidator({
        metrics: ['accuracy'],
        ciMethod: 'analytic',
        nSplits: 2,
        checkLeakage: false,
        checkBalance: false,
      });
      const own = perPatient > 1 ? { groups: large.y.map((_, row) => Math.floor(row / perPatient)) } : {};
      const { confidenceIntervals } = await validator.validate({
        model: () => new NearestMean(),
        ...large,
        ...own,
        adapter: trivial(),
        verbose: 0,
      });
      return [fitted, confidenceIntervals.accuracy.note];
    };
    expect(await of(5000, 1)).toEqual([22, expect.stringMatching(IN('20'))]);
    expect(await of(5001, 1)).toEqual([2, expect.stringContaining('`ciFits: 5` estimates it')]);
    expect(await of(5001, 2)).toEqual([22, expect.stringContaining('20 models of half of the patients')]);
    expect(await of(100_001, 50)).toEqual([2, expect.stringContaining('`ciFits: 5` estimates it')]);
  });

  it('can be asked of models with epochs, and early stopping acts in halves', async () => {
    const stopped: number[] = [];
    class Counting extends EarlyStopping {
      override forFold() {
        stopped.push(1);
        return super.forFold();
      }
    }
    const spied = estimator({ epochs: true });
    const call = { epochs: 9, validation: 0.2, callbacks: [new Counting({ patience: 1, monitor: 'val_loss' })] };
    const { fits, spy, result } = await validated({ options: { ciFits: 5 }, call, spied });
    expect(fits).toBe(15);
    expect(stopped).toHaveLength(15);
    // val_loss never changes: the second epoch is the last one. Rows of validation are cut from the half.
    expect(result.foldDetails.every(({ epochs }) => epochs === 2 || epochs === undefined)).toBe(true);
    expect(spy.validatedOn).toHaveLength(15);
    for (const [at, validation] of spy.validatedOn.slice(5).entries()) {
      expect(validation.length + spy.trainedOn[5 + at].length).toBe(60);
    }
  });

  it('makes inner folds, thresholds and recalibration on the half', async () => {
    const cv = new NestedCV({ outerCv: new StratifiedKFold(), innerCv: new StratifiedKFold({ nSplits: 3 }) });
    const nested = await validated({ options: { ciFits: 5 }, call: { cv, threshold: 'youden' } });
    // Each of 5 + 10 models with its three inner ones.
    expect(nested.fits).toBe(15 * 4);
    const halves = nested.spy.trainedOn.slice(20);
    for (let half = 0; half < 10; half++) {
      const [whole, ...inner] = halves.slice(4 * half, 4 * half + 4).sort((a, b) => b.length - a.length);
      expect(whole).toHaveLength(60);
      const members = new Set(whole);
      for (const part of inner) {
        expect(part).toHaveLength(40);
        expect(part.every((row) => members.has(row))).toBe(true);
      }
    }
    expect(nested.interval.estimand).toBe('procedure');
    for (const call of [{ threshold: 'youden' }, { recalibrate: 'platt' }] as const) {
      const { fits, spy } = await validated({ options: { ciFits: 5 }, call });
      // Five inner models of their own, in each.
      expect(fits).toBe(15 * 6);
      for (const half of spy.trainedOn.slice(30)) expect([48, 60]).toContain(half.length);
    }
  });

  it('fits preprocessing on each half', async () => {
    const fitted: number[][] = [];
    const spying = () => ({
      clone: spying,
      fit: (given: number[][]) => void fitted.push(given.map(([first]) => first)),
      transform: (given: number[][]) => given,
    });
    const { spy } = await validated({ options: { ciFits: 5 }, call: { preprocessing: spying() } });
    const halves = fitted.filter((given) => given.length === 60);
    const firsts = (half: readonly number[]) => half.map((row) => X[row][0]);
    expect(halves).toHaveLength(10);
    expect(halves).toEqual(spy.trainedOn.slice(5).map(firsts));
  });

  it("goes by what a splitter claims, not by its name: 'auto' makes none of folds that may be no random parts", async () => {
    const testFold = y.map((_, row) => row % 4);
    class Years extends PredefinedSplit {}
    const of = (claims: SplitterClaims | undefined): Splitter => {
      class PredefinedSplit extends KFold {
        override get claims() {
          return claims as SplitterClaims;
        }
      }
      return new PredefinedSplit({ nSplits: 4 });
    };
    const inner = new KFold({ nSplits: 2 });
    const offered = /`ciFits: 5` estimates it with 10 more fits on half of the data, if these folds are random parts/;
    const unsure = [
      new Years({ testFold }),
      new NestedCV({ outerCv: new PredefinedSplit({ testFold }), innerCv: inner }),
      of({ partition: true, given: true }),
      of({}),
      of(undefined),
    ];
    for (const cv of unsure) {
      const { fits, interval } = await validated({ call: { cv } });
      expect(fits).toBe(4);
      expect(interval.note).toMatch(offered);
    }
    expect((await validated({ call: { cv: of({ partition: true }) } })).fits).toBe(4 + 20);
    const nested = await validated({ call: { cv: new NestedCV({ outerCv: new KFold(), innerCv: inner }) } });
    expect(nested.interval.note).toContain('`ciFits: 5` estimates it with 10 more fits on half of the data.');
  });

  it('is made once for all repeats', async () => {
    const cv = new RepeatedKFold({ nSplits: 4, nRepeats: 3 });
    const { fits, interval } = await validated({ call: { cv } });
    expect(fits).toBe(12 + 20);
    expect(interval.note).toMatch(IN('20'));
  });

  it('halves patients, else sites where they are the unit', async () => {
    const patients = await validated({ call: { groups } });
    expect(patients.interval.note).toContain('20 models of half of the patients');
    for (const half of patients.spy.trainedOn.slice(5)) {
      expect(new Set(half.map((row) => groups[row])).size * 2).toBe(half.length);
    }
    const sites = y.map((_, row) => row % 30);
    const hierarchy = { site: sites, patient };
    const cv = new HierarchicalGroupKFold({ hierarchyLevel: 'site', nSplits: 3 });
    const found = await validated({ call: { cv, hierarchy } });
    expect(found.interval).toMatchObject({ unit: 'site', estimand: 'procedure' });
    for (const half of found.spy.trainedOn.slice(3)) {
      expect(new Set(half.map((row) => sites[row])).size).toBe(15);
      expect(half).toHaveLength(60);
    }
  });

  it('serves several classes, numbers, several labels and masks, or says why not', async () => {
    const three = rows(150, 3);
    const multiclass = await validated({
      options: { metrics: ['accuracy', 'roc_auc_ovr_macro', 'f1_macro'] },
      call: three,
    });
    for (const interval of Object.values(multiclass.result.confidenceIntervals)) {
      const isIn = interval.estimand === 'procedure';
      expect(interval.note).toMatch(isIn ? IN('20') : NOT_IN);
    }
    expect(multiclass.result.confidenceIntervals.accuracy.estimand).toBe('procedure');
    const numbers = await own({
      y: X.map(([a, b], row) => a + b + noise(row)),
      options: { metrics: ['mse', 'r2'] },
      says: [0.9, 2.6],
    });
    expect(numbers.fits).toBe(25);
    expect(numbers.result.confidenceIntervals.mse).toMatchObject({ estimand: 'procedure' });
    const labels = await own({
      y: X.map(([a], row) => [Number(a > 1.5), Number(noise(row) > 0.5)]),
      options: { metrics: ['hamming_loss'] },
      says: [
        [0, 0],
        [1, 1],
      ],
    });
    expect(labels.fits).toBe(25);
    expect(labels.result.confidenceIntervals.hamming_loss.note).toMatch(IN('20'));
    const masks = await own({
      y: X.map(([a], row) => [
        [Number(a > 1), Number(noise(row) > 0.5)],
        [1, Number(noise(row + 7) > 0.3)],
      ]),
      options: { metrics: ['dice'] },
      says: [
        [
          [0, 1],
          [1, 1],
        ],
        [
          [1, 1],
          [1, 0],
        ],
      ],
    });
    expect(masks.fits).toBe(25);
    expect(masks.result.confidenceIntervals.dice.note).toMatch(IN('20'));
  });

  it('is made where the rows that no model is trained on have weight 0', async () => {
    const rowsWhere = (fits: (row: number) => boolean) => y.flatMap((_, row) => (fits(row) ? [row] : []));
    const folds = [0, 1].map((side) => ({
      test: rowsWhere((row) => row < 110 && row % 2 === side),
      train: rowsWhere((row) => row < 110 && row % 2 !== side),
    }));
    const sampleWeight = y.map((_, row) => Number(row < 110));
    const call = { cv: new PredefinedSplit({ folds }), sampleWeight };
    const { interval } = await validated({ options: { ciFits: 5 }, call });
    expect(interval.estimand).toBe('procedure');
  });

  it('is made for folds of a level that has the patients of the interval', async () => {
    const level = (name: string) => new HierarchicalGroupKFold({ hierarchyLevel: name, nSplits: 3 });
    const calls = [
      { cv: level('site'), groups: patient.map((row) => row % 60) },
      { cv: level('subject'), groups, hierarchy: { subject: groups.map((each) => `s${each}`) } },
    ];
    for (const call of calls) {
      const { fits, interval } = await validated({ options: { ciFits: 5 }, call });
      expect([fits, interval.estimand, interval.nUnits]).toEqual([3 + 10, 'procedure', 60]);
    }
  });

  it('makes none where sites share patients and fall into fewer than twenty groups, or into one', async () => {
    const sites = (data: ReturnType<typeof chains>) => new Set(data.hierarchy.site).size;
    const few = chains(2);
    expect(sites(few)).toBe(60);
    const bySite = new HierarchicalGroupKFold({ hierarchyLevel: 'site', nSplits: 2 });
    const crossed = await validated({ call: { cv: bySite, ...few } });
    expect(crossed.fits).toBe(2);
    expect(crossed.interval).toMatchObject({ estimand: 'predictions', unit: 'site', nUnits: 60 });
    expect(crossed.interval.note).toContain(`${NOT_IN}: only 2 groups of sites that share no patient, fewer than 20.`);
    // The one chain that is trained on cannot be halved.
    const cv = new PredefinedSplit({ testFold: few.hierarchy.site.map((site) => (site < 1000 ? 0 : -1)) });
    const single = await validated({ call: { cv, ...few } });
    expect(single.fits).toBe(1);
    expect(single.interval.note).toContain(
      `${NOT_IN}: in the training set only 1 group of sites that share no patient, fewer than 20.`,
    );
    const many = chains(20);
    const fine = await validated({ call: { cv: bySite, ...many } });
    expect([fine.fits, fine.interval.estimand]).toEqual([2 + 20, 'procedure']);
  });

  it('counts an option that is wrong for fewer rows alone as a fit that failed', async () => {
    const error = new InvalidOptionError('The `k` option must be at most the number of rows.');
    const spied = estimator({ fails: failBelow(90, error) });
    for (const options of [{}, { ciFits: 5 }]) {
      const { result, interval } = await validated({ options, spied });
      const fits = options.ciFits ? 10 : 20;
      expect(result.manifest.ciFitsMade).toMatchObject({ fits, failed: fits });
      expect(interval.note).toContain('The `k` option must be at most the number of rows.');
      expect(result.meanScores.accuracy).toEqual(expect.any(Number));
    }
    const { result } = await validated({ options: { ciRefits: 20 }, spied });
    expect(result.confidenceIntervals.accuracy.note).toContain('refits left the metric undefined and were dropped');
  });

  it('of fitValidate makes none, since its intervals are about the fitted model; a holdout halves its training rows', async () => {
    const sets = { XTrain: X.slice(0, 60), yTrain: y.slice(0, 60), XTest: X.slice(60), yTest: y.slice(60) };
    const of = async (options: ValidatorOptions) => {
      const { adapter, spy } = estimator();
      const model = () => new NearestMean();
      const call = { model, ...sets, adapter, verbose: 0 };
      const result = await new CVKitValidator({ ...SCORES, ...options }).fitValidate(call);
      return { result, spy, interval: result.confidenceIntervals.roc_auc };
    };
    for (const options of [{}, { ciFits: 0 }]) {
      const { spy, interval } = await of(options);
      expect(spy.trainedOn).toHaveLength(1);
      expect(interval).toMatchObject({ estimand: 'predictions', lower: expect.any(Number) });
      expect(interval.note).toContain('about the fitted model on new patients');
    }
    await expect(of({ ciFits: 5 })).rejects.toMatchObject({ code: 'idle_option' });
    const held = await validated({ options: { method: 'holdout', holdoutTestSize: 0.5, ciFits: 5 } });
    expect(held.fits).toBe(11);
    expect(held.interval.estimand).toBe('procedure');
  });

  it('counts fits that fail on halves, and does without them where fewer than five halvings are left', async () => {
    let failures = 0;
    const some = estimator({
      fails: (n) => {
        if (n < 90 && failures++ < 3) throw new Error('too few rows');
      },
    });
    const most = await validated({ spied: some });
    expect(most.result.manifest.ciFitsMade).toMatchObject({ fits: 20, failed: 3 });
    expect(most.interval.estimand).toBe('procedure');
    expect(most.interval.note).toMatch(IN('16'));
    expect(most.interval.note).toContain(
      `Of 10 halvings, 2 with a model that failed (Fold halving-0_half-0 failed: too few rows) could not be used.`,
    );
    expect(most.result.summary()).toMatch(/The 20 fits for the intervals took .*; 3 failed\./);
    expect(some.spy.disposed).toBe(some.spy.built);
    const failing = () => estimator({ fails: failBelow(90, new Error('too few rows')) });
    const all = await validated({ spied: failing() });
    expect(all.result.manifest.ciFitsMade).toMatchObject({ fits: 20, failed: 20 });
    expect(all.interval).toMatchObject({ estimand: 'predictions' });
    expect(all.interval.note).toContain(
      `${NOT_IN}: of 10 halvings, 10 with a model that failed (Fold halving-0_half-0 failed: too few rows) could not be used, which leaves fewer than 5.`,
    );
    expect(all.result.manifest.foldsFailed).toBe(0);
    const asked = await validated({ options: { ciFits: 5 }, spied: failing() });
    expect(asked.result.manifest.warnings).toContain(
      '`ciFits` had no effect: of 5 halvings, 5 had a model that failed.',
    );
    expect(all.result.foldDetails).toHaveLength(5);
  });

  it('shows halves to no callback, and keeps nothing of them', async () => {
    const seen: string[] = [];
    const note = (name: string) => () => void seen.push(name);
    const callback: CVCallback = {
      name: 'own',
      onCvStart: note('cv'),
      onFoldStart: note('fold'),
      onFoldEnd: note('end'),
      onCvEnd: note('done'),
      teardown: note('teardown'),
    };
    const call = { callbacks: [callback], keepModels: 'memory', refit: true, apparent: true } as const;
    const { result, spy, fits } = await validated({ options: { ciFits: 5 }, call });
    expect(seen).toEqual(['cv', ...Array.from({ length: 5 }, () => ['fold', 'end']).flat(), 'done', 'teardown']);
    expect(result.foldDetails).toHaveLength(5);
    expect(result.models).toHaveLength(5);
    expect(result.outOfFold.yTrue).toHaveLength(120);
    expect(result.scores.accuracy).toHaveLength(5);
    expect(result.manifest).toMatchObject({ foldsRun: 5, modelsTrained: 6 });
    // One more for all rows, once: `refit` and `apparent` share it, and halves have none.
    expect(fits).toBe(5 + 1 + 10);
    expect(spy.built - spy.disposed).toBe(6);
    const alone = await validated({ options: { ciFits: 0 }, call: { ...call, callbacks: [] } });
    expect(result.outOfFold).toEqual(alone.result.outOfFold);
    expect(result.stdScores).toEqual(alone.result.stdScores);
  });

  it('saves no model of a half', async () => {
    const saved: string[] = [];
    const { adapter, ...spied } = estimator();
    const saving: Adapter = {
      ...adapter,
      capabilities: { ...adapter.capabilities, saves: true },
      save: async (_, place) => void saved.push(String(place)),
      load: async () => new NearestMean(),
    };
    const call = { keepModels: 'save', modelPath: (ctx: { fold: string }) => `memory://${ctx.fold}` } as const;
    await validated({ spied: { ...spied, adapter: saving }, call: call as never });
    expect(saved).toEqual([0, 1, 2, 3, 4].map((fold) => `memory://fold-${fold}`));
  });

  it('is the same in another order of folds and in other processes', async () => {
    const alone = await validated();
    const apart = await validated({ call: { executor: cloningExecutor() } });
    expect(apart.fits).toBe(25);
    expect(apart.result.confidenceIntervals).toEqual(alone.result.confidenceIntervals);
  });

  it.each(['inline', 'apart'] as const)(
    'ends with the reason of an abort, and gives everything back: %s',
    async (where) => {
      const controller = new AbortController();
      let begun = 0;
      const spied = estimator({
        fails: () => {
          if (++begun === 9) controller.abort(new Error('enough'));
        },
      });
      const executor = where === 'apart' ? cloningExecutor(2) : 'inline';
      const call = { signal: controller.signal, keepModels: 'memory', executor: executor as never } as const;
      const found = await validated({ spied, call: where === 'apart' ? { ...call, keepModels: 'none' } : call }).catch(
        (error: Error) => error,
      );
      expect(String(found)).toContain('enough');
      expect(begun).toBeLessThan(13);
      expect(spied.spy.disposed).toBe(spied.spy.built);
      expect(spied.spy.closed).toBe(spied.opened.count);
    },
  );
});

describe('ciFits refuses, before anything is trained,', () => {
  const groups = y.map((_, row) => Math.floor(row / 2));
  it.each(UNFIT)('the design %s, which is fine with 0', async (_, { options, call }, fits, why, got = why) => {
    expect(await refused({ options: { ...options, ciFits: 5 }, call })).toBe(
      `InvalidOptionError: The folds of \`ciFits\` must be random parts of the data, each row tested once per repeat, or one given test set. Got ${got}. Use such folds, or ciFits: 0: the interval is then about the models of these folds.`,
    );
    if (fits === undefined) return;
    const fine = await validated({ options: { ...options, ciFits: 0 }, call });
    expect(fine.result.manifest.ciFitsMade).toBeNull();
    expect(fine.interval.estimand).toBe('predictions');
  });

  const half = y.map((_, row) => (row < 60 ? 0 : -1));
  /** Rows of class 1 by fold: so many of the 60 that are tested, and of the 60 that are not. */
  const withClass = (tested: number, trained: number) =>
    y.map((_, row) => Number(row % 60 < [tested, trained][+(row >= 60)]));
  it.each<[name: string, asked: Asked, got: string]>([
    ['rows of a class', { call: { y: RARE } }, 'only 17 rows of class 1'],
    [
      'patients of a class',
      { call: { y: y.map((_, row) => (Math.floor(row / 2) % 4 === 1 ? 1 : 0)), groups } },
      'only 15 patients of class 1',
    ],
    [
      'rows with a weight',
      { call: { sampleWeight: y.map((label, row) => Number(label === 0 || row < 20)) } },
      `only ${y.slice(0, 20).filter((label) => label === 1).length} rows of class 1`,
    ],
    [
      'test rows',
      { call: { y: withClass(19, 30), cv: new PredefinedSplit({ testFold: half }) } },
      'in the test set only 19 rows of class 1',
    ],
    [
      'training rows',
      { call: { y: withClass(30, 19), cv: new PredefinedSplit({ testFold: half }) } },
      'in the training set only 19 rows of class 1',
    ],
  ])('too few %s are told: the interval is about these models', async (_, { options, call }, got) => {
    const { result, interval } = await validated({ options: { ...options, ciFits: 5 }, call });
    expect(result.manifest.ciFitsMade).toBeNull();
    expect(result.manifest.warnings).toContain(`\`ciFits\` had no effect: ${got}, fewer than 20.`);
    expect(interval.note).toContain(`${NOT_IN}: ${got}, fewer than 20.`);
  });

  it('twenty of each class being enough', async () => {
    const cv = new PredefinedSplit({ testFold: half });
    const { fits, interval } = await validated({ options: { ciFits: 5 }, call: { y: withClass(20, 20), cv } });
    expect([fits, interval.estimand]).toEqual([11, 'procedure']);
  });

  it('without making the folds a second time', async () => {
    const splits = async (ciFits: number) => {
      let count = 0;
      class Counted extends KFold {
        override split(...given: Parameters<KFold['split']>) {
          count++;
          return super.split(...given);
        }
      }
      await validated({ options: { ciFits }, call: { cv: new Counted() } });
      return count;
    };
    expect(await splits(5)).toBe(await splits(0));
  });

  it('and asks the model first whether integers are classes', async () => {
    // Three rows of each value: no five stratified folds, if values were classes.
    const numbers = y.slice(0, 60).map((_, row) => row % 20);
    let fits = 0;
    const adapter = {
      ...estimator().adapter,
      fit: async () => {
        fits++;
        return { epochs: [] };
      },
      predict: async (_: unknown, { length }: { length: number }) => ({
        values: Float64Array.from({ length }, (_, row) => row + fits),
      }),
      regressionBecause: () => 'the model says numbers',
    };
    const call = { model: () => new NearestMean(), X: X.slice(0, 60), y: numbers, adapter, verbose: 0 } as never;
    const { manifest } = await new CVKitValidator({ ciFits: 5 }).validate(call);
    expect(manifest).toMatchObject({ task: 'regression', ciFitsMade: { fits: 10 } });
  });

  it('nothing with 0, which has an effect beside refits, too', async () => {
    expect((await validated({ options: { ciFits: 0, ciRefits: 20 } })).fits).toBe(105);
  });
});

describe('progress of halves', () => {
  const { write } = terminal;
  const isTTY = Object.getOwnPropertyDescriptor(terminal, 'isTTY') as PropertyDescriptor;
  let written: string[] = [];
  beforeEach(() => {
    written = [];
    terminal.write = (text) => void written.push(text);
    Object.defineProperty(terminal, 'isTTY', { value: false, configurable: true });
  });
  afterEach(() => {
    terminal.write = write;
    Object.defineProperty(terminal, 'isTTY', isTTY);
  });

  it('is one line after those of the folds with verbose 1, and none with 0', async () => {
    await validated({ call: { verbose: 1, cv: new GroupKFold({ nSplits: 3 }), groups: y.map((_, row) => row) } });
    const last = written.filter((text) => text.includes('more fits'));
    expect(written.filter((text) => /fold|half|fits/.test(text))).toHaveLength(4);
    expect(last).toEqual([expect.stringMatching(/^20 more fits for the interval: \d+\.\d s\n$/)]);
    expect(written.some((text) => text.includes('halving'))).toBe(false);
    written = [];
    await validated();
    expect(written).toEqual([]);
  });
});

describe('functions that validate many times, or train nothing,', () => {
  const cv = () => new StratifiedKFold({ nSplits: 3, shuffle: true, randomState: 1 });
  /** Every note that a result holds, wherever. */
  const notesIn = (result: unknown): string[] => {
    const found: string[] = [];
    JSON.stringify(result, (key, value) => {
      if (key === 'note' && typeof value === 'string') found.push(value);
      return value;
    });
    return found;
  };
  const PLAIN = `${NOT_IN}.`;
  let fits = 0;
  class Counted extends LogisticRegression {
    override fit(...given: Parameters<LogisticRegression['fit']>) {
      fits++;
      return super.fit(...given);
    }
  }
  const model = () => new Counted();
  const of = async (work: () => Promise<unknown>) => {
    fits = 0;
    const result = await work();
    const notes = notesIn(result);
    for (const note of notes) expect(note).not.toContain('ciFits');
    return { fits, notes };
  };

  it('never make halves, and do not advise what they do not have', async () => {
    const compared = await of(() =>
      compareModels({ models: { a: model, b: model }, X, y, cv: cv(), metric: 'accuracy' }),
    );
    expect(compared.fits).toBe(6);
    const permuted = await of(() => permutationTest({ model, X, y, cv: cv(), metric: 'accuracy', nPermutations: 19 }));
    expect(permuted.fits).toBe(3 + 19 * 3);
    const curve = await of(() => learningCurve({ model, X, y, cv: cv(), metric: 'accuracy', sizes: [0.4, 0.7] }));
    // Two sizes, and all rows.
    expect(curve.fits).toBe(9);
    const groups = y.map((_, row) => Math.floor(row / 2));
    const price = await of(() =>
      leakageInflation({ model, data: [X, y, groups], guarded: new GroupKFold({ nSplits: 3 }), naive: cv() }),
    );
    expect(price.fits).toBe(6);
    const runner = new UniversalCVRunner({ cvSplitter: cv(), verbose: 0 });
    const tuned = await of(() =>
      runner.runWithHyperparameterTuning({
        modelFn: model,
        paramGrid: { C: [0.1, 1] },
        data: [X, y],
        scoring: 'accuracy',
        innerCv: new StratifiedKFold({ nSplits: 2 }),
      }),
    );
    const run = await of(() => runner.run({ model, data: [X, y] }));
    expect(run.fits).toBe(3);
    const yProba = X.map(([first]) => Math.min(1, first / 4));
    const evaluated = await of(() => evaluate({ yTrue: y, yProba, fold: y.map((_, row) => row % 4) } as never));
    const single = await of(() => evaluate({ yTrue: y, yProba } as never));
    expect([evaluated.fits, single.fits]).toEqual([0, 0]);
    for (const { notes } of [tuned, evaluated, single]) expect(notes.some((note) => note.includes(PLAIN))).toBe(true);
  });
});

describe('ciFits of a network', () => {
  it('trains it anew on each half where it is asked for', async () => {
    const call = {
      model: () => network(),
      ...table(60),
      epochs: 2,
      lossFn: 'binaryCrossentropy',
      optimizer: 'sgd',
      adapterOptions: { backend: 'cpu' },
      verbose: 0,
    };
    const of = async (ciFits?: number) => {
      const options = { metrics: ['roc_auc'], nSplits: 3, ...(ciFits === undefined ? {} : { ciFits }) };
      const before = tf.memory().numTensors;
      const { confidenceIntervals, manifest } = await new CVKitValidator(options as never).validate(call as never);
      expect(tf.memory().numTensors).toBe(before);
      return { interval: confidenceIntervals.roc_auc, made: manifest.ciFitsMade };
    };
    const byDefault = await of();
    expect(byDefault.made).toBeNull();
    expect(byDefault.interval.note).toContain('`ciFits: 5` estimates it with 10 more fits');
    const asked = await of(5);
    expect(asked.made).toMatchObject({ fits: 10, failed: 0 });
    expect(asked.interval.estimand).toBe('procedure');
    expect((await of(5)).interval).toEqual(asked.interval);
  });
});

const failBelow = (rows: number, error: Error) => (n: number) => {
  if (n < rows) throw error;
};

function failAt(fit: number): () => void {
  let made = 0;
  return () => {
    if (++made === fit) throw new Error('boo');
  };
}

/** A validation of a model of the caller that says one of two things, by the mean of the first column in training. */
async function own({
  y: labels,
  options,
  says,
}: {
  y: unknown;
  options: ValidatorOptions;
  says: readonly [unknown, unknown];
}) {
  let fits = 0;
  const model = () => {
    let mean = 0;
    return {
      fit(given: number[][]) {
        fits++;
        mean = given.reduce((sum, [first]) => sum + first, 0) / given.length;
      },
      predict: (given: number[][]) => given.map(([first]) => says[Number(first > mean)]),
    };
  };
  const call = { model, X, y: labels, verbose: 0 } as never;
  const result = await new CVKitValidator({ nBootstrap: 100, ...options }).validate(call);
  return { fits, result };
}
