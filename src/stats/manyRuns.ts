import { integer, type OptionShape, type Parsed } from '../core/options.js';
import { isLabels, type Labels, labelsOf, type Task } from '../data/labels.js';
import { rowsOf } from '../data/rows.js';
import type { CVResults } from '../runner/cvResults.js';
import { type DataOption, type DataRecord, dataOptions } from '../runner/dataOptions.js';
import { runAgain, runCall, withRun } from '../runner/loop.js';
import type { ModelSource } from '../runner/modelSource.js';
import type { Prepared } from '../runner/prepare.js';
import { dataRecord, type Problem, readData } from '../runner/readData.js';
import { runnerOptions } from '../runner/runnerOptions.js';
import { readRunOptions } from '../runner/runOptions.js';
import { impliedTask, type Session } from '../runner/session.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import { GroupKFold } from '../splitters/grouped/groupKFold.js';
import { RepeatedGroupKFold } from '../splitters/grouped/repeatedGroupKFold.js';
import { StratifiedGroupKFold } from '../splitters/grouped/stratifiedGroupKFold.js';
import { KFold } from '../splitters/iid/kFold.js';
import { RepeatedKFold } from '../splitters/iid/repeatedKFold.js';
import { StratifiedKFold } from '../splitters/iid/stratifiedKFold.js';
import type { Folds, Splitter } from '../splitters/splitter.js';

const {
  groups: _groups,
  sampleWeight: _weight,
  metrics: _metrics,
  scoring: _scoring,
  folds: _folds,
  shard: _shard,
  dryRun: _dry,
  verifyIsolation: _verified,
  keepModels: _kept,
  modelPath: _path,
  overwrite: _overwrite,
  // Nothing that these would give is in what such a function returns.
  returnTrainScores: _train,
  importance: _importance,
  apparent: _apparent,
  refit: _refit,
  ...runPart
} = readRunOptions.shape;
const { cvSplitter, verbose: _verbose, randomState, ...runnerPart } = runnerOptions.shape;
const { auxiliary: _auxiliary, ...dataPart } = dataOptions.shape;

export const engineShape = {
  ...runPart,
  ...runnerPart,
  verbose: integer({ min: 0, max: 2 })
    .default(0)
    .describe('0: silent. 1: progress bar per run. 2: a line per epoch, too.'),
  randomState,
};

export const manyRunsShape = { ...dataPart, ...engineShape, cv: cvSplitter };

interface CallOf<S extends OptionShape> {
  readonly options: Parsed<S>['options'];
  readonly written: ReadonlySet<string>;
  /** The call as a run directory knows it, where its folds are those of no single run. */
  readonly identity?: Parsed<OptionShape> | undefined;
  /** What models are built from, where the model was opened for its task before. */
  readonly source?: ModelSource | undefined;
}
export type Call = CallOf<typeof manyRunsShape>;
export type EngineCall = CallOf<typeof engineShape>;
type DataCall = CallOf<Pick<typeof manyRunsShape, keyof typeof dataPart | 'task' | 'positiveLabel'>>;

export function dataOf({ options }: DataCall): DataRecord {
  const record = Object.keys(dataPart).map((name) => [name, options[name as keyof typeof dataPart]]);
  return Object.fromEntries(record.filter(([, value]) => value !== undefined)) as DataRecord;
}

export const problemOf = (call: DataCall): Problem => readData(dataOf(call), call.options);

/** The call with the task that its model implies, where the caller names none. */
export async function withImpliedTask<C extends EngineCall>(call: C, data: DataOption): Promise<C> {
  const { X, y: labels, featureNames, auxiliary } = dataRecord(data);
  if (call.options.task !== undefined || isLabels(labels)) return call;
  const y = labelsOf(labels);
  if (!y.guessed) return call;
  const { reading, source } = await impliedTask(call.options, { X: rowsOf(X, 'X', featureNames), y, auxiliary });
  const { task } = reading;
  return { ...call, source, ...(task ? { options: { ...call.options, task } } : {}) };
}

export interface Shared {
  readonly problem: Problem;
  readonly cv: Splitter;
  readonly plan?: FoldPlan;
  readonly metric: string;
  readonly randomState: number | string;
  readonly returnTrainScores?: boolean;
}

export type RunOn = (cv: Splitter, y?: Labels) => Promise<CVResults>;

/** Opens the adapter once and lets `work` cross-validate the model of the call as often as it likes. */
export function withRuns<T>(call: EngineCall, shared: Shared, work: (runOn: RunOn) => Promise<T>): Promise<T> {
  const { problem, cv, randomState } = shared;
  const { verbose } = call.options;
  return withModel(call, shared, (prepared, session) =>
    work((cvSplitter, y = problem.y) => {
      const plan = cvSplitter === cv && y === problem.y ? prepared.plan : undefined;
      return runAgain(prepared, session, { cvSplitter, randomState, problem: { ...problem, y }, plan, verbose });
    }),
  );
}

export function withModel<T>(
  { options, written, identity, source }: EngineCall,
  { problem, cv, plan, metric, randomState, returnTrainScores = false }: Shared,
  work: (prepared: Prepared, session: Session) => Promise<T>,
): Promise<T> {
  // Only what the caller wrote: a run refuses options without effect.
  const writtenOf = (shape: object) =>
    Object.fromEntries(Object.entries(options).filter(([name]) => name in shape && written.has(name)));
  const call = runCall(
    runnerOptions.parse({ ...writtenOf(runnerPart), cvSplitter: cv, verbose: 0, randomState }),
    readRunOptions.parse({ ...writtenOf(runPart), model: options.model, metrics: [metric], returnTrainScores }),
    undefined,
    identity && [identity],
  );
  return withRun({ ...call, source }, problem, work, plan);
}

type NamedSplitter = Splitter & { readonly facts: { readonly name: string } };

export const fixedFolds = (plan: FoldPlan, folds: Folds = plan): NamedSplitter => ({
  repeatable: true,
  facts: { name: plan.splitterName },
  claims: plan.claims,
  split: () => folds,
  getNSplits: () => plan.length,
});

interface Size {
  readonly nSplits?: number;
  readonly nRepeats?: number;
  readonly randomState: number | string;
}

export function groupedFolds(task: Task, { nSplits = 5, nRepeats = 1, randomState }: Size): Splitter {
  const stratify = hasClasses(task);
  if (nRepeats > 1) return new RepeatedGroupKFold({ nSplits, nRepeats, stratify, randomState });
  const options = { nSplits, shuffle: true, randomState };
  return stratify ? new StratifiedGroupKFold(options) : new GroupKFold(options);
}

export function plainFolds(task: Task, { nSplits = 5, nRepeats = 1, randomState }: Size): Splitter {
  const stratify = hasClasses(task);
  if (nRepeats > 1) return new RepeatedKFold({ nSplits, nRepeats, stratify, randomState });
  const options = { nSplits, shuffle: true, randomState };
  return stratify ? new StratifiedKFold(options) : new KFold(options);
}

const hasClasses = (task: Task) => task === 'binary' || task === 'multiclass';
