import { nameText } from '../core/foreignText.js';
import { counted, formatNumber } from '../core/format.js';
import type { MetricName } from '../core/knownNames.js';
import { MOST_DRAWS, mean } from '../core/numbers.js';
import { type InputOf, integer, oneOf, optionTable, string } from '../core/options.js';
import { wrapText } from '../core/summaryText.js';
import { dataOf, manyRunsShape, withImpliedTask } from './manyRuns.js';
import { type PermutationTest, permutedScores } from './permutation/permutedScores.js';

export const permutationTestOptions = optionTable('permutationTest', {
  ...manyRunsShape,
  metric: string<MetricName>()
    .optional()
    .describe("What is tested; by default 'roc_auc' for a binary task, 'rmse' for regression, else 'accuracy'."),
  nPermutations: integer({ min: 19, max: MOST_DRAWS })
    .default(199)
    .describe('Cross-validations on permuted labels; the smallest p-value is 1 / (nPermutations + 1).'),
  scheme: oneOf('within', 'between')
    .optional()
    .describe(
      "How labels move that vary within patients: among a patient's rows, or between patients as whole vectors.",
    ),
});

export type PermutationTestOptions = InputOf<typeof permutationTestOptions>;

/**
 * Tests whether a model finds anything in the features: the whole cross-validation is repeated on labels that were
 * exchanged at random, as often as `nPermutations` says. What may be exchanged follows from the patients: a patient's one
 * label moves with all the rows; labels that vary within patients need a `scheme`. Folds stay the same unless they follow
 * the labels (stratified ones are made anew for each permutation, as for the true labels).
 *
 * It takes nPermutations + 1 cross-validations. A small p-value says that there is some signal, not that it is useful.
 *
 * Source: Ojala & Garriga 2010, JMLR 11:1833, test 1; the p-value, Phipson & Smyth 2010, SAGMB 9:39.
 *
 * @throws {CVKitError} what `run` throws for the data; labels that vary within patients without a `scheme`; a metric
 *   without a value on the true labels.
 * @example
 * const test = await permutationTest({ model, X, y, groups, cv: new StratifiedGroupKFold({ randomState: 1 }) });
 * console.log(test.pValue);
 */
export async function permutationTest(input: PermutationTestOptions): Promise<PermutationTest> {
  const call = permutationTestOptions.parse(input);
  return withSummary(await permutedScores(await withImpliedTask(call, dataOf(call))));
}

function withSummary(parts: Omit<PermutationTest, 'summary'>): PermutationTest {
  const { metric, observed, pValue, nAtLeast, nPermutations, permuted, notes } = parts;
  const known = permuted.filter((value) => value !== null).sort((a, b) => a - b);
  const average = known.length > 0 ? mean(known) : null;
  return {
    ...parts,
    summary: () =>
      [
        `Permutation test of ${nameText(metric)}: ${formatNumber(observed)} on the true labels, ${formatNumber(average)} on average over ${counted(nPermutations, 'permutation')}`,
        wrapText(
          `p = ${formatNumber(pValue)} (${nAtLeast} of ${nPermutations} did at least as well; the smallest p-value possible is ${formatNumber(1 / (nPermutations + 1))})`,
        ),
        ...notes.map((note) => wrapText(note)),
      ].join('\n'),
  };
}
