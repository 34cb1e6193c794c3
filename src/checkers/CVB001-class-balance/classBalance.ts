import { counted, formatNumber, points, wholeNumber } from '../../core/format.js';
import { byClass, type ClassCounts, classCounts, rarest } from '../../data/classCounts.js';
import { classText, type Label, type Labels, printable, rowNumbers } from '../../data/labels.js';
import { type Check, type Finding, notApplicable, passed } from '../check.js';
import { EXAMPLES } from '../overlap.js';
import { metricsForRare, type RareClass, rareAdvice, rareClass } from './assessClasses.js';
import { balanceCheckerOptions } from './balanceOptions.js';
import { type FoldBalance, foldShares, type MissingClass } from './foldShares.js';
import { smallTests } from './smallTests.js';

const MINORITY_RATIO = balanceCheckerOptions.shape.minorityRatio.defaultValue as number;

/** What CVB001 counted. */
export type ClassBalanceDetails = {
  readonly counts: Readonly<Record<string, number>>;
  readonly imbalanceRatio: number;
  readonly maxDifference: number;
  readonly maxDifferenceFold: string;
  readonly cohenH: number;
  /** Classes that a side of a fold lacks. */
  readonly missing?: number;
  readonly examples?: readonly Lacking[];
};

/**
 * CVB001: every fold trains on every class and tests it, and no class is rarer than one tenth of the largest. Exact,
 * over every fold. Folds that test fewer than five patients need not test every class.
 */
export const classBalance: Check<ClassBalanceDetails> = {
  code: 'CVB001',
  type: 'class_balance',
  kind: 'balance',
  cost: 'fast',
  page: 'docs/checks/CVB001.md',
  description: 'A fold trains on or tests fewer classes than there are, or a class is rare.',
  needs: ['y'],
  assess({ folds, data, y, scores, followUp }) {
    const found = classCounts(y as Labels);
    if (!found) return notApplicable(`y has no classes (${(y as Labels).why}), so there is no balance to assess.`);
    const counts = { ...found, classes: printable(found.classes) };
    const small = smallTests(folds, data);
    const shares = foldShares(folds, counts);
    const missing = shares
      .flatMap(({ fold, missingClasses }) => missingClasses.map((each): Lacking => ({ fold, ...each })))
      .filter(({ fold, side }) => side === 'train' || !small.has(fold));
    return assessed(counts, shares, missing, {
      y: y as Labels,
      scores,
      found: found.classes,
      timed: followUp !== undefined,
    });
  },
};

interface Lacking extends MissingClass {
  readonly fold: string;
}

function assessed(
  counts: ClassCounts,
  shares: readonly FoldBalance[],
  missing: readonly Lacking[],
  {
    y,
    scores,
    found,
    timed,
  }: { y: Labels; scores: readonly string[] | undefined; found: readonly Label[]; timed: boolean },
): Finding<ClassBalanceDetails> {
  const several = y.task === 'multilabel';
  const { classes, n } = counts;
  const total = counts.of(rowNumbers(n));
  const { at, ratio } = rarest(total, n, several);
  const largest = shares.reduce((most, fold) => (fold.maxDifference > most.maxDifference ? fold : most));
  const evidence: ClassBalanceDetails = {
    counts: byClass(classes, total),
    imbalanceRatio: ratio,
    maxDifference: largest.maxDifference,
    maxDifferenceFold: largest.fold,
    cohenH: largest.cohenH,
  };
  if (!several && classes.length < 2) {
    const message = `All ${counted(n, 'row')} have the class ${classText(found, 0)}: there is nothing to learn.`;
    return { status: 'failed', severity: 'high', message, evidence, fix: 'Add rows of another class.' };
  }
  const noun = several ? 'Label' : 'Class';
  const untrained = missing.filter(({ side }) => side === 'train');
  const lacking = untrained.length > 0 ? untrained : missing;
  if (lacking.length > 0) {
    const [{ fold, side, class: first }] = lacking;
    const folds = new Set(lacking.map((each) => each.fold)).size;
    const [row, why] =
      side === 'train' ? ['training', 'no model can learn it'] : ['test', 'scores such as the AUC are undefined'];
    const also = folds > 1 ? `; ${counted(folds, 'fold')} of ${shares.length} lack one` : '';
    return {
      status: side === 'train' ? 'failed' : 'needs_review',
      severity: side === 'train' ? 'high' : 'low',
      fold,
      message: `${noun} ${classText(found, classes.indexOf(first))} has no ${row} row in ${fold}: ${why} there${also}.`,
      evidence: { ...evidence, missing: missing.length, examples: lacking.slice(0, EXAMPLES) },
      fix: `Use ${several ? 'MultilabelStratifiedKFold (MultilabelStratifiedGroupKFold' : 'StratifiedKFold (StratifiedGroupKFold'} with groups), fewer folds, or leave out classes of few patients.`,
    };
  }
  const name = classText(found, at);
  const size = `${wholeNumber(total[at])} of ${counted(n, 'row')}, ${formatNumber(ratio)} of the ${several ? 'rows without it' : 'largest class'}`;
  const difference = `Shares differ by at most ${points(largest.maxDifference)} points between the sides of a fold (${largest.fold}, Cohen's h ${largest.cohenH.toFixed(2)})`;
  // Of outcomes by time no score depends on how many are censored as accuracy does on the majority.
  if (ratio < MINORITY_RATIO && !timed) {
    const message = `${noun} ${name} is rare: ${size}. ${difference}.`;
    const rare = rareClass(y, at);
    if (followsAdvice(rare, scores)) return passed(`${message} No score depends on the majority.`, evidence);
    return { status: 'needs_review', severity: 'low', message, evidence, fix: rareAdvice(rare) };
  }
  return passed(
    `Every fold trains on and tests every class; the smallest is ${noun.toLowerCase()} ${name}: ${size}. ${difference}.`,
    evidence,
  );
}

export function followsAdvice(rare: RareClass, scores: readonly string[] = []): boolean {
  const { fit, unfit } = metricsForRare(rare);
  return scores.some((name) => fit.includes(name)) && !scores.some((name) => unfit.includes(name));
}
