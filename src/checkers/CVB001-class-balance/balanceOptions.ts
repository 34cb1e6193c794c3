/** The options of `BalanceChecker` and its methods that answer at once. */

import { binaryRowOptions } from '../../clinical/binaryRows.js';
import { type InputOf, number, optionTable } from '../../core/options.js';
import { taskOption } from '../../data/labels.js';
import { splitDataOptions } from '../../splitters/splitter.js';

export const balanceCheckerOptions = optionTable('BalanceChecker', {
  threshold: number({ above: 0, max: 1 })
    .default(0.1)
    .describe(
      "Largest tolerated difference of a class's share between the training and the test rows of a fold: .1 is 10 points.",
    ),
  minorityRatio: number({ above: 0, max: 1 })
    .default(0.1)
    .describe('Classes are balanced when the smallest has at least this share of the rows of the largest.'),
});

export type BalanceCheckerOptions = InputOf<typeof balanceCheckerOptions>;

export const taskShape = {
  task: taskOption().describe('What y is; by default what its values say.'),
  groups: splitDataOptions.shape.groups,
};

export const checkClassBalanceOptions = optionTable('checkClassBalance', {
  ...taskShape,
  positiveLabel: binaryRowOptions.positiveLabel.describe('The class, of two, whose share is the prevalence.'),
});

export type CheckClassBalanceOptions = InputOf<typeof checkClassBalanceOptions>;
