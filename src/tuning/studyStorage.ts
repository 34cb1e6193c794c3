/** Where studies are kept beyond the life of a process. A storage holds several studies, each with a name. */
import type { Distribution, FrozenTrial, ParamValue } from '../core/tuningTrial.js';
import type { StudyView } from './sampler.js';

/** One thing that happened in a study. Trials are named by their number. */
export type StudyOp =
  | { readonly type: 'studyAttr'; readonly key: string; readonly value: unknown }
  /** `state`: 'running', or 'waiting' for a trial that was enqueued with `params`. */
  | {
      readonly type: 'create';
      readonly number: number;
      readonly state: 'running' | 'waiting';
      readonly at: Date;
      readonly params?: Readonly<Record<string, ParamValue>>;
    }
  /** A waiting trial begins. */
  | { readonly type: 'begin'; readonly number: number; readonly at: Date }
  | {
      readonly type: 'param';
      readonly number: number;
      readonly name: string;
      readonly distribution: Distribution;
      readonly value: ParamValue;
    }
  | { readonly type: 'report'; readonly number: number; readonly step: number; readonly value: number }
  | { readonly type: 'userAttr'; readonly number: number; readonly key: string; readonly value: unknown }
  | {
      readonly type: 'end';
      readonly number: number;
      readonly state: 'complete' | 'pruned' | 'failed';
      readonly value: number | null;
      readonly at: Date;
      readonly reason?: string;
    };

/** A study in a storage. */
export interface StudyRecord {
  /** The trials that were found, in the order of their numbers; those of a session that broke off are 'running'. */
  readonly trials: readonly FrozenTrial[];
  readonly userAttrs: Readonly<Record<string, unknown>>;
  /** What was wrong with what was found and could be left out, a sentence each. */
  readonly warnings?: readonly string[];
  /** Notes what happened. It is kept in memory until `flush`. */
  write(op: StudyOp): void;
  /** Writes what was noted, in its order; rejects where that cannot be done. */
  flush(): Promise<void>;
}

/** Where a study keeps its trials: see `JournalStorage`. */
export interface StudyStorage {
  /** The study of that name; made where there is none. */
  open(name: string, direction: StudyView['direction']): Promise<StudyRecord>;
  /** Writes what is left. The storage is not used afterwards. */
  close(): Promise<void>;
}
