import { nameText } from '../core/foreignText.js';
import { VERSION } from '../core/version.js';
import type { Label, Task } from '../data/labels.js';
import { adjustmentText } from './adjustment.js';
import type { ModelHistory } from './fixedModel.js';
import type { CompletedFold, FoldResult } from './foldResult.js';
import type { TrainingSettings } from './frameworkAdapter.js';
import { labelsText } from './ownLabels.js';
import type { Prepared, RunCall } from './prepare.js';
import type { Provenance } from './readData.js';
import type { Session } from './session.js';

/** How a run came about: enough to do it again. */
export interface RunMetadata extends ModelHistory {
  readonly cvkit: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly splitter: string;
  /** The splitter with its options, as one would write it. */
  readonly design: string;
  /** Number of folds in the plan, and of those that ran. */
  readonly nSplits: number;
  readonly foldsRun: number;
  readonly foldsFailed: number;
  /** Models that were trained in all: those of the folds, inner ones, and those of `apparent` and `verifyIsolation`. */
  readonly modelsTrained: number;
  readonly repeats: number;
  readonly foldFingerprint: string;
  /** Ids of the folds of the plan, in order; the fingerprint does not cover them. */
  readonly foldIds: readonly string[];
  readonly n: number;
  /** Number of distinct groups, when groups were given. */
  readonly nGroups: number | null;
  /** What the data set told of itself: description, licence, source, hash; null where nothing was told. */
  readonly dataset: Provenance | null;
  readonly task: Task;
  /** Why that task. */
  readonly taskReason: string;
  /** Empty for regression and for masks, which have as many as pixels. */
  readonly classes: readonly Label[];
  readonly positiveLabel: Label | null;
  readonly adapter: string;
  /** Facts that the adapter tells, for example the backend. */
  readonly engine: Readonly<Record<string, string>>;
  readonly randomState: number | string;
  /** Sizes of one row, for example `[30]`; null where only reading the rows would tell. */
  readonly rowShape: readonly number[] | null;
  /** Null for models that do not train in epochs. */
  readonly epochs: number | null;
  readonly batchSize: number | null;
  /** With what the models were trained, in words; null where the adapter does not tell. */
  readonly training: TrainingSettings | null;
  /**
   * Where the labels come from when a model gives probabilities beside them, and on how many training rows that was looked
   * at; null where only one of the two is to be had, or the adapter tells.
   */
  readonly labels: string | null;
  /** How predictions were recalibrated and cut, in words; null where they were not. */
  readonly adjustment: string | null;
  /**
   * The folds that `verifyIsolation` trained again after all others with the same outcome; empty where fewer than two
   * folds were completed, so that nothing could be shown; null where it was not asked for.
   */
  readonly verifiedFolds: readonly string[] | null;
  /** A callback ended the run before the last fold. */
  readonly stopped: boolean;
  /** Names of scores that need the model and cannot be recomputed from the out-of-fold table. */
  readonly notRecomputable: readonly string[];
  /** Options that another option overrode, as "`framework` by `adapter`". */
  readonly overridden: readonly string[];
  readonly warnings: readonly string[];
}

/** What is to be said of a model that may know the rows that it is tested on. */
function seenRows({ fixedModel, trainedBefore }: ModelHistory): string[] {
  if (fixedModel !== null) {
    return [
      `The model is the same in every fold (${fixedModel}), and the model may have been trained on these rows: then the scores are too good. Test it on rows that it has never seen.`,
    ];
  }
  if (trainedBefore === null) return [];
  return [
    `Every fold began with what was there before the run (${trainedBefore}): it may have been trained on these rows, and then the scores are too good. Pass a factory that makes an untrained model.`,
  ];
}

interface Facts {
  readonly prepared: Prepared;
  readonly session: Session;
  readonly results: readonly FoldResult[];
  readonly startedAt: Date;
  readonly modelsTrained: number;
  readonly verifiedFolds: readonly string[] | null;
  readonly history: ModelHistory;
  /** What the run itself has to say about its design. */
  readonly warnings: readonly string[];
}

/** The metadata of a run that has just ended. */
export function runMetadata({ prepared, session, results, startedAt, ...facts }: Facts): RunMetadata {
  const { plan, y, positive, scorers, training } = prepared;
  const inEpochs = session.adapter.capabilities.epochs;
  const done = completed(results);
  return {
    cvkit: VERSION,
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    splitter: plan.splitterName,
    design: plan.design,
    nSplits: plan.length,
    foldsRun: results.length,
    foldsFailed: results.filter(({ status }) => status === 'failed').length,
    modelsTrained: facts.modelsTrained,
    repeats: plan.repeats,
    foldFingerprint: plan.fingerprint,
    foldIds: plan.ids,
    n: plan.n,
    nGroups: prepared.nGroups,
    dataset: prepared.dataset,
    task: y.task,
    taskReason: y.why,
    classes: y.shape ? [] : y.classes,
    positiveLabel: positive < 0 ? null : y.classes[positive],
    adapter: session.adapter.name,
    ...facts.history,
    engine: session.session.info,
    randomState: prepared.randomState,
    rowShape: prepared.X.rowShape ?? null,
    epochs: inEpochs ? training.epochs : null,
    batchSize: inEpochs ? training.batchSize : null,
    training: done[0]?.history.settings ?? null,
    labels: labelsText(done.map(({ labels }) => labels)),
    adjustment: adjustmentText(done.flatMap(({ adjustment }) => adjustment ?? [])),
    verifiedFolds: facts.verifiedFolds,
    stopped: results.length < prepared.folds.length,
    notRecomputable: scorers.filter(({ recomputable }) => !recomputable).map(({ name }) => name),
    overridden: overridden(prepared.call),
    warnings: [
      ...plan.warnings,
      ...facts.warnings,
      // Of an adapter, which may be anybody's.
      ...(session.session.warnings ?? []).map((warning) => nameText(warning, 1000)),
      ...seenRows(facts.history),
    ],
  };
}

const completed = (results: readonly FoldResult[]) =>
  results.filter((result): result is CompletedFold => result.status === 'completed');

function overridden({ runner, run }: RunCall): string[] {
  return [
    ...(runner.changed.has('adapter') && runner.changed.has('framework') ? ['`framework` by `adapter`'] : []),
    ...(run.changed.has('scoring') && run.changed.has('metrics') ? ['`metrics` by `scoring`'] : []),
  ];
}
