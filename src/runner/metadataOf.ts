/** What a run says of how it came about. */
import { runtime } from '#io';
import { nameText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import { type Recorded, recordOf } from '../core/recorded.js';
import { VERSION } from '../core/version.js';
import { hashOfPredictions } from '../data/contentHashes.js';
import { printable } from '../data/labels.js';
import { isBuiltIn } from '../metrics/registry.js';
import { adjustmentText } from './adjustment.js';
import type { ModelHistory } from './fixedModel.js';
import type { CompletedFold, FoldResult } from './foldResult.js';
import { ask, type TrainingSettings } from './frameworkAdapter.js';
import { labelsText } from './ownLabels.js';
import { type Prepared, preprocessingFacts } from './prepare.js';
import type { FoldRecord, RunMetadata } from './runMetadata.js';
import type { RunCall } from './runOptions.js';
import type { Session } from './session.js';

/** What is to be said of a model that may know the rows that it is tested on. */
function trainedRowsWarnings({ fixedModel, trainedBefore }: ModelHistory): string[] {
  if (fixedModel !== null)
    return [
      `The model is the same in every fold (${fixedModel}), and the model may have been trained on these rows: then the scores are too good. Test it on rows that it has never seen.`,
    ];
  if (trainedBefore === null) return [];
  return [
    `Every fold began with what was there before the run (${trainedBefore}): it may have been trained on these rows, and then the scores are too good. Pass a factory that makes an untrained model, or test on rows that it has never seen.`,
  ];
}

interface Facts extends Pick<RunMetadata, 'options' | 'modelsTrained' | 'sha256' | 'verifiedFolds' | 'warnings'> {
  readonly startedAt: Date;
  /** By the clock that is never set back, in milliseconds. */
  readonly began: number;
  readonly history: ModelHistory;
}

export async function metadataOf(
  prepared: Prepared,
  session: Session,
  results: readonly FoldResult[],
  { startedAt, began, ...facts }: Facts,
): Promise<RunMetadata> {
  const { plan, y, positive, scorers, training } = prepared;
  const inEpochs = session.adapter.capabilities.epochs;
  const done = results.filter((result) => result.status === 'completed');
  // Of a data set, a row source and an adapter, which may be anybody's.
  const foreign = [prepared.datasetWarnings, prepared.X.warnings ?? [], session.session.warnings ?? []].flat();
  return {
    cvkit: VERSION,
    runtime,
    options: facts.options,
    network: done[0]?.history.model ?? session.session.about ?? null,
    metrics: await ownMetrics(prepared),
    outcome: prepared.call.isFurther ? [] : await Promise.all(results.map(foldRecord)),
    startedAt: startedAt.toISOString(),
    seconds: (performance.now() - began) / 1000,
    splitter: plan.splitterName,
    design: plan.design,
    nSplits: plan.length,
    foldsRun: results.length,
    foldsFailed: results.filter(({ status }) => status === 'failed').length,
    modelsTrained: facts.modelsTrained,
    repeats: plan.repeats,
    foldFingerprint: plan.fingerprint,
    sha256: facts.sha256,
    foldIds: plan.ids,
    n: plan.n,
    nGroups: prepared.nGroups,
    dataset: prepared.dataset,
    task: y.task,
    taskReason: y.why,
    classes: y.shape ? [] : printable(y.classes),
    positiveLabel: positive < 0 ? null : printable(y.classes)[positive],
    adapter: session.adapter.name,
    model: namesOf(done) ?? ask(session.raw, 'nameOf', session.first) ?? null,
    ...facts.history,
    engine: { ...session.session.info, ...session.session.about },
    randomState: prepared.randomState,
    rowShape: prepared.X.rowShape ?? null,
    preprocessing: preprocessingFacts(prepared),
    epochs: inEpochs ? training.epochs : null,
    batchSize: inEpochs ? training.batchSize : null,
    training: settingsOf(done),
    ...(prepared.call.tuning && !prepared.call.isFurther
      ? { tuned: [...new Set(results.flatMap(({ ctx }) => Object.keys(ctx.params)))] }
      : {}),
    labels: labelsText(done),
    adjustment: adjustmentText(done.flatMap(({ adjustment }) => adjustment ?? [])),
    verifiedFolds: facts.verifiedFolds,
    stopped: results.length < prepared.folds.length,
    notRecomputable: scorers.filter(({ recomputable }) => !recomputable).map(({ name }) => name),
    overridden: overridden(prepared.call),
    warnings: [
      ...plan.warnings,
      ...facts.warnings,
      ...foreign.map((warning) => nameText(warning, 1000)),
      ...trainedRowsWarnings(facts.history),
    ],
  };
}

/** What a fold gave: without its rows, whose predictions are in the out-of-fold table. */
async function foldRecord(result: FoldResult): Promise<FoldRecord> {
  const predictions = result.status === 'completed' ? await hashOfPredictions(result.fold.test, result.table) : null;
  const scores = Object.entries(result.scores).map(([name, { value }]) => [name, value]);
  return { fold: result.ctx.fold, predictions, scores: Object.fromEntries(scores) };
}

/** Options name them, and their functions decide. */
async function ownMetrics({ scorers }: Prepared): Promise<Record<string, Recorded>> {
  const own = scorers.flatMap(({ metric }) => (metric && !isBuiltIn(metric) ? [metric] : []));
  return Object.fromEntries(await Promise.all(own.map(async (metric) => [metric.name, await recordOf(metric)])));
}

function settingsOf(done: readonly CompletedFold[]): TrainingSettings | null {
  const all = done.flatMap(({ history }) => history.settings ?? []);
  if (all.length === 0) return null;
  const alike = (name: keyof TrainingSettings) =>
    all.every((each) => each[name] === all[0][name]) ? all[0][name] : `${name} that differs between folds`;
  return { optimizer: alike('optimizer'), lossFn: alike('lossFn') };
}

/** What the models are called; where that differs, of how many folds each is. */
function namesOf(done: readonly CompletedFold[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { name } of done.map(({ about }) => about)) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [[only] = [], ...more] = counts;
  if (more.length === 0) return only;
  return Array.from(counts, ([name, count]) => `${name} in ${counted(count, 'fold')}`).join(', ');
}

function overridden({ runner, run }: RunCall): string[] {
  return [
    ...(runner.changed.has('adapter') && runner.changed.has('framework') ? ['`framework` by `adapter`'] : []),
    ...(run.changed.has('scoring') && run.changed.has('metrics') ? ['`metrics` by `scoring`'] : []),
  ];
}
