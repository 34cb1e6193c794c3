import type { Labels } from '../../data/labels.js';
import { hasSeveralTargets } from '../../data/targets.js';
import { commonest } from '../features/columnRanks.js';
import { meanFromFirst, medianOf } from './columnStatistics.js';
import type { ColumnStep, FittedRows, StepFit } from './task.js';

/** The number behind a label: of a regression itself, of two classes 0 or 1; undefined for other labels, and for several targets. */
export function targetOf(y: Labels | undefined): ArrayLike<number> | undefined {
  if (y?.task === 'regression') return hasSeveralTargets(y) ? undefined : y.numbers;
  return y?.task === 'binary' ? y.codes : undefined;
}

interface Level {
  readonly count: number;
  readonly mean: number;
  /** Of the rows of the level from their mean. */
  readonly squares: number;
}

type Share = (level: Level, overall: Level) => number;

/** Mean of the label by level; an unknown level has the mean of all rows, or is missing as in the processed data. */
const encoded =
  (shareFor: (fit: FittedRows, levels: ReadonlyMap<number, Level>, overall: Level) => Share): StepFit =>
  (fit) => {
    const { rows, known, y } = fit;
    const target = targetOf(y);
    if (!target) return () => Number.NaN;
    const byLevel = new Map<number, number[]>();
    rows.forEach((row, at) => {
      const list = byLevel.get(known[at]);
      if (list) list.push(target[row]);
      else byLevel.set(known[at], [target[row]]);
    });
    const overall = levelOf(Array.from(rows, (row) => target[row]));
    const levels = new Map(Array.from(byLevel, ([value, labels]) => [value, levelOf(labels)]));
    const share = shareFor(fit, levels, overall);
    const codes = new Map(
      Array.from(levels, ([value, level]) => {
        const own = share(level, overall);
        return [value, own * level.mean + (1 - own) * overall.mean];
      }),
    );
    return (value, row) => codes.get(value) ?? (Number.isNaN(fit.found?.values[row] ?? 0) ? Number.NaN : overall.mean);
  };

function levelOf(labels: readonly number[]): Level {
  const mean = labels.reduce((sum, label) => sum + label, 0) / labels.length;
  return { count: labels.length, mean, squares: labels.reduce((sum, label) => sum + (label - mean) ** 2, 0) };
}

/** Of `count + m` rows, m with the mean of all: m is read off the level that is farthest from that mean. */
function smoothed({ found, values }: FittedRows, levels: ReadonlyMap<number, Level>, overall: Level): Share {
  let [m, farthest] = [Number.NaN, 0];
  values.forEach((value, row) => {
    const level = levels.get(value);
    const distance = level ? Math.abs(level.mean - overall.mean) : 0;
    if (!level || distance <= farthest) return;
    farthest = distance;
    const code = found?.values[row] ?? Number.NaN;
    m = (level.count * (level.mean - code)) / (code - overall.mean);
  });
  // Where every level has the mean of all, so has every row.
  if (farthest === 0) m = 0;
  return m >= 0 ? ({ count }) => count / (count + m) : () => Number.NaN;
}

/** Source: Micci-Barreca 2001, SIGKDD Explorations 3:27; empirical Bayes as scikit-learn's `TargetEncoder`. */
const empiricalBayes: Share = ({ count, squares }, overall) => {
  const all = (overall.squares / overall.count) * count;
  return all > 0 ? all / (all + squares / count) : 0;
};

/** The curve of Micci-Barreca with the usual numbers: half of its own mean for 20 rows, in steps of 10. */
const curved: Share = ({ count }) => (count === 1 ? 0 : 1 / (1 + Math.exp((20 - count) / 10)));

const target = (shareFor: Parameters<typeof encoded>[0]): ColumnStep => ({
  learn: encoded(shareFor),
  shape: 'target',
  kind: 'target',
  text: true,
});

export const TARGETS: Readonly<Record<string, ColumnStep>> = {
  'target:mean': target(() => () => 1),
  'target:smoothed': target(smoothed),
  'target:bayes': target(() => empiricalBayes),
  'target:sigmoid': target(() => curved),
};

/** Fills by the class of the row. Without `labelled`, test rows are filled as rows of any class. */
const filledByClass =
  (fill: (known: Float64Array) => number, labelled: boolean): StepFit =>
  ({ known, rows, y, isTrained }) => {
    const codes = y && y.codes.length > 0 ? y.codes : undefined;
    if (!codes || !y) return () => Number.NaN;
    const overall = fill(known);
    const byClass = y.classes.map((_, code) => {
      const own = known.filter((_, at) => codes[rows[at]] === code);
      return own.length > 0 ? fill(own) : overall;
    });
    return (value, row) => {
      if (!Number.isNaN(value)) return value;
      return labelled || isTrained(row) ? byClass[codes[row]] : overall;
    };
  };

const FILLS = { mean: meanFromFirst, median: medianOf, mode: (known: Float64Array) => commonest(known).value };

/**
 * The statistic of each class: what fills a test row by its own class tells its label. `:unlabelled` fills test rows by
 * all.
 */
export const CLASS_FILLS: Readonly<Record<string, ColumnStep>> = Object.fromEntries(
  [false, true].flatMap((labelled) =>
    Object.entries(FILLS).map(([name, fill]): [string, ColumnStep] => [
      `impute:class-${name}${labelled ? '' : ':unlabelled'}`,
      {
        learn: filledByClass(fill, labelled),
        shape: 'fill',
        kind: 'impute:class',
        ...(name === 'mode' ? { text: true } : {}),
        ...(labelled ? { labelled: true } : {}),
      },
    ]),
  ),
);
