/** What `BalanceChecker.checkCvBalance` does; loaded on first use. */
import { counted } from '../../core/format.js';
import { type Labels, type LabelsInput, labelsOf } from '../../core/labels.js';
import { type InputOf, optionTable, seed } from '../../core/options.js';
import { freshSeed } from '../../core/random.js';
import { type RowsInput, rowsOf } from '../../core/rows.js';
import { checkLength, checkSideData, type SideData } from '../../core/sideData.js';
import { textTable, wrapText } from '../../core/summaryText.js';
import { foldsOf } from '../../splitters/foldsOf.js';
import { type Splitter, splitDataOptions } from '../../splitters/splitter.js';
import { quantileStrata } from '../../splitters/strata.js';
import { runCheck } from '../check.js';
import { checkInput } from '../checkInput.js';
import { judgeShape } from '../judgeOptions.js';
import { labelDistribution } from '../leakage/labelDistribution.js';
import { taskShape } from './balanceOptions.js';
import { type ClassCounts, classCounts } from './classCounts.js';
import { type FoldBalance, foldShares } from './foldShares.js';
import { smallTests } from './smallTests.js';

export const checkCvBalanceOptions = optionTable('checkCvBalance', {
  ...splitDataOptions.shape,
  task: taskShape.task,
  design: judgeShape.design,
  randomState: seed().default(42).describe('Seed of the permutations.'),
});

export type CheckCvBalanceOptions = InputOf<typeof checkCvBalanceOptions>;

/** What `checkCvBalance` gives. */
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

export async function cvBalance(
  X: RowsInput,
  y: LabelsInput,
  splitter: Splitter,
  input: CheckCvBalanceOptions,
  threshold: number,
): Promise<{ balance: CvBalance; text: string }> {
  const { task, design, randomState, ...side } = checkCvBalanceOptions.resolve(input);
  const rows = rowsOf(X);
  const labels = labelsOf(y, { task });
  checkLength(labels, rows.length, 'y');
  const data = Object.fromEntries(Object.entries(side).filter(([, value]) => value !== undefined)) as SideData;
  checkSideData(data, rows.length);
  const folds = foldsOf(splitter, rows.length, labels, data);
  const scene = checkInput({
    X: rows,
    y: labels,
    data,
    folds,
    design,
    randomState: randomState ?? freshSeed(),
  });
  const shares = foldShares(folds, countsOf(labels));
  const test = await runCheck(labelDistribution, scene);
  const p = test.evidence.pValue as number | undefined;
  const maxDifference = Math.max(...shares.map((fold) => fold.maxDifference));
  const small = smallTests(folds, data);
  const lacking = shares.filter(({ fold, missingClasses }) =>
    missingClasses.some((missing) => missing.side === 'train' || !small.has(fold)),
  );
  const odd = p !== undefined && p <= ALPHA && maxDifference > threshold;
  const chance = p === undefined ? test.message : `p = ${p.toFixed(3)}`;
  const balance: CvBalance = {
    folds: shares,
    maxDifference,
    isBalanced: maxDifference <= threshold && shares.every(({ missingClasses }) => missingClasses.length === 0),
    status: odd || lacking.length > 0 ? 'needs_review' : 'passed',
    pValue: p ?? null,
    ...(p === undefined ? { reason: test.message } : {}),
    message: `Shares of the classes differ by at most ${points(maxDifference)} points between the sides of ${counted(shares.length, 'fold')} (${chance})${lacking.length > 0 ? `; ${counted(lacking.length, 'fold')} lack${lacking.length === 1 ? 's' : ''} a class` : ''}.`,
  };
  return { balance, text: textOf(balance) };
}

/** Classes as they are; fifths of numbers, and of the marked share of masks. */
function countsOf(labels: Labels): ClassCounts {
  const found = classCounts(labels);
  if (found) return found;
  const { numbers, indicators, classes, length } = labels;
  const width = classes.length;
  const values = labels.shape
    ? Float64Array.from({ length }, (_, row) => marked(indicators.subarray(row * width, (row + 1) * width)))
    : numbers;
  const { codes, names } = quantileStrata('checkCvBalance', values, length, BINS);
  const bins = labelsOf(
    Array.from(codes, (code) => names[code]),
    { task: 'multiclass' },
  );
  return classCounts(bins) as ClassCounts;
}

const marked = (pixels: Uint8Array) => pixels.reduce((sum, pixel) => sum + pixel, 0) / pixels.length;
const points = (share: number) => (100 * share).toFixed(1);

function textOf({ folds, message, status }: CvBalance): string {
  const rows = folds.slice(0, 20).map(({ fold, maxDifference, cohenH, missingClasses }) => {
    const missing = missingClasses.map((each) => `${each.class} (${each.side})`).slice(0, 3);
    return [fold, points(maxDifference), cohenH.toFixed(2), missing.join(', ')];
  });
  return [
    `Balance of the folds: ${status.replace('_', ' ')}`,
    wrapText(message),
    textTable([['fold', 'largest difference (points)', "Cohen's h", 'missing classes'], ...rows]),
    ...(folds.length > rows.length ? [`  ... and ${folds.length - rows.length} more`] : []),
  ].join('\n');
}
