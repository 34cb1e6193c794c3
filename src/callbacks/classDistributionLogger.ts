import { plainText } from '../core/foreignText.js';
import { boolean, type InputOf, optionTable } from '../core/options.js';
import { eraseLine } from '../core/summaryText.js';
import type { CVCallback, RunContext } from '../runner/callback.js';
import type { FoldDistribution } from './distributions.js';

export const classDistributionLoggerOptions = optionTable('ClassDistributionLogger', {
  verbose: boolean().default(false).describe('Write a line for each of the first folds when the run begins.'),
});

export type ClassDistributionLoggerOptions = InputOf<typeof classDistributionLoggerOptions>;

/**
 * Records, when a run begins, how the classes are spread: counts and shares of each fold among the rows that it trains
 * on, watches and tests; of several labels per row those of each label, of numbers mean and standard deviation. A class
 * that a side lacks although it has as many rows as there are classes becomes a warning of the results. Only reads.
 *
 * @example
 * const classes = new ClassDistributionLogger();
 * await runner.run({ model, data: [X, y], preprocessing, callbacks: [classes] });
 * console.log(classes.distributions[0].train);
 */
export class ClassDistributionLogger implements CVCallback {
  /** Printed, and minifiers rename classes. */
  static readonly name: string = classDistributionLoggerOptions.owner;
  readonly name = ClassDistributionLogger.name;
  readonly readOnly = true;
  /** The folds of the run that began last, in order; empty before the first. */
  distributions: readonly FoldDistribution[] = [];
  readonly #verbose: boolean;

  constructor(input: ClassDistributionLoggerOptions = {}) {
    this.#verbose = classDistributionLoggerOptions.resolve(input).verbose;
  }

  async onCvStart(run: RunContext): Promise<void> {
    const { distributionsOf, distributionLines, lackingClasses } = await import('./distributions.js');
    const found = distributionsOf(run);
    this.distributions = found;
    for (const sentence of lackingClasses(found, run.y)) run.warn(sentence);
    // A bar that is drawn gives way to the lines.
    if (this.#verbose) for (const line of distributionLines(found)) eraseLine(`${plainText(line)}\n`);
  }
}
