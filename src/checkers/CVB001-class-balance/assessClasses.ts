import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { counted, formatNumber, points } from '../../core/format.js';
import { sum } from '../../core/numbers.js';
import { type OptionsOf, rejectUnusedOption } from '../../core/options.js';
import { byClass, type ClassCounts, classCounts, rarest } from '../../data/classCounts.js';
import {
  classText,
  type Label,
  type Labels,
  type LabelsInput,
  labelsOf,
  rowNumbers,
  type Task,
} from '../../data/labels.js';
import { positiveCode, positiveOf, withPositive } from '../../data/positiveCode.js';
import { groupsOf } from '../../data/sideData.js';
import { metricRegistry } from '../../metrics/registry.js';
import type { checkClassBalanceOptions } from './balanceOptions.js';

/** What `checkClassBalance` gives. */
export interface ClassBalance {
  /** Rows by class; with several labels per row, rows that carry each. */
  readonly counts: Readonly<Record<string, number>>;
  /** The same by the number of rows. */
  readonly proportions: Readonly<Record<string, number>>;
  /** Null where all classes have equally many rows, or there is one alone. */
  readonly minorityClass: Label | null;
  /** Rows of the smallest class by those of the largest; of labels, the worst of with by without. Null for one class. */
  readonly imbalanceRatio: number | null;
  /** The ratio is at least `minorityRatio`. */
  readonly isBalanced: boolean;
  /** `failed`: there is one class alone. */
  readonly status: 'passed' | 'needs_review' | 'failed';
  /** Share of the rows of `positiveLabel`, where it was given. */
  readonly prevalence?: number;
  /** Where groups were given: patients with at least one row of each class, and those with several classes. */
  readonly byGroup?: {
    readonly groups: number;
    readonly counts: Readonly<Record<string, number>>;
    readonly mixed: number;
  };
  readonly message: string;
  readonly recommendations: readonly string[];
}

export function assessClasses(
  y: LabelsInput,
  { task, groups, positiveLabel }: OptionsOf<typeof checkClassBalanceOptions>,
  minorityRatio: number,
): ClassBalance {
  const labels = labelsOf(y, { task });
  const found = classCounts(labels);
  if (!found) {
    const text = labels.shape ? 'masks' : 'continuous numbers';
    const instead = labels.shape ? '' : 'Use `checkCvBalance`, which compares fifths of them, or pass `task`.';
    throw new InvalidDataError(sentence('y of checkClassBalance', 'be class labels', phrase(text), instead));
  }
  const several = labels.task === 'multilabel';
  const { classes, n } = found;
  const counts = found.of(rowNumbers(n));
  const proportions = counts.map((rows) => rows / n);
  const one = !several && classes.length < 2;
  const { at, ratio } = rarest(counts, n, several);
  const isBalanced = !one && ratio >= minorityRatio;
  if (positiveLabel !== undefined && labels.task !== 'binary') {
    rejectUnusedOption('checkClassBalance', 'positiveLabel', `the task is ${labels.task}`);
  }
  const known = positiveLabel === undefined ? labels : withPositive(labels, positiveCode(classes, positiveLabel));
  const byGroup = groups && groupBalance(groups, found);
  const sizes = classes.map(
    (_, code) => `${counts[code]} of class ${classText(classes, code)} (${points(proportions[code])} %)`,
  );
  const shown = sizes.slice(0, 6).join(', ') + (sizes.length > 6 ? ` and ${sizes.length - 6} more` : '');
  const facts = `${counted(n, 'row')}${byGroup ? ` of ${counted(byGroup.groups, 'patient')}` : ''}: ${shown}`;
  const compared = several ? 'rarest label by the rows without it' : 'smallest by largest';
  return {
    counts: byClass(classes, counts),
    proportions: byClass(classes, proportions),
    minorityClass: one || ratio === 1 ? null : classes[at],
    imbalanceRatio: one ? null : ratio,
    isBalanced,
    status: one ? 'failed' : isBalanced ? 'passed' : 'needs_review',
    ...(positiveLabel === undefined ? {} : { prevalence: proportions[known.positive as number] }),
    ...(byGroup ? { byGroup } : {}),
    message: `${facts}; ${one ? 'one class alone' : `${compared} ${formatNumber(ratio)}`}.`,
    recommendations: one ? [ONE_CLASS] : isBalanced ? [] : [rareAdvice(rareClass(known, at)), STRATIFY],
  };
}

const ONE_CLASS = 'Add rows of another class: there is nothing to learn from one.';
/** A model that calls everybody one class does well in these where few are of the other. */
const BY_MAJORITY = ['accuracy', 'f1_micro', 'f1_weighted', 'hamming_loss'];
/** And in these where that class is the positive one. */
const BY_POSITIVE = ['average_precision', 'f1', 'precision', 'ppv'];
/** Such a model has a known low value in these, whichever class is rare. */
const KAPPAS = ['cohen_kappa', 'cohen_kappa_linear', 'cohen_kappa_quadratic'];
const WHATEVER_SHARE = ['balanced_accuracy', 'roc_auc', 'mcc', ...KAPPAS];
const OF_CLASSES = ['roc_auc_ovr_macro', 'roc_auc_ovo_macro', 'f1_macro'];

/** Metrics to take where a class is rare, the best first, and those to leave. */
export function metricsForRare({ task, positive }: RareClass): {
  readonly fit: readonly string[];
  readonly unfit: readonly string[];
} {
  const [first, ...others] = WHATEVER_SHARE;
  if (positive === false)
    return { fit: [first, 'specificity', ...others, 'npv'], unfit: [...BY_MAJORITY, ...BY_POSITIVE] };
  const fit =
    positive === undefined && task === 'binary'
      ? WHATEVER_SHARE
      : ['average_precision', first, 'sensitivity', ...others, 'f1'];
  return { fit: [...fit, ...OF_CLASSES], unfit: BY_MAJORITY };
}

/** Which class is rare: the positive one, the other; undefined where nobody knows, or there are several. */
export interface RareClass {
  readonly task: Task;
  readonly positive?: boolean | undefined;
}

export function rareClass(labels: Pick<Labels, 'task' | 'classes' | 'positive'>, at: number): RareClass {
  const positive = labels.task === 'binary' ? positiveOf(labels) : undefined;
  return { task: labels.task, positive: positive === undefined ? undefined : positive === at };
}

export const rareAdvice = (rare: RareClass): string => {
  const fit = metricsForRare(rare).fit.filter((name) => metricRegistry.get(name).tasks.includes(rare.task));
  return `Score by what does not depend on the majority (${fit.slice(0, 3).join(', ')}), not by accuracy.`;
};

const STRATIFY = 'Keep the rare class in every fold: StratifiedKFold, or StratifiedGroupKFold with groups.';

function groupBalance(
  groups: ArrayLike<Label>,
  { n, classes, has }: ClassCounts,
): NonNullable<ClassBalance['byGroup']> {
  const { codes, count } = groupsOf(groups, n, 'groups', 'y');
  const classesOf = new Int32Array(count);
  const counts = classes.map((_, at) => {
    const present = new Uint8Array(count);
    for (let row = 0; row < n; row++) if (has(row, at)) present[codes[row]] = 1;
    for (let group = 0; group < count; group++) classesOf[group] += present[group];
    return sum(present);
  });
  return { groups: count, counts: byClass(classes, counts), mixed: classesOf.filter((several) => several > 1).length };
}
