/** What `BalanceChecker.checkCvBalance` does; loaded on first use. */

import { nameText } from '../../core/foreignText.js';
import { points } from '../../core/format.js';
import { type InputOf, optionTable } from '../../core/options.js';
import { freshSeed } from '../../core/random.js';
import { textTable, wrapText } from '../../core/summaryText.js';
import { type LabelsInput, labelsOf } from '../../data/labels.js';
import { type RowsInput, rowsOf } from '../../data/rows.js';
import { checkLength, checkSideData, type SideData } from '../../data/sideData.js';
import { foldsOf } from '../../splitters/foldsOf.js';
import { type Splitter, seeded, splitDataOptions } from '../../splitters/splitter.js';
import { checkInput } from '../checkInput.js';
import { checkShape, seedOption } from '../checkOptions.js';
import { balanceOf, type CvBalance } from './balanceOf.js';
import { taskShape } from './balanceOptions.js';

export const checkCvBalanceOptions = optionTable('checkCvBalance', {
  ...splitDataOptions.shape,
  task: taskShape.task,
  design: checkShape.design,
  randomState: seedOption,
});

export type CheckCvBalanceOptions = InputOf<typeof checkCvBalanceOptions>;

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
  const seed = randomState ?? freshSeed();
  const folds = foldsOf(seeded(splitter, seed), rows.length, labels, data);
  const balance = await balanceOf(
    checkInput({ X: rows, y: labels, data, folds, design, randomState: seed }),
    threshold,
  );
  return { balance, text: textOf(balance) };
}

function textOf({ folds, message, status }: CvBalance): string {
  const rows = folds.slice(0, 20).map(({ fold, maxDifference, cohenH, missingClasses }) => {
    const missing = missingClasses.map((each) => `${nameText(String(each.class))} (${each.side})`).slice(0, 3);
    return [fold, points(maxDifference), cohenH.toFixed(2), missing.join(', ')];
  });
  return [
    `Balance of the folds: ${status.replace('_', ' ')}`,
    wrapText(message),
    textTable([['fold', 'largest difference (points)', "Cohen's h", 'missing classes'], ...rows]),
    ...(folds.length > rows.length ? [`  ... and ${folds.length - rows.length} more`] : []),
  ].join('\n');
}
