import { boolean, type InputOf, optionTable } from '../core/options.js';
import type { TuningTrial } from '../core/tuningTrial.js';
import type { CVCallback, EpochContext, InnerProgress, RunContext } from './callback.js';
import type { FoldResult } from './foldResult.js';
import type { EpochLogs, FoldContext } from './frameworkAdapter.js';
import type { ProgressLines } from './progress.js';

export const progressLoggerOptions = optionTable('ProgressLogger', {
  perEpoch: boolean().default(false).describe('Write a line per epoch, too.'),
});

export type ProgressLoggerOptions = InputOf<typeof progressLoggerOptions>;

/**
 * Shows how far a run is: a bar that redraws itself in a terminal, one line per fold elsewhere; with `perEpoch` a line
 * per epoch, too. The runner adds it by itself unless `verbose` is 0.
 *
 * @example
 * const progress = new ProgressLogger();
 * await runner.run({ model, data: [X, y], preprocessing, callbacks: [progress] });
 */
export class ProgressLogger implements CVCallback {
  readonly name = 'ProgressLogger';
  readonly readOnly = true;
  readonly #perEpoch: boolean;
  #progress: ProgressLines | undefined;

  constructor(input: ProgressLoggerOptions = {}) {
    this.#perEpoch = progressLoggerOptions.resolve(input).perEpoch;
  }

  async onCvStart(run: RunContext): Promise<void> {
    const { ProgressLines } = await import('./progress.js');
    this.#progress = new ProgressLines(this.#perEpoch);
    this.#progress.onCvStart(run);
  }

  onTrialEnd(trial: TuningTrial): void {
    this.#progress?.onTrialEnd(trial);
  }

  onFoldStart(ctx: FoldContext): void {
    this.#progress?.onFoldStart(ctx);
  }

  onEpochEnd(ctx: EpochContext, logs: EpochLogs): void {
    this.#progress?.onEpochEnd(ctx, logs);
  }

  onInnerFit(ctx: FoldContext, inner: InnerProgress): void {
    this.#progress?.onInnerFit(ctx, inner);
  }

  onFoldEnd(ctx: FoldContext, result: FoldResult): void {
    this.#progress?.onFoldEnd(ctx, result);
  }

  teardown(): void {
    this.#progress?.teardown();
  }
}
