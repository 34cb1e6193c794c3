import { INSPECT } from '../core/summaryText.js';

/**
 * What a call would take, with `dryRun: true`: nothing was trained.
 *
 * @example
 * const plan = await runner.run({ model, data: [X, y], dryRun: true });
 * console.log(plan.summary());
 */
export class DryRun {
  /** Folds of the call. */
  declare readonly folds: number;
  /** Models that it trains where nothing is kept, inner ones included; of a search that prunes at most so many. */
  declare readonly fits: number;
  /** Folds that are in the run directory already. */
  declare readonly kept: number;
  /** Estimated time of what is left; null where no fold is finished yet. */
  declare readonly seconds: number | null;
  /** Estimated size of the files of all outcomes. Models are not counted. */
  declare readonly bytes: number;
  /** Folder of the tasks that `cvkit worker` does; null where there are none. */
  declare readonly tasks: string | null;
  readonly #summary: string;

  constructor(expected: Pick<DryRun, 'folds' | 'fits' | 'kept' | 'seconds' | 'bytes' | 'tasks'>, summary: string) {
    Object.assign(this, expected);
    this.#summary = summary;
  }

  /** In plain words, a line for each. */
  summary(): string {
    return this.#summary;
  }

  [INSPECT](): string {
    return this.#summary;
  }
}
