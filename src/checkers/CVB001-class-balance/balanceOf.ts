import { counted, points } from '../../core/format.js';
import { type ClassCounts, classCounts } from '../../data/classCounts.js';
import { type Labels, labelsOf, printable } from '../../data/labels.js';
import { numberPerRow } from '../../data/targets.js';
import { quantileStrata } from '../../splitters/strata.js';
import { labelDistribution } from '../CVL007-label-distribution/labelDistribution.js';
import { type CheckResult, runCheck } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { type FoldBalance, foldShares } from './foldShares.js';
import { smallTests } from './smallTests.js';

/** Shares of the classes over folds: what `checkCvBalance` gives, and `validate` for the folds that are scored. */
export interface CvBalance {
  readonly folds: readonly FoldBalance[];
  /** The largest of the folds. */
  readonly maxDifference: number;
  /** No difference is above the threshold, and no side of a fold lacks a class. */
  readonly isBalanced: boolean;
  /**
   * `needs_review`: a difference above the threshold that chance does not explain (p <= .01), a class that a fold does
   * not train on, or does not test although it tests five patients or more.
   */
  readonly status: 'passed' | 'needs_review';
  /** Family-wise p of the largest difference over folds and classes, patients permuted; null with the reason. */
  readonly pValue: number | null;
  readonly reason?: string;
  readonly message: string;
}

/** Beyond chance, over all folds and classes of a call. */
const ALPHA = 0.01;
/** Continuous labels are compared by fifths of all rows. */
const BINS = 5;

/** `y` must be known. The test of the differences is that of CVL007: `known` is its result where it was made before. */
export async function balanceOf(input: CheckInput, threshold: number, known?: CheckResult): Promise<CvBalance> {
  const { folds, data } = input;
  const labels = input.y as Labels;
  // Numbers and masks have no classes.
  const classes = classCounts(labels);
  const counts = classes ? { ...classes, classes: printable(classes.classes) } : countsOfFifths(labels);
  const shares = foldShares(folds, counts);
  const test = known ?? (await runCheck(labelDistribution, input));
  const p = test.evidence.pValue as number | undefined;
  const maxDifference = shares.reduce((most, fold) => Math.max(most, fold.maxDifference), 0);
  const small = smallTests(folds, data);
  const lacking = shares.filter(({ fold, missingClasses }) =>
    missingClasses.some((missing) => missing.side === 'train' || !small.has(fold)),
  );
  const [many, one] = classes ? ['classes', 'a class'] : ['fifths of y', 'a fifth'];
  const isUnusual = p !== undefined && p <= ALPHA && maxDifference > threshold;
  const chance = p === undefined ? test.message : `p = ${p.toFixed(3)}`;
  return {
    folds: shares,
    maxDifference,
    isBalanced: maxDifference <= threshold && shares.every(({ missingClasses }) => missingClasses.length === 0),
    status: isUnusual || lacking.length > 0 ? 'needs_review' : 'passed',
    pValue: p ?? null,
    ...(p === undefined ? { reason: test.message } : {}),
    message: `Shares of the ${many} differ by at most ${points(maxDifference)} points between the sides of ${counted(shares.length, 'fold')} (${chance})${lacking.length > 0 ? `; ${counted(lacking.length, 'fold')} lack${lacking.length === 1 ? 's' : ''} ${one}` : ''}.`,
  };
}

/** Rows of each fifth of the numbers, and of the marked share of masks. */
function countsOfFifths(labels: Labels): ClassCounts {
  const { codes, names } = quantileStrata('checkCvBalance', numberPerRow(labels), labels.length, BINS);
  const fifths = Array.from(codes, (code) => names[code]);
  return classCounts(labelsOf(fifths, { task: 'multiclass' })) as ClassCounts;
}
