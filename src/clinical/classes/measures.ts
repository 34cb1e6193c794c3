/** The measures of one class against the rest, and their means over the classes. */
import { classText } from '../../data/labels.js';
import { f1, npv, ppv, sensitivity, specificity } from '../../metrics/definitions/binary.js';
import { type Metric, undefinedBecause } from '../../metrics/metric.js';

import type { ScoreTable } from '../../metrics/scoreTable.js';

type Influential = Metric & Required<Pick<Metric, 'influence' | 'stratum'>>;

interface Measure {
  /** Of a table in which the class is the positive one. */
  readonly metric: Metric;
  /** Why a class has no value. */
  readonly lacking: (name: string) => string;
  /** What its mean over classes depends on: rows of each class, or rows that are predicted to be of it. */
  readonly by: 'yTrue' | 'yPred';
}

export const measures = {
  sensitivity: { metric: sensitivity, by: 'yTrue', lacking: (name) => `no row is of class ${name}` },
  specificity: { metric: specificity, by: 'yTrue', lacking: (name) => `every row is of class ${name}` },
  ppv: { metric: ppv, by: 'yPred', lacking: (name) => `no row is predicted to be ${name}` },
  npv: { metric: npv, by: 'yPred', lacking: (name) => `every row is predicted to be ${name}` },
  f1: { metric: f1, by: 'yTrue', lacking: (name) => `no row is of class ${name} or predicted so` },
} satisfies Record<string, Measure>;

export type MeasureName = keyof typeof measures;

/** The table with one class as the positive one. */
export const againstRest = (table: ScoreTable, code: number): ScoreTable => ({
  ...table,
  task: 'binary',
  positive: code,
});

/**
 * Mean over the classes of a measure of each against the rest, all counting alike. Undefined where that of one class
 * is: a mean over the other classes would be another quantity. Its influence is the mean of theirs. All but the mean
 * sensitivity (the balanced accuracy) change with the shares of the classes.
 *
 * Source: Sokolova & Lapalme 2009, Information Processing & Management 45:427; Binder 1983 (influence).
 */
export function macro({ metric, lacking, by }: Measure): Metric {
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
      let sum = 0;
      for (const code of eachClass(table)) {
        const value = valueIn(table, code);
        if (typeof value !== 'number') return undefinedBecause(lacking(classText(table.classes, code)));
        sum += value;
      }
      return sum / table.classes.length;
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
