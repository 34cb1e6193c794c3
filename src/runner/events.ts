/** The moments of a run as typed events, for user interfaces: the same moments as the callbacks, in the same order. Listeners are synchronous. */
import { EventEmitter } from 'eventemitter3';
import { InvalidOptionError, kindOf, sentence, show, suggestion } from '../core/errors.js';
import type { BatchContext, CVCallback, EpochContext, InnerProgress, RunContext } from './callback.js';
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

export interface RunnerEvents {
  'cv:start': [run: RunContext];
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
  'cv:start': true,
  'fold:start': true,
  'epoch:start': true,
  'batch:end': true,
  'epoch:end': true,
  'inner:end': true,
  'fold:end': true,
  'cv:end': true,
  progress: true,
} satisfies Record<keyof RunnerEvents, true>);

type Listener<E extends keyof RunnerEvents> = EventEmitter.EventListener<RunnerEvents, E>;

/** An emitter of these events alone: a listener to another one would never be called, so it is refused. */
export class RunnerEmitter extends EventEmitter<RunnerEvents> {
  override on<E extends keyof RunnerEvents>(event: E, listener: Listener<E>, context?: unknown): this {
    checkListener(event, listener);
    return super.on(event, listener, context);
  }

  override addListener<E extends keyof RunnerEvents>(event: E, listener: Listener<E>, context?: unknown): this {
    return this.on(event, listener, context);
  }

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

/** A callback that emits what the loop tells it. A listener that throws fails the run like any callback. */
export function emitterCallback(emitter: EventEmitter<RunnerEvents>): CVCallback {
  let foldsDone = 0;
  let nSplits = 0;
  let innerFits = 0;
  /** Inner fits of the fold at hand: each takes about as long as its own. */
  let inner = 0;
  const progress = (fold: string, fits: number) =>
    emitter.emit(
      'progress',
      Object.freeze({ fold, foldsDone, nSplits, innerFits, share: (foldsDone + fits / (inner + 1)) / nSplits }),
    );
  const listened = <F>(event: keyof RunnerEvents, hook: F) => (emitter.listenerCount(event) > 0 ? hook : undefined);
  return {
    name: 'event listener',
    onCvStart(run) {
      foldsDone = innerFits = inner = 0;
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
      progress(ctx.fold, inner + (ctx.epoch + 1) / ctx.epochs);
    },
    onInnerFit(ctx, { done, total }) {
      innerFits++;
      inner = total;
      emitter.emit('inner:end', ctx, { done, total });
      progress(ctx.fold, done);
    },
    onFoldEnd(ctx, result) {
      foldsDone++;
      inner = 0;
      emitter.emit('fold:end', ctx, result);
      progress(ctx.fold, 0);
    },
    // Checked each time: events per batch and copies of all results are costly, and made only if somebody listens.
    get onBatchEnd() {
      return listened('batch:end', (ctx: BatchContext, logs: EpochLogs) => void emitter.emit('batch:end', ctx, logs));
    },
    get onCvEnd() {
      return listened('cv:end', (results: CVResults) => void emitter.emit('cv:end', results));
    },
  };
}
