/** What a process that runs folds needs beside the tasks; none of it is part of a task. */
import type { Labels } from '../data/labels.js';
import type { Rows } from '../data/rows.js';
import type { SideData } from '../data/sideData.js';
import type { Score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { EpochControl, FoldEvent, FoldReply } from './foldEvents.js';
import type {
  Batch,
  FitOptions,
  FoldContext,
  FrameworkAdapter,
  HeldMemory,
  ModelFactory,
  ModelPlace,
} from './frameworkAdapter.js';
import type { SavedFacts } from './modelFolder.js';

/** What is saved with each model of a run, and whether models may be replaced. */
export type SavingRun = Pick<SavedFacts, 'framework' | 'run' | 'data' | 'featureNames' | 'preprocessing'> & {
  readonly overwrite: boolean;
};

export interface FoldServices {
  readonly adapter: FrameworkAdapter;
  readonly source: ModelFactory | object;
  readonly X: Rows;
  readonly y: Labels;
  /** Targets of further outputs of the model, by output name. */
  readonly auxiliary: Readonly<Record<string, Labels>> | undefined;
  readonly data: SideData;
  readonly weight: Float64Array | undefined;
  /** Code of the positive class, -1 where there is none. */
  readonly positive: number;
  /** Training settings that are functions or objects of a library. */
  readonly training: Pick<FitOptions, 'optimizer' | 'lossFn' | 'augment'>;
  /** The scores that need the model, by name; `table` holds what it predicted for the rows. */
  modelScores(model: unknown, rows: Batch, table: ScoreTable): Promise<Record<string, Score>>;
  readonly signal: AbortSignal | undefined;
  /** Of the fold that runs. */
  readonly seed?: number;
  /** Models that are kept in this process, by the id of their fold. */
  readonly models: Map<string, unknown>;
  /** Where the model of a fold is saved. */
  placeOf(fold: string): ModelPlace;
  /** What is saved with models of this run. */
  readonly saving: SavingRun;
  /** What the model that waits for the first fold of a run holds, by the id of that fold. */
  readonly waiting: { readonly fold: string; readonly held: HeldMemory } | undefined;
  /** Starts watching now; the function it gives tells whether growth in the library's memory is this fold's alone. */
  watchMemory(): () => boolean;
  /** The context of a fold as the caller's code is given it. */
  contextOf<C extends FoldContext>(ctx: C): C;
  emit(event: FoldEvent, control?: EpochControl): Promise<FoldReply>;
}
