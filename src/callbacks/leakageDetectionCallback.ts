import { checkShape } from '../checkers/checkOptions.js';
import type { LeakageReport } from '../checkers/leakageReport.js';
import { boolean, type InputOf, type OptionsOf, optionTable } from '../core/options.js';
import { recordable } from '../core/recordable.js';
import type { CVCallback, RunContext } from '../runner/callback.js';

export const leakageDetectionCallbackOptions = optionTable('LeakageDetectionCallback', {
  strict: boolean()
    .default(false)
    .describe('End the run before any training, with a LeakageError, when a check fails or cannot be completed.'),
  ...checkShape,
});

export type LeakageDetectionCallbackOptions = InputOf<typeof leakageDetectionCallbackOptions>;

/**
 * Checks the folds of a run for leakage before any training. What a check finds becomes a warning of the results; with
 * `strict` a check that fails or cannot be completed ends the run. The whole report is in `report` from then on.
 *
 * @example
 * const leakage = new LeakageDetectionCallback();
 * await runner.run({ model, data: [X, y, patientIds], callbacks: [leakage] });
 * console.log(leakage.report.hasLeakage, leakage.report.leakageTypes);
 */
export class LeakageDetectionCallback implements CVCallback {
  /** Printed, and minifiers rename classes. */
  static readonly name: string = leakageDetectionCallbackOptions.owner;
  readonly name = LeakageDetectionCallback.name;
  /** What the checks found on the folds of the last run; null before the first. */
  report: LeakageReport | null = null;
  readonly #options: OptionsOf<typeof leakageDetectionCallbackOptions>;

  constructor(input: LeakageDetectionCallbackOptions = {}) {
    this.#options = recordable(this, leakageDetectionCallbackOptions.resolve(input));
  }

  async onCvStart(run: RunContext): Promise<void> {
    const { assessRun, warnAboutFindings } = await import('../checkers/checkFolds.js');
    const { strict, ...declared } = this.#options;
    const { report } = await assessRun(run, { ...declared, owner: this.name, leakage: true, balance: false });
    this.report = report;
    if (strict) report.refuse();
    warnAboutFindings(report.checks, run);
  }
}
