/** What the fold loop is given. */
import type { Labels } from '../data/labels.js';
import type { Rows } from '../data/rows.js';
import type { SideData } from '../data/sideData.js';
import type { Metric } from '../metrics/metric.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import type { ActiveRun } from './activeRuns.js';
import type { Adjustment, AdjustmentOptions } from './adjustment.js';
import type { CVCallback } from './callback.js';
import type { FixedModelWatch } from './fixedModel.js';
import type { FitOptions, FrameworkAdapter, HeldMemory, ModelFactory } from './frameworkAdapter.js';
import type { PlaceOption } from './modelPlace.js';
import type { OwnLabels } from './ownLabels.js';
import type { ValidationOption } from './runOptions.js';
import type { Scorer } from './scoring.js';

/**
 * The job for a model beside those of the folds (inner folds, all rows, a fold again): it is not kept, its training rows are
 * not scored, it is not compared with those of other folds, and the model that waits for the first fold is not its own.
 */
export const besideFolds = (job: FoldJob): FoldJob => ({
  ...job,
  keepModels: 'none',
  returnTrainScores: false,
  waiting: undefined,
  fixedModels: undefined,
});

/** Everything the loop needs, checked before. */
export interface FoldJob {
  /** The run that the folds belong to. */
  readonly run: ActiveRun;
  readonly plan: FoldPlan;
  /** Places in the plan of the folds to run, ascending. */
  readonly folds: readonly number[];
  readonly X: Rows;
  readonly y: Labels;
  /** Targets of further outputs of the model, by output name. */
  readonly auxiliary: Readonly<Record<string, Labels>> | undefined;
  readonly data: SideData;
  readonly weight: Float64Array | undefined;
  /** Code of the positive class, -1 where there is none. */
  readonly positive: number;
  readonly inputShape: readonly number[] | undefined;
  readonly adapter: FrameworkAdapter;
  readonly source: ModelFactory | object;
  /** What the model that waits for the first fold holds. */
  readonly waiting?: HeldMemory | undefined;
  readonly fitOptions: Omit<FitOptions, 'seed' | 'validation'>;
  readonly validation: ValidationOption | undefined;
  readonly scorers: readonly Scorer[];
  readonly callbacks: readonly CVCallback[];
  readonly randomState: number | string;
  /** Metrics to compute on the validation rows after each epoch, by the log they become. */
  readonly watched: Readonly<Record<string, Metric>>;
  readonly keepModels: 'none' | 'memory' | 'save';
  /** Where models go with `keepModels: 'save'`, and the places that are taken. */
  readonly modelPath: PlaceOption | undefined;
  readonly places: Set<unknown>;
  /** What releases the models that are kept, for the caller to use when the run fails later. */
  readonly kept: (() => unknown)[];
  /** Counts the models that were trained in this run. */
  readonly trained: { models: number };
  readonly onFoldError: 'throw' | 'record';
  /** Recalibration and threshold to be fitted on the training rows of each fold. */
  readonly adjust: AdjustmentOptions | undefined;
  /** One that is fitted already and is applied as it is: a fold that is trained again. */
  readonly adjusted?: Adjustment | undefined;
  /** Whether labels are asked for beside probabilities. */
  readonly ownLabels: OwnLabels;
  /** Looks for models that `fit` does not change; undefined beside the folds. */
  readonly fixedModels?: FixedModelWatch | undefined;
  /** Whether every model also predicts the training rows of its fold. */
  readonly returnTrainScores: boolean;
}
