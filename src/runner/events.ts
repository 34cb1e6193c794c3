/** The moments of a run as typed events, for user interfaces: the same moments as the callbacks, in the same order. Listeners are synchronous. */
import type { EventEmitter } from 'eventemitter3';
import type { CVCallback, EpochContext, RunContext } from './callback.js';
import type { CVResults } from './cvResults.js';
import type { FoldResult } from './foldResult.js';
import type { EpochLogs, FoldContext } from './frameworkAdapter.js';

/** How far a run is. */
export interface Progress {
  readonly fold: string;
  /** Folds done and to do. */
  readonly foldsDone: number;
  readonly nSplits: number;
  /** Share of the whole run that is done, 0 to 1. */
  readonly share: number;
}

export interface RunnerEvents {
  'cv:start': [run: RunContext];
  'fold:start': [ctx: FoldContext];
  'epoch:start': [ctx: EpochContext];
  'epoch:end': [ctx: EpochContext, logs: EpochLogs];
  'fold:end': [ctx: FoldContext, result: FoldResult];
  'cv:end': [results: CVResults];
  progress: [progress: Progress];
}

/** A callback that emits what the loop tells it. A listener that throws fails the run like any callback. */
export function emitterCallback(emitter: EventEmitter<RunnerEvents>): CVCallback {
  let foldsDone = 0;
  let nSplits = 0;
  const progress = (fold: string, shareOfFold: number) =>
    emitter.emit('progress', { fold, foldsDone, nSplits, share: (foldsDone + shareOfFold) / nSplits });
  return {
    name: 'event listener',
    onCvStart(run) {
      foldsDone = 0;
      nSplits = run.nSplits;
      emitter.emit('cv:start', run);
    },
    onFoldStart(ctx) {
      emitter.emit('fold:start', ctx);
    },
    onEpochStart(ctx) {
      emitter.emit('epoch:start', ctx);
    },
    onEpochEnd(ctx, logs) {
      emitter.emit('epoch:end', ctx, logs);
      progress(ctx.fold, (ctx.epoch + 1) / ctx.epochs);
    },
    onFoldEnd(ctx, result) {
      foldsDone++;
      emitter.emit('fold:end', ctx, result);
      progress(ctx.fold, 0);
    },
    onCvEnd(results) {
      emitter.emit('cv:end', results);
    },
  };
}
