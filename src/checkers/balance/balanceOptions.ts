/** The options of `BalanceChecker` and its methods that answer at once. */
import { type InputOf, number, optionTable } from '../../core/options.js';
import { task } from '../../core/taskOption.js';
import { binaryRowOptions } from '../../metrics/binaryRows.js';
import { splitDataOptions } from '../../splitters/splitter.js';

export const balanceCheckerOptions = optionTable('BalanceChecker', {
  threshold: number({ above: 0, max: 1 })
    .default(0.1)
    .describe(
      'Classes are balanced from this ratio of the smallest to the largest on; folds up to this difference of the shares.',
    ),
});

export type BalanceCheckerOptions = InputOf<typeof balanceCheckerOptions>;

export const taskShape = {
  task: task().describe('What y is; by default what its values say.'),
  groups: splitDataOptions.shape.groups,
};

export const checkClassBalanceOptions = optionTable('checkClassBalance', {
  ...taskShape,
  positiveLabel: binaryRowOptions.positiveLabel.describe('The class, of two, whose share is the prevalence.'),
});

export type CheckClassBalanceOptions = InputOf<typeof checkClassBalanceOptions>;
