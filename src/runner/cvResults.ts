/** What a run gives back: scores by fold, the out-of-fold table, and how it all came about. */
import { headText } from '../core/foreignText.js';
import { formatNumber } from '../core/format.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { unbiasedVariance } from '../core/numbers.js';
import {
  definedCount,
  factLines,
  INSPECT,
  inspectShort,
  meanScore,
  type SummaryOptions,
  summaryOptions,
  textTable,
  wrapText,
} from '../core/summaryText.js';
import type { Label } from '../data/labels.js';
import { idsIn, type ResultJSONOptions } from '../data/pseudonyms.js';
import { foldEstimate, isFixed } from '../intervals/foldEstimate.js';
import type { Score } from '../metrics/metric.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import type { CompletedFold, FoldDetails, FoldResult } from './foldResult.js';
import type { FitHistory, FrameworkAdapter } from './frameworkAdapter.js';
import type { PermutationImportance } from './importanceOptions.js';
import type { ModelOrigin, RefittedModel } from './keptModels.js';
import { decoded, type OutOfFold, outOfFold, outOfFoldJSON } from './outOfFold.js';
import { runFacts } from './runFacts.js';
import type { RunMetadata } from './runMetadata.js';
import type { Scorer } from './scoring.js';

export interface CVResultsParts {
  readonly results: readonly FoldResult[];
  readonly apparent?: FoldResult | undefined;
  readonly refitted?: RefittedModel | null;
  readonly importance?: PermutationImportance | undefined;
  readonly plan: FoldPlan;
  readonly scorers: readonly Scorer[];
  readonly groups: ArrayLike<Label> | undefined;
  readonly metadata: RunMetadata;
  /** Those of its warnings that cvkit wrote itself: {@link ownWarningsOf}. */
  readonly ownWarnings?: readonly string[];
  /** Null where predictions were given. */
  readonly origin: ModelOrigin | null;
  readonly nameOf: (id: Label) => string;
}

const OWN = new WeakMap<CVResults, readonly string[]>();

/** The warnings of results that cvkit wrote itself. The others may quote values of rows. */
export const ownWarningsOf = (results: CVResults): readonly string[] => OWN.get(results) ?? [];

/**
 * Results of `UniversalCVRunner.run`. Arrays by fold have one entry for each fold that ran, in order. `Model` and `Kept` are
 * the types of the model that `refit` trains and of the entries of `models`.
 *
 * @example
 * console.log(results.meanScores, results.stdScores);
 * console.log(results.outOfFold.yProba.slice(0, 3));
 */
export class CVResults<Model = unknown, Kept = unknown> {
  /** Value of each score by fold; null with the reason where there is none. */
  readonly scores: Readonly<Record<string, readonly Score[]>>;
  /**
   * The estimate of each score, the number that intervals are about: the mean of folds for ranks, one value over all rows
   * for losses and counts, as the `combine` of the metric says, and for all metrics of a fixed model; for a scoring function the mean of folds. Null when there
   * is no value.
   */
  readonly estimates: Readonly<Record<string, number | null>>;
  /** Mean of folds: over those that have a value; null when none has. */
  readonly meanScores: Readonly<Record<string, number | null>>;
  /** Sample standard deviation (n - 1) over folds. It is no standard error: folds share training rows. */
  readonly stdScores: Readonly<Record<string, number | null>>;
  /** Value of each score on the training rows of each fold, with `returnTrainScores`; else null. */
  readonly trainScores: Readonly<Record<string, readonly Score[]>> | null;
  /** What each feature is worth to the models of the folds, with `importance`; else null. Intervals at .95. */
  readonly importance: PermutationImportance | null;
  /** What the model of all rows gives on these very rows, with `apparent`; else null. Far too good for most models. */
  readonly apparent: FoldResult | null;
  /** The model that was trained on all rows, with `refit`; else null. The caller disposes it. */
  readonly refitted: RefittedModel<Model> | null;
  /** Every tested row with its truth, prediction and fold, as columns. Every score follows from it. */
  readonly outOfFold: OutOfFold;
  /** Predicted labels or numbers by fold. */
  readonly predictions: readonly OutOfFold['yPred'][];
  /** Probabilities by fold, row-major; null when the model gives none. */
  readonly probabilities: readonly (Float64Array | null)[];
  /** Row numbers by fold. */
  readonly indices: readonly { readonly train: Int32Array; readonly test: Int32Array }[];
  /** By fold: models with `keepModels: 'memory'`, which the caller disposes; their places with 'save'; else null. */
  readonly models: readonly (Kept | null)[];
  /** Logs per epoch by fold; empty for models without epochs. */
  readonly histories: readonly FitHistory[];
  /** One row per fold that ran: sizes, seed, epochs, time, and the error of a failed one. */
  readonly foldDetails: readonly FoldDetails[];
  /** How the run came about: enough to do it again. */
  readonly metadata: RunMetadata;
  /** Fold by fold, with score tables: what intervals and reports are made of. */
  readonly folds: readonly FoldResult[];
  /** The requested scores, with the metric behind each. */
  readonly scorers: readonly Scorer[];
  /** The checked folds of the whole design. */
  readonly plan: FoldPlan;

  /** What the models came from, for those who use them again; null where predictions were given. */
  readonly origin: ModelOrigin | null;

  readonly #nameOf: CVResultsParts['nameOf'];

  constructor(parts: CVResultsParts) {
    const { results, apparent, refitted, plan, scorers, groups, metadata, ownWarnings = [], origin, nameOf } = parts;
    const completed = results.filter((result) => result.status === 'completed');
    const byFold = <T>(value: (fold: CompletedFold) => T, missing: T): T[] =>
      results.map((result) => (result.status === 'completed' ? value(result) : missing));
    this.folds = results;
    this.scorers = scorers;
    this.plan = plan;
    this.origin = origin;
    this.#nameOf = nameOf;
    this.metadata = metadata;
    OWN.set(this, ownWarnings);
    this.scores = Object.fromEntries(scorers.map(({ name }) => [name, results.map((result) => result.scores[name])]));
    this.trainScores = completed.some(({ trainScores }) => trainScores)
      ? Object.fromEntries(scorers.map(({ name }) => [name, results.map((result) => trainScoreOf(result, name))]))
      : null;
    this.importance = parts.importance ?? null;
    this.apparent = apparent ?? null;
    this.refitted = (refitted as RefittedModel<Model> | null | undefined) ?? null;
    this.meanScores = mapValues(this.scores, meanScore);
    this.foldDetails = results.map(foldDetails);
    this.estimates = estimatesOf(this);
    this.stdScores = mapValues(this.scores, standardDeviation);
    this.outOfFold = outOfFold(completed, groups);
    this.predictions = byFold(({ table }) => decoded(table, table.yPred), []);
    this.probabilities = byFold(({ table }) => table.yProba ?? null, null);
    this.indices = results.map(({ fold: { index } }) => ({
      get train() {
        return plan.at(index).train;
      },
      get test() {
        return plan.at(index).test;
      },
    }));
    this.models = byFold(({ model }) => (model ?? null) as Kept | null, null);
    this.histories = byFold(({ history }) => history, { epochs: [] });
  }

  /** The results as text: what ran, on what, and the scores by fold; `details` adds what is needed to repeat the run. */
  summary(options?: SummaryOptions): string {
    const rows = Object.keys(this.scores).map((name) => [
      headText(name),
      formatNumber(this.estimates[name]),
      formatNumber(this.meanScores[name]),
      formatNumber(this.stdScores[name]),
      definedCount(this.scores[name]),
      ...(this.trainScores ? [formatNumber(meanScore(this.trainScores[name]))] : []),
      ...(this.apparent ? [formatNumber(this.apparent.scores[name].value)] : []),
    ]);
    const heads = [
      ...['score', 'estimate', 'fold mean', 'fold sd', 'folds'],
      ...(this.trainScores ? ['training rows'] : []),
      ...(this.apparent ? ['apparent'] : []),
    ];
    return [
      ...factLines(runFacts(this, summaryOptions.resolve(options))),
      '',
      textTable([heads, ...rows], { numbers: true }),
      ...this.metadata.warnings.map((warning) => wrapText(warning, '  Warning: ')),
    ].join('\n');
  }

  /** The results without models, as plain JSON values. Patients have the pseudonyms of the checks unless `ids` is 'raw'. */
  toJSON(options?: ResultJSONOptions | string): Record<string, unknown> {
    return {
      metadata: this.metadata,
      scores: this.scores,
      estimates: this.estimates,
      meanScores: this.meanScores,
      stdScores: this.stdScores,
      ...(this.trainScores ? { trainScores: this.trainScores } : {}),
      ...(this.importance ? { importance: this.importance } : {}),
      ...(this.apparent ? { apparentScores: this.apparent.scores } : {}),
      foldDetails: this.foldDetails,
      histories: this.histories,
      outOfFold: outOfFoldJSON(this.outOfFold, idsIn(options, this.#nameOf)),
    };
  }

  [INSPECT](): string {
    const [[, design]] = runFacts(this);
    return inspectShort(this, design);
  }
}

/** Results for callbacks: of copies, which cannot be changed. Kept models are the same objects. */
export function frozenResults({ plan, origin, ...parts }: CVResultsParts): CVResults {
  const results = new CVResults({
    ...frozenCopy(parts),
    plan,
    origin:
      origin && Object.freeze({ ...frozenCopy({ ...origin, adapter: null }), adapter: frozenAdapter(origin.adapter) }),
  });
  const own = ['scores', 'meanScores', 'stdScores', 'trainScores', 'outOfFold', 'predictions'] as const;
  for (const name of [...own, 'probabilities', 'histories', 'foldDetails'] as const) {
    Object.defineProperty(results, name, { value: frozenCopy(results[name]) });
  }
  for (const list of [results.indices, results.models, ...results.indices]) Object.freeze(list);
  Object.freeze(results);
  return results;
}

/** All runs of the process share the adapter, so a callback gets a copy of it. */
const frozenAdapter = (adapter: FrameworkAdapter): FrameworkAdapter =>
  Object.freeze({ ...adapter, capabilities: Object.freeze({ ...adapter.capabilities }) });

const NOTHING_TRAINED = {
  ...{ nFitted: 0, nValidation: 0, stoppedEarly: false, keptEpoch: null, adjustment: null },
  history: { epochs: [] },
};

function foldDetails(result: FoldResult): FoldDetails {
  const { ctx, seconds, secondsOf, innerFits, status } = result;
  const { fold, index, repeat, nTrain, nTest, seed } = ctx;
  const { nFitted, nValidation, stoppedEarly, keptEpoch, adjustment, history } =
    status === 'completed' ? result : NOTHING_TRAINED;
  return {
    ...{ fold, index, repeat, nTrain, nFitted, nValidation, nTest, seed, status },
    error: status === 'failed' ? result.error.message : null,
    epochs: history.epochs.length,
    ...{ stoppedEarly, keptEpoch, seconds, secondsOf, innerFits, adjustment },
  };
}

function estimatesOf(cv: CVResults): Record<string, number | null> {
  const { folds: results, plan, scorers, meanScores: means } = cv;
  const folds = results.map((result) => {
    const { test, repeat } = plan.at(result.fold.index);
    return { units: test, nTrain: 0, repeat, ...(result.status === 'completed' ? { table: result.table } : {}) };
  });
  return Object.fromEntries(
    scorers.map(({ name, metric }) => {
      if (!metric) return [name, means[name]];
      const scored = folds.map((fold, at) => ({ ...fold, score: results[at].scores[name] }));
      return [
        name,
        foldEstimate({ metric, folds: scored, design: plan.claims, fixedModel: isFixed(cv, metric) }).value,
      ];
    }),
  );
}

/** A failed fold has no training scores; its test scores say why. */
const trainScoreOf = (result: FoldResult, name: string): Score =>
  (result.status === 'completed' && result.trainScores?.[name]) || result.scores[name];

/** A spread below this share of the largest value is rounding. */
const ROUNDING = 1e-12;

/** Sample standard deviation (n - 1) of the scores that have a value; null with fewer than two. */
export function standardDeviation(scores: readonly Score[]): number | null {
  const values = scores.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length < 2) return null;
  const spread = Math.sqrt(unbiasedVariance(values));
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return spread > ROUNDING * largest ? spread : 0;
}

const mapValues = <A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
