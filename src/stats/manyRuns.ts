/** What functions share that cross-validate a model many times: their options, and the runs themselves. */
import { type Labels, labelsOf } from '../core/labels.js';
import { integer, type Parsed } from '../core/options.js';
import type { CVResults } from '../runner/cvResults.js';
import { runnerOptions } from '../runner/runnerOptions.js';
import { dataOptions, runOptions } from '../runner/runOptions.js';
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

/** Data, model, training and engine options, as `run` and the runner take them. */
export const manyRunsShape = {
  ...dataPart,
  ...runPart,
  ...runnerPart,
  cv: cvSplitter,
  verbose: integer({ min: 0, max: 2 })
    .default(0)
    .describe('0: silent. 1: progress bar per run. 2: a line per epoch, too.'),
  randomState,
};

type Shape = typeof manyRunsShape;
/** What a caller wrote, whatever else his table of options holds. */
export interface Call {
  readonly options: Parsed<Shape>['options'];
  readonly written: ReadonlySet<string>;
}

/** The labels, read as the run will read them. */
export const labelsIn = ({ options: { y, task } }: Call): Labels => labelsOf(y, { task });

/** The data that folds are made from, without rows and labels. */
export function sideDataIn({ options }: Call) {
  const { groups, timestamps, labelEndTimes, coordinates, hierarchy, environment } = options;
  const data = { groups, timestamps, labelEndTimes, coordinates, hierarchy, environment };
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}

/** Cross-validates the model of the call on the folds of `cv`, with the labels `y`. */
export function runOn(
  call: Call,
  cv: Splitter,
  y: Labels,
  more: { readonly metrics: string[]; readonly keepModels?: 'memory'; readonly randomState: number | string },
): Promise<CVResults> {
  const { options, written } = call;
  // Only what the caller wrote is passed on: a run refuses options that would have no effect.
  const given = (shape: object) =>
    Object.fromEntries(Object.entries(options).filter(([name]) => name in shape && written.has(name)));
  const runner = new UniversalCVRunner({
    ...given(runnerPart),
    cvSplitter: cv,
    verbose: options.verbose,
    randomState: more.randomState,
  });
  const data = { X: options.X, y, ...sideDataIn(call), sampleWeight: options.sampleWeight };
  const { metrics, keepModels } = more;
  return runner.run({ ...given(runPart), model: options.model, data, metrics, ...(keepModels ? { keepModels } : {}) });
}

/** Folds that were made before, as a splitter. */
export class FixedFolds implements Splitter {
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
