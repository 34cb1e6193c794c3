/** What a fold says while it runs, and what the run answers. */
import type { ErrorRecord } from '../core/errorRecord.js';
import type { CompletedOutcome } from './foldOutcome.js';
import type { EpochLogs, FoldContext, ModelPlace } from './frameworkAdapter.js';
import type { SaveOptions } from './modelFolder.js';

interface EventFacts {
  readonly ctx: FoldContext;
  /** The fold is an inner one: only callbacks that are part of training hear of it. */
  readonly inner: boolean;
}

interface EpochFacts extends EventFacts {
  readonly epoch: number;
  readonly epochs: number;
}

/** The rate, why it cannot be told, or null where the adapter knows of none. */
export type LearningRate = number | ErrorRecord | null;

/** A moment of a fold, as plain data. */
export type FoldEvent =
  | (EventFacts & { readonly type: 'foldStart' })
  | (EpochFacts & { readonly type: 'epochStart'; readonly learningRate: LearningRate })
  | (EpochFacts & { readonly type: 'batchEnd'; readonly logs: EpochLogs })
  | (EpochFacts & { readonly type: 'epochEnd'; readonly logs: EpochLogs; readonly learningRate: LearningRate })
  /** One inner fold of the fold has ended. */
  | (EventFacts & {
      readonly type: 'innerEnd';
      readonly done: number;
      readonly total: number;
      readonly outcome: CompletedOutcome;
    });

/** What the run answers. */
export interface FoldReply {
  /** After an epoch: ends the training of the fold. */
  readonly stop?: boolean;
  /** The learning rates that were set, in order; the last one counts. */
  readonly learningRates?: readonly number[];
  /** At the start of a fold: some callback or listener wants every batch. */
  readonly batches?: boolean;
}

/** What the run may do with the model while it answers an event between epochs. */
export interface EpochControl {
  keepWeights(): Promise<void>;
  save(where: ModelPlace, options?: SaveOptions): Promise<void>;
}
