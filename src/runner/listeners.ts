/** Callbacks of our own: one for the listeners of a run, one for the progress of a further run. Loaded with the fold loop. */
import type { EventEmitter } from 'eventemitter3';
import { terminal } from '#io';
import { nameText } from '../core/foreignText.js';
import { formatDuration } from '../core/format.js';
import { eraseLine } from '../core/summaryText.js';
import type { BatchContext, CheckStart, CVCallback, RunContext } from './callback.js';
import type { CVResults } from './cvResults.js';
import type { RunnerEvents } from './events.js';
import type { EpochLogs } from './frameworkAdapter.js';

/** A callback that emits what the loop tells it. A listener that throws fails the run like any callback. */
export function emitterCallback(emitter: EventEmitter<RunnerEvents>): CVCallback {
  let foldsDone = 0;
  let nSplits = 0;
  let innerFits = 0;
  /** Inner fits of the fold at hand: each takes about as long as its own. */
  let inner = 0;
  const progress = (fold: string, fits: number) => {
    const share = (foldsDone + fits / (inner + 1)) / nSplits;
    emitter.emit('progress', Object.freeze({ fold, foldsDone, nSplits, innerFits, share }));
  };
  const listened = <F>(event: keyof RunnerEvents, hook: F) => (emitter.listenerCount(event) > 0 ? hook : undefined);
  return {
    name: 'event listener',
    readOnly: true,
    onCheckStart: (check) => void emitter.emit('check:start', check),
    onTrialEnd: (trial) => void emitter.emit('trial:end', trial),
    onFoldStart: (ctx) => void emitter.emit('fold:start', ctx),
    onEpochStart: (ctx) => void emitter.emit('epoch:start', ctx),
    onCvStart(run) {
      foldsDone = innerFits = inner = 0;
      nSplits = run.nSplits;
      emitter.emit('cv:start', run);
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

/** Progress of a further run, as the fits for an interval: a count that redraws itself, and one line at the end. */
export function furtherProgress(title: string, announced?: string) {
  let started = 0;
  let folds = 0;
  let done = 0;
  const draw = () => {
    if (terminal.isTTY) eraseLine(`${title}: ${done}/${folds}`);
  };
  return {
    name: 'FurtherProgress',
    readOnly: true,
    onCvStart({ nSplits }: Pick<RunContext, 'nSplits'>) {
      started = performance.now();
      folds = nSplits;
      if (announced) terminal.write(`${announced}\n`);
      draw();
    },
    onFoldEnd() {
      done++;
      draw();
    },
    onCvEnd() {
      eraseLine(`${title}: ${formatDuration((performance.now() - started) / 1000)}\n`);
    },
  } satisfies CVCallback;
}

/** Milliseconds of checks before anything is written about them. */
const SILENT = 2000;

/** Says which check is being made, once those before the first fold take long, and in the end how long they took. */
export function checkProgress() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let text = '';
  let started = 0;
  let shown = false;
  const show = () => {
    if (terminal.isTTY) eraseLine(text);
    else if (!shown) terminal.write(`${text}\n`);
    shown = true;
  };
  const end = () => {
    clearTimeout(timer);
    if (shown) eraseLine(`checks: ${formatDuration((performance.now() - started) / 1000)}\n`);
    shown = false;
  };
  return {
    name: 'CheckProgress',
    readOnly: true,
    onCheckStart({ type, done, nChecks }: CheckStart) {
      text = `checks: ${nameText(type)} (${done + 1}/${nChecks})`;
      if (shown) show();
      if (done > 0) return;
      started = performance.now();
      timer = setTimeout(show, SILENT);
    },
    onCvStart: end,
    teardown: end,
  } satisfies CVCallback;
}
