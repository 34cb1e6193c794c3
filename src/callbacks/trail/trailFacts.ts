/** What the entries of a trail say of each moment of a run. Rows of X are not read: their hashes come with the results. */

import { runtime } from '#io';
import { FoldError } from '../../core/errors.js';
import { fingerprint } from '../../core/fingerprint.js';
import type { TuningTrial } from '../../core/tuningTrial.js';
import { VERSION } from '../../core/version.js';
import { hashOfFolds } from '../../data/contentHashes.js';
import { patientsOf } from '../../data/sideData.js';
import type { Adjustment } from '../../runner/adjustment.js';
import type { RunContext } from '../../runner/callback.js';
import { type CVResults, ownWarningsOf } from '../../runner/cvResults.js';
import type { FoldResult } from '../../runner/foldResult.js';
import type { FoldContext } from '../../runner/frameworkAdapter.js';
import type { CheckedFold } from '../../splitters/foldsOf.js';
import { causesOf, errorFacts, warningFacts } from './privateText.js';

type Facts = Record<string, unknown>;

export const startFacts = (run: RunContext): Facts => ({
  versions: { cvkit: VERSION, runtime },
  adapter: run.adapter,
  splitter: run.folds.splitterName,
  design: run.folds.design,
  nFolds: run.folds.length,
  foldFingerprint: run.folds.fingerprint,
  rows: run.folds.n,
  patients: patientsOf(run.data, run.folds.n)?.count ?? null,
  task: run.y.task,
  classes: run.y.shape || run.y.task === 'regression' ? null : run.y.classes.length,
  given: Object.entries(run.data)
    .flatMap(([name, values]) => (values === undefined ? [] : [name]))
    .sort(),
  randomState: run.randomState,
  preprocessing: run.preprocessing && { learns: run.preprocessing.learns, frozen: run.preprocessing.frozen },
  checks: run.checks?.map(({ code, type, status, severity }) => ({ code, type, status, severity })) ?? null,
});

/** Fold, seed, parameters, and the hashes of its rows. */
export const foldStartFacts = async (ctx: FoldContext, fold: CheckedFold | undefined): Promise<Facts> => ({
  fold: ctx.fold,
  place: ctx.index,
  repeat: ctx.repeat,
  seed: ctx.seed,
  nTrain: ctx.nTrain,
  nTest: ctx.nTest,
  params: ctx.params,
  // As `folds` of the manifest, of this fold alone (docs/manifest.md).
  sha256: fold ? await hashOfFolds([fold]) : null,
  fingerprint: fold ? fingerprint([fold]) : null,
});

export function foldEndFacts(ctx: FoldContext, result: FoldResult): Facts {
  const { status, seconds, innerFits, scores } = result;
  const common = {
    fold: ctx.fold,
    place: ctx.index,
    status,
    seconds,
    innerFits,
    scores: Object.fromEntries(Object.entries(scores).map(([name, { value }]) => [name, value])),
  };
  if (result.status === 'failed') return { ...common, error: errorFacts(result.error) };
  const { nFitted, nValidation, fold, history, stoppedEarly, keptEpoch, adjustment } = result;
  return {
    ...common,
    nFitted,
    nValidation,
    nTest: fold.test.length,
    epochs: history.epochs.length,
    stoppedEarly,
    keptEpoch,
    training: history.settings ?? null,
    adjustment: adjustment && adjustmentFacts(adjustment),
  };
}

/** The curve of an isotonic recalibration is made of predictions of rows, so only its method is told. */
const adjustmentFacts = ({ from, nRows, recalibration, threshold }: Adjustment): Facts => ({
  from,
  nRows,
  recalibration: recalibration?.method ?? null,
  threshold: threshold && { value: threshold.threshold, rule: threshold.rule },
});

export const trialFacts = ({ search, trial, bestValue, done, nTrials }: TuningTrial): Facts => ({
  search,
  trial: trial.number,
  state: trial.state,
  value: trial.value,
  params: trial.params,
  bestValue,
  done,
  nTrials,
});

export function endFacts(results: CVResults): Facts {
  const { metadata: m, meanScores, stdScores } = results;
  return {
    model: m.model,
    engine: m.engine,
    fixedModel: m.fixedModel,
    training: m.training,
    // Null for models that do not train in epochs.
    epochs: m.epochs,
    batchSize: m.batchSize,
    adjustment: m.adjustment,
    tuned: m.tuned ?? null,
    sha256: m.sha256,
    dataset: m.dataset?.sha256 ?? null,
    foldFingerprint: m.foldFingerprint,
    foldsRun: m.foldsRun,
    foldsFailed: m.foldsFailed,
    modelsTrained: m.modelsTrained,
    stopped: m.stopped,
    overridden: m.overridden,
    seconds: m.seconds,
    meanScores,
    stdScores,
    warnings: warningFacts(m.warnings, ownWarningsOf(results)),
  };
}

/** Why a run broke off, and in which fold where it was one that failed. */
export const breakFacts = (thrown: unknown): Facts => ({
  fold: causesOf(thrown).find((each) => each instanceof FoldError)?.foldId ?? null,
  error: errorFacts(thrown),
});
