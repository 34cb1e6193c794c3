/** The moments of a run as typed events, for user interfaces: the same moments as the callbacks, in the same order. Listeners are synchronous. */

import { EventEmitter } from 'eventemitter3';
import { InvalidOptionError, kindOf, sentence, show, suggestion } from '../core/errors.js';
import type { TuningTrial } from '../core/tuningTrial.js';
import type { BatchContext, CheckStart, EpochContext, InnerProgress, RunContext } from './callback.js';
import type { CVResults } from './cvResults.js';
import type { FoldResult } from './foldResult.js';
import type { EpochLogs, FoldContext } from './frameworkAdapter.js';

/** How far a run is. */
export interface Progress {
  readonly fold: string;
  /** Folds done and to do. */
  readonly foldsDone: number;
  readonly nSplits: number;
  /** Inner fits done so far, for `recalibrate` and `threshold`. */
  readonly innerFits: number;
  /** Share of the whole run that is done, 0 to 1. */
  readonly share: number;
}

/** Events of a run by name, with what a listener gets. */
export interface RunnerEvents {
  'check:start': [check: CheckStart];
  'cv:start': [run: RunContext];
  'trial:end': [trial: TuningTrial];
  'fold:start': [ctx: FoldContext];
  'epoch:start': [ctx: EpochContext];
  'batch:end': [ctx: BatchContext, logs: EpochLogs];
  'epoch:end': [ctx: EpochContext, logs: EpochLogs];
  'inner:end': [ctx: FoldContext, inner: InnerProgress];
  'fold:end': [ctx: FoldContext, result: FoldResult];
  'cv:end': [results: CVResults];
  progress: [progress: Progress];
}

const EVENTS = Object.keys({
  ...{ 'check:start': 0, 'cv:start': 0, 'trial:end': 0, 'fold:start': 0, 'epoch:start': 0, 'batch:end': 0 },
  ...{ 'epoch:end': 0, 'inner:end': 0, 'fold:end': 0, 'cv:end': 0, progress: 0 },
} satisfies Record<keyof RunnerEvents, 0>);

type Listener<E extends keyof RunnerEvents> = EventEmitter.EventListener<RunnerEvents, E>;

/** An emitter of these events alone: a listener to another one would never be called, so it is refused. */
export class RunnerEmitter extends EventEmitter<RunnerEvents> {
  /** Calls the listener at every event of that name. */
  override on<E extends keyof RunnerEvents>(event: E, listener: Listener<E>, context?: unknown): this {
    checkListener(event, listener);
    return super.on(event, listener, context);
  }

  /** The same as `on`. */
  override addListener<E extends keyof RunnerEvents>(event: E, listener: Listener<E>, context?: unknown): this {
    return this.on(event, listener, context);
  }

  /** Calls the listener at the next event of that name alone. */
  override once<E extends keyof RunnerEvents>(event: E, listener: Listener<E>, context?: unknown): this {
    checkListener(event, listener);
    return super.once(event, listener, context);
  }
}

function checkListener(event: unknown, listener: unknown): void {
  if (typeof event !== 'string' || !EVENTS.includes(event)) {
    const name = typeof event === 'string' ? event : '';
    throw new InvalidOptionError(`UniversalCVRunner has no event ${show(event)}. ${suggestion(name, EVENTS)}`, {
      code: 'unknown_event',
    });
  }
  if (typeof listener !== 'function') {
    throw new InvalidOptionError(sentence(`The listener to '${event}'`, 'be a function', kindOf(listener)));
  }
}
