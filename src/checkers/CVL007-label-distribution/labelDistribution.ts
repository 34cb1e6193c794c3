import { numberPerRow } from '../../data/classCounts.js';
import { classText, type Label, type Labels, printable } from '../../data/labels.js';
import { targetColumns, targetName } from '../../data/targets.js';
import { smallTests } from '../CVB001-class-balance/smallTests.js';
import type { Check } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { EXAMPLES } from '../overlap.js';
import { assessShift, type ShiftDetails } from '../shift/assessShift.js';
import { foldUnits } from '../shift/foldUnits.js';
import { normalScores } from '../shift/normalScores.js';
import { unitTable, type Variable } from '../shift/unitTable.js';

/** The error rate of a call, over all classes (labels) and folds. */
const ALPHA = 0.01;

/** What CVL007 compared and found. */
export type LabelDistributionDetails = ShiftDetails & {
  /** Classes that have no test row in a fold. */
  readonly missing?: readonly Missing[];
};

/**
 * CVL007: the labels of test rows are distributed like the others. One permutation test of whole patients over all
 * classes and folds, so that neither their number nor their size sets off an alarm. A difference is shift, no leak.
 *
 * Source: Westfall & Young 1993, Resampling-Based Multiple Testing.
 */
export const labelDistribution: Check<LabelDistributionDetails> = {
  code: 'CVL007',
  type: 'label_distribution',
  kind: 'shift',
  cost: 'fast',
  page: 'docs/checks/CVL007.md',
  description: 'The labels of the test rows of a fold differ from the other labels beyond chance.',
  needs: ['y'],
  async assess(input) {
    const y = input.y as Labels;
    const units = foldUnits(input);
    const missing = missingClasses(input, y, units.folds.length);
    return assessShift(input, units, await unitTable(labelVariables(y, input.followUp), units), {
      check: 'CVL007',
      noun: 'label',
      alphas: { mean: ALPHA },
      evidence: missing.length > 0 ? { missing: missing.slice(0, EXAMPLES) } : {},
      remark: missing.length > 0 ? inWords(missing, y) : undefined,
      fix: 'Use folds with the same shares of the classes: StratifiedKFold, or StratifiedGroupKFold with groups.',
    });
  },
};

interface Missing {
  readonly fold: string;
  readonly class: Label;
}

function missingClasses({ folds, data }: CheckInput, { classes, codes }: Labels, nFolds: number): Missing[] {
  if (codes.length === 0) return [];
  const named = printable(classes);
  const small = smallTests(folds, data);
  return Array.from(folds.sides())
    .slice(0, nFolds)
    .filter(({ id }) => !small.has(id))
    .flatMap(({ id, test }) => {
      const found = new Set(Array.from(test, (row) => codes[row]));
      return named.flatMap((each, code) => (found.has(code) ? [] : [{ fold: id, class: each }]));
    });
}

function inWords(missing: readonly Missing[], { classes }: Labels): string {
  const [{ fold, class: first }] = missing;
  const more = missing.length > 1 ? `; ${missing.length - 1} more such` : '';
  return `No test row of ${fold} has the class ${classText(classes, printable(classes).indexOf(first))}${more}.`;
}

/**
 * Shares of the classes (of two that of the second), of each label of several, of marked pixels; normal scores of
 * numbers. Of outcomes by time, also those of the times.
 */
function* labelVariables(labels: Labels, followUp?: Float64Array): Generator<Variable> {
  if (followUp && labels.task !== 'regression') yield { name: 'follow-up', values: normalScores()(followUp) };
  const { task, shape, classes, codes, numbers, indicators, length } = labels;
  const width = classes.length;
  if (task === 'regression') {
    for (const [target, values] of targetColumns({ numbers, length }).entries())
      yield { name: targetName(target, classes), values: normalScores()(values) };
  } else if (shape) {
    yield { name: 'share of marked pixels', values: normalScores()(numberPerRow(labels)) };
  } else {
    const several = task === 'multilabel';
    for (let code = !several && width === 2 ? 1 : 0; code < width; code++) {
      const is = (row: number) => (several ? indicators[row * width + code] : Number(codes[row] === code));
      const values = new Float64Array(length).map((_, row) => is(row));
      yield { name: several ? `label ${code}` : `class ${classText(classes, code)}`, values, share: true };
    }
  }
}
