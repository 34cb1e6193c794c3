import { nameText } from '../../core/foreignText.js';
import { formatNumber } from '../../core/format.js';
import { mean, sum } from '../../core/numbers.js';
import { arrayLike, type InputOf, oneOf, optionTable } from '../../core/options.js';
import { noteMark, textTable, wrapText } from '../../core/summaryText.js';
import { classText, type Label, printable } from '../../data/labels.js';
import type { Interval } from '../../intervals/interval.js';
import { proportion } from '../../intervals/proportion.js';
import { sampleFacts, sampleOf, type Value } from '../../intervals/sample.js';
import { f1, npv, ppv, sensitivity, specificity } from '../../metrics/definitions/binary.js';
import { accuracy } from '../../metrics/definitions/multiclass.js';
import { type Metric, undefinedBecause } from '../../metrics/metric.js';
import { type ScoreTable, scoreTable } from '../../metrics/scoreTable.js';
import { intervalOptions } from '../binaryRows.js';
import { byInfluence } from '../measures/byInfluence.js';
import { mapValue } from '../measures/mover.js';

const { sampleWeight, groups, level } = intervalOptions;

export const classReportOptions = optionTable('classReport', {
  classes: arrayLike<Label>('label[]').optional().describe('All classes, when some do not occur.'),
  proportionMethod: oneOf('wilson', 'clopper_pearson').default('wilson').describe('Intervals of proportions.'),
  sampleWeight,
  groups,
  level,
});

export type ClassReportOptions = InputOf<typeof classReportOptions>;

/** Sensitivity (recall), specificity, PPV (precision), NPV and F1. */
export type ClassValues = Readonly<Record<MeasureName, Interval>>;

/** One class against all others. */
export interface ClassRow extends ClassValues {
  readonly label: Label;
  /** Sum of weights of the rows of this class. */
  readonly support: number;
  /** Sum of weights of the rows that are predicted to be of it. */
  readonly predicted: number;
}

/** What {@link classReport} gives. */
export interface ClassReport {
  /** In ascending order: that of everything per class. */
  readonly classes: readonly Label[];
  /** Sums of weights: a row per true class, a column per predicted class. */
  readonly matrix: readonly (readonly number[])[];
  readonly perClass: readonly ClassRow[];
  /** Share of the rows that are right. */
  readonly accuracy: Interval;
  /**
   * Means over the classes, all counting alike; null when one class has no value. `sensitivity` is the balanced
   * accuracy.
   */
  readonly macro: ClassValues;
  /** Of the counts of all classes added up: sensitivity, PPV and F1 are the accuracy. */
  readonly micro: ClassValues;
  /** Matrix and values as plain text. */
  summary(): string;
}

/**
 * Confusion matrix of two or more classes and what follows from it, each with an interval. A class against the rest:
 * proportions as in {@link ClinicalMetrics} (Wilson or Clopper-Pearson; with `groups` the ratio estimator over
 * patients), F1 and the macro averages by the delta method with influences summed per patient, on the logit scale. What
 * is 0/0, such as the PPV of a class that is never predicted, is null with the reason. Intervals hold one by one, not
 * all at once.
 *
 * Source: Sokolova & Lapalme 2009, Information Processing & Management 45:427; intervals as in {@link ClinicalMetrics}.
 *
 * @param yTrue labels, length n
 * @param yPred predicted labels, length n
 * @throws InvalidDataError for lengths that differ, NaN, labels outside `classes` and a single class without `classes`;
 * InvalidOptionError for options out of range
 * @example
 * const report = classReport(['a', 'b', 'c', 'a', 'b', 'c'], ['a', 'b', 'c', 'b', 'b', 'a']);
 * console.log(report.summary());
 */
export function classReport(
  yTrue: ArrayLike<Label>,
  yPred: ArrayLike<Label>,
  options?: ClassReportOptions,
): ClassReport {
  const { proportionMethod, classes: rowOptions, ...read } = classReportOptions.resolve(options);
  const all = scoreTable({
    yTrue,
    yPred,
    task: 'multiclass',
    ...(rowOptions ? { classes: Array.from(rowOptions) } : {}),
    sampleWeight: read.sampleWeight ?? null,
  });
  const sample = sampleOf(all, read.groups, read.level);
  const { table } = sample;
  const { classes } = table;
  const names = Object.keys(measures) as MeasureName[];
  const interval = (value: Value): Interval => ({ ...sampleFacts(sample), ...value });
  const values = (make: (name: MeasureName) => Value) =>
    Object.fromEntries(names.map((name) => [name, interval(make(name))])) as ClassValues;

  const matrix = confusionMatrix(table);
  const perClass = classes.map((label, code): ClassRow => {
    const one = { ...sample, table: againstRest(table, code) };
    const found = values((name) => {
      const { metric, lacking } = measures[name];
      const value = name === 'f1' ? byInfluence(one, metric) : proportion(one, metric, proportionMethod);
      return value.estimate === null ? { ...value, reason: lacking(classText(classes, code)) } : value;
    });
    const predicted = sum(matrix.map((row) => row[code]));
    return { label, support: sum(matrix[code]), predicted, ...found };
  });
  const right = proportion(sample, accuracy, proportionMethod);
  // A wrong row is a false positive of one class, and a true negative of all but two.
  const ruledOut = mapValue(right, (share) => 1 - (1 - share) / (classes.length - 1));
  const parts = {
    classes,
    matrix,
    perClass,
    accuracy: interval(right),
    macro: values((name) => byInfluence(sample, macro(measures[name]))),
    micro: values((name) => (name === 'specificity' || name === 'npv' ? ruledOut : right)),
  };
  return { ...parts, summary: () => reportText(parts) };
}

function confusionMatrix({ classes, yTrue, yPred, weight, length }: ReturnType<typeof scoreTable>): number[][] {
  const matrix = classes.map(() => classes.map(() => 0));
  for (let row = 0; row < length; row++) matrix[yTrue[row]][yPred[row]] += weight ? weight[row] : 1;
  return matrix;
}

function reportText({ classes, matrix, perClass, macro, micro, accuracy }: Omit<ClassReport, 'summary'>): string {
  const names = Object.keys(measures) as MeasureName[];
  const { level, independentUnit, nUnits } = accuracy;
  const missing = new Map<string, string>();
  const cell = ({ estimate, lower, upper, reason }: Interval) => {
    if (reason !== undefined && !missing.has(reason)) missing.set(reason, noteMark(missing.size));
    const limits = lower === null || upper === null ? '' : ` [${formatNumber(lower)}, ${formatNumber(upper)}]`;
    return `${formatNumber(estimate)}${limits}${reason === undefined ? '' : ` ${missing.get(reason)}`}`;
  };
  const line = (name: string, values: ClassValues) => [name, ...names.map((each) => cell(values[each]))];
  const labels = printable(classes).map((label) => nameText(String(label), 30));
  const count = (value: number) => String(Number(value.toFixed(2)));
  const counts = [
    ['truth \\ predicted', ...labels, 'total'],
    ...perClass.map(({ support }, code) => [labels[code], ...[...matrix[code], support].map(count)]),
    ['total', ...perClass.map(({ predicted }) => count(predicted))],
  ];
  return [
    textTable(counts, { numbers: true }),
    '',
    textTable([
      ['class', ...names.map((name) => measures[name].heading)],
      ...perClass.map((each, code) => line(labels[code], each)),
      line('macro', macro),
      line('micro', micro),
      ['accuracy', cell(accuracy)],
    ]),
    ...(missing.size > 0 ? [''] : []),
    ...Array.from(missing, ([reason, mark]) => wrapText(reason, `  ${mark}  `)),
    '',
    wrapText(
      `${Number((100 * level).toFixed(2))} % intervals, one by one; independent: ${nUnits} ${independentUnit}s. Predictions are taken as given.`,
    ),
  ].join('\n');
}

type Influential = Metric & Required<Pick<Metric, 'influence' | 'stratum'>>;

type MeasureName = 'sensitivity' | 'specificity' | 'ppv' | 'npv' | 'f1';

interface Measure {
  /** Of a table in which the class is the positive one. */
  readonly metric: Metric;
  readonly heading: string;
  /** What its mean over classes depends on: rows of each class, or rows predicted to be of it. */
  readonly by: 'yTrue' | 'yPred';
  /** Why a class has no value. */
  readonly lacking: (name: string) => string;
}

const measure = (metric: Metric, heading: string, by: Measure['by'], lacking: Measure['lacking']): Measure => ({
  metric,
  heading,
  by,
  lacking,
});

const measures: Readonly<Record<MeasureName, Measure>> = {
  sensitivity: measure(sensitivity, 'sensitivity', 'yTrue', (name) => `no row is of class ${name}`),
  specificity: measure(specificity, 'specificity', 'yTrue', (name) => `every row is of class ${name}`),
  ppv: measure(ppv, 'PPV', 'yPred', (name) => `no row is predicted to be ${name}`),
  npv: measure(npv, 'NPV', 'yPred', (name) => `every row is predicted to be ${name}`),
  f1: measure(f1, 'F1', 'yTrue', (name) => `no row is of class ${name} or predicted so`),
};

const againstRest = (table: ScoreTable, code: number): ScoreTable => ({
  ...table,
  task: 'binary',
  positive: code,
});

/**
 * Mean over the classes of a measure of each against the rest, all counting alike. Undefined where that of one class
 * is: a mean over the other classes would be another quantity. Its influence is the mean of theirs. All but the mean
 * sensitivity (the balanced accuracy) change with the shares of the classes.
 * Source: Sokolova & Lapalme 2009, Information Processing & Management 45:427; Binder 1983 (influence).
 */
function macro({ metric, lacking, by }: Measure): Metric {
  const { influence } = metric as Influential;
  const eachClass = ({ classes }: ScoreTable) => classes.map((_, code) => code);
  const valueIn = (table: ScoreTable, code: number) => metric.compute(againstRest(table, code));
  return {
    ...metric,
    name: `mean ${metric.name}`,
    tasks: ['multiclass'],
    proportion: false,
    dependsOnPrevalence: metric !== sensitivity,
    stratum: (table, row) => table[by][row],
    compute(table) {
      const values = eachClass(table).map((code) => valueIn(table, code));
      const absent = values.findIndex((value) => typeof value !== 'number');
      if (absent >= 0) return undefinedBecause(lacking(classText(table.classes, absent)));
      return mean(values as number[]);
    },
    influence(table) {
      const out = new Float64Array(table.length);
      for (const code of eachClass(table)) {
        const ofClass = influence(againstRest(table, code), valueIn(table, code) as number);
        for (let row = 0; row < out.length; row++) out[row] += ofClass[row] / table.classes.length;
      }
      return out;
    },
  };
}
