/** What functions share that cross-validate a model many times: their options, and the runs themselves. */

import { integer, type OptionShape, type Parsed } from '../core/options.js';
import { type Labels, labelsOf } from '../data/labels.js';
import type { CVResults } from '../runner/cvResults.js';
import { asImplied } from '../runner/impliedTask.js';
import { runnerOptions } from '../runner/runnerOptions.js';
import { type DataRecord, dataOptions, runOptions } from '../runner/runOptions.js';
import { UniversalCVRunner } from '../runner/universalCVRunner.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import type { Folds, Splitter, SplitterClaims } from '../splitters/splitter.js';

const {
  data: _data,
  groups: _groups,
  sampleWeight: _weight,
  metrics: _metrics,
  scoring: _scoring,
  folds: _folds,
  verifyIsolation: _verified,
  keepModels: _kept,
  modelPath: _path,
  ...runPart
} = runOptions.shape;
const { cvSplitter, verbose: _verbose, randomState, ...runnerPart } = runnerOptions.shape;
const { auxiliary: _auxiliary, ...dataPart } = dataOptions.shape;

/** Model, training and engine options, as `run` and the runner take them. */
export const engineShape = {
  ...runPart,
  ...runnerPart,
  verbose: integer({ min: 0, max: 2 })
    .default(0)
    .describe('0: silent. 1: progress bar per run. 2: a line per epoch, too.'),
  randomState,
};

/** The same with the data and one design. */
export const manyRunsShape = { ...dataPart, ...engineShape, cv: cvSplitter };

/** What a caller wrote, whatever else his table of options holds. */
interface CallOf<S extends OptionShape> {
  readonly options: Parsed<S>['options'];
  readonly written: ReadonlySet<string>;
}
export type Call = CallOf<typeof manyRunsShape>;
type DataCall = CallOf<Omit<typeof manyRunsShape, 'cv'>>;

interface RunSettings {
  readonly metrics: string[];
  readonly keepModels?: 'memory';
  readonly randomState: number | string;
}

/** The labels, read as the run will read them. */
export const labelsIn = ({ options: { y, task } }: DataCall): Labels => labelsOf(y, { task });

/** Does `work` on the call as it is, and again as a regression where the model turns out to be one. */
export const asModelImplies = <C extends { readonly options: object }, T>(
  call: C,
  work: (call: C) => Promise<T>,
): Promise<T> => asImplied(({ task }) => work(task ? { ...call, options: { ...call.options, task } } : call));

/** The data that folds are made from, without rows and labels. */
export function sideDataIn({ options }: DataCall) {
  const { groups, timestamps, labelEndTimes, coordinates, hierarchy, environment } = options;
  const data = { groups, timestamps, labelEndTimes, coordinates, hierarchy, environment };
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}

/** Cross-validates the model of the call on the folds of `cv`, with the labels `y`. */
export function runOn(call: Call, cv: Splitter, y: Labels, settings: RunSettings): Promise<CVResults> {
  const { X, featureNames, sampleWeight, description, license, source, sha256 } = call.options;
  const beside = { featureNames, sampleWeight, description, license, source, sha256 };
  return runWith(call, cv, { X, y, ...sideDataIn(call), ...beside }, settings);
}

/** The same with these data, whatever those of the call are. */
export function runWith(
  { options, written }: CallOf<typeof engineShape>,
  cv: Splitter,
  data: DataRecord,
  { randomState, ...asked }: RunSettings,
): Promise<CVResults> {
  // Only what the caller wrote is passed on: a run refuses options that would have no effect.
  const given = (shape: object) =>
    Object.fromEntries(Object.entries(options).filter(([name]) => name in shape && written.has(name)));
  const runner = new UniversalCVRunner({
    ...given(runnerPart),
    cvSplitter: cv,
    verbose: options.verbose,
    randomState,
  });
  return runner.run({ ...given(runPart), model: options.model, data, ...asked });
}

/** Folds that were made before, as a splitter. */
export class FixedFolds implements Splitter {
  readonly repeatable = true;
  readonly facts: { readonly name: string };
  readonly claims: SplitterClaims;
  readonly #plan: FoldPlan;
  readonly #folds: Folds;

  constructor(plan: FoldPlan, folds: Folds = plan) {
    this.#plan = plan;
    this.#folds = folds;
    this.facts = { name: plan.splitterName };
    this.claims = plan.claims;
  }

  split(): Folds {
    return this.#folds;
  }

  getNSplits(): number {
    return this.#plan.length;
  }
}
