import { InvalidDataError, InvalidOptionError, phrase, sentence, show } from '../core/errors.js';
import { mean, sum } from '../core/numbers.js';
import { custom, type InputOf, oneOf, optionTable } from '../core/options.js';
import { chiSquaredUpperTail, fUpperTail } from '../core/pValues.js';
import { doubles, fields, list, whole } from '../core/shape.js';
import type { Labels } from '../data/labels.js';
import { hasSeveralTargets } from '../data/targets.js';
import { defineTransformer } from './defineTransformer.js';
import { completeColumns, refuseCells, takeColumns } from './table.js';

const options = optionTable('SelectKBest', {
  k: custom<number | 'all'>(
    'integer | all',
    "be an integer >= 1 or 'all'",
    (v) => v === 'all' || (Number.isInteger(v) && (v as number) >= 1),
  )
    .default(10)
    .describe('Number of columns to keep.'),
  scoreFunc: oneOf('fClassif', 'fRegression', 'chi2')
    .nullable()
    .default(null)
    .describe('How a column is scored; null: the F test of the classes, or of the regression on y where y is numbers.'),
});

export type SelectKBestOptions = InputOf<typeof options>;

interface State {
  /** NaN for a constant column. */
  readonly scores: Float64Array;
  readonly pvalues: Float64Array;
  readonly kept: readonly number[];
}

/**
 * Keeps the k columns that go best with `y`, one by one. Of equal scores the later column is kept, and a column without a
 * score comes last, as in scikit-learn's `SelectKBest`. Selected on all rows, noise looks like signal: select inside folds.
 */
export class SelectKBest extends defineTransformer({
  options,
  supervised: true,
  fit(table, { k, scoreFunc }, y): State {
    const columns = completeColumns(table, options.owner);
    refuseCells('huge', table, options.owner);
    if (k !== 'all' && k > columns.length) {
      const subject = `The \`k\` option of ${options.owner}`;
      throw new InvalidOptionError(sentence(subject, `be at most ${columns.length}, the number of columns`, k));
    }
    const { scores, tail } = SCORES[usedScore(scoreFunc, y)](columns, y, table.names);
    const places = [...scores.keys()];
    const rank = (at: number) => (Number.isNaN(scores[at]) ? -Number.MAX_VALUE : scores[at]);
    const best = k === 'all' ? places : places.sort((a, b) => rank(a) - rank(b) || a - b).slice(-k);
    return {
      scores: Float64Array.from(scores),
      pvalues: Float64Array.from(scores, tail),
      kept: best.sort((a, b) => a - b),
    };
  },
  state: (width) =>
    fields({
      scores: doubles(width),
      pvalues: doubles(width, ' from 0 to 1', (each) => each >= 0 && each <= 1),
      kept: list(whole(width)),
    }),
  transform: (table, { kept }) => takeColumns(table, kept),
})<SelectKBestOptions> {
  /** Score of each column; NaN where there is none. */
  get scores(): Float64Array {
    return this.fitted.scores;
  }

  /**
   * p-value of each score: how often a column that has nothing to do with y would score as high. NaN where there is no score.
   * They are of one column each: of 1,000 columns of noise 50 are below 0.05.
   */
  get pvalues(): Float64Array {
    return this.fitted.pvalues;
  }

  /** For each column of `fit` whether it is kept. */
  getSupport(): readonly boolean[] {
    return Array.from(this.fitted.scores, (_, at) => this.fitted.kept.includes(at));
  }
}

function usedScore(requested: keyof typeof SCORES | null, y: Labels): keyof typeof SCORES {
  const { task } = y;
  const several = hasSeveralTargets(y);
  const isRegression = task === 'regression' && !several;
  const isClasses = task === 'binary' || task === 'multiclass';
  if (requested === null && (isRegression || isClasses)) return isRegression ? 'fRegression' : 'fClassif';
  if (requested === 'fRegression' && isRegression) return requested;
  if (requested !== null && requested !== 'fRegression' && isClasses) return requested;
  const must = requested === null ? 'be classes or numbers' : requested === 'fRegression' ? 'be numbers' : 'be classes';
  throw new InvalidDataError(
    sentence(
      `The labels for ${options.owner}`,
      must,
      phrase(`those of a ${task} task${several ? ' with several targets' : ''}`),
    ),
  );
}

type Columns = readonly Float64Array[];

interface Scored {
  readonly scores: readonly number[];
  tail(score: number): number;
}

/** Sum of the values, or number of the rows, of each class. Rows of a fold may lack a class. */
function byClass({ codes, classes }: Labels, column?: Float64Array): Float64Array {
  const sums = new Float64Array(classes.length);
  for (let row = 0; row < codes.length; row++) sums[codes[row]] += column ? column[row] : 1;
  return sums;
}

const SCORES = {
  /** F of a one-way analysis of variance. */
  fClassif(columns: Columns, y: Labels): Scored {
    const { codes } = y;
    const counts = byClass(y);
    const nClasses = counts.filter((count) => count > 0).length;
    const scores = columns.map((column) => {
      if (column.every((value) => value === column[0])) return Number.NaN;
      const sums = byClass(y, column);
      const centre = sum(sums) / column.length;
      const means = sums.map((each, code) => (counts[code] > 0 ? each / counts[code] : centre));
      const between = sum(means.map((each, code) => counts[code] * (each - centre) ** 2));
      const within = sum(column.map((value, row) => (value - means[codes[row]]) ** 2));
      return between / (nClasses - 1) / (within / (column.length - nClasses));
    });
    return { scores, tail: (f) => fUpperTail(f, nClasses - 1, codes.length - nClasses) };
  },
  /** F of the regression of y on the column; 0 for a constant one, the largest number for a perfect one. */
  fRegression(columns: Columns, { numbers }: Labels): Scored {
    const n = numbers.length;
    const centredAt = (values: Float64Array) => {
      const centre = mean(values);
      return values.map((value) => value - centre);
    };
    const target = centredAt(numbers);
    const length = Math.sqrt(sum(target.map((value) => value * value)));
    const scores = columns.map((column) => {
      const centred = centredAt(column);
      const spread = Math.sqrt(sum(centred.map((value) => value * value)));
      const r = sum(centred.map((value, row) => value * target[row])) / spread / length;
      if (Number.isNaN(r)) return 0;
      const f = ((r * r) / (1 - r * r)) * (n - 2);
      return f < Infinity && f >= 0 ? f : Number.MAX_VALUE;
    });
    return { scores, tail: (f) => fUpperTail(f, 1, n - 2) };
  },
  /** Chi-squared statistic of sums by class, for counts and marks. */
  chi2(columns: Columns, y: Labels, names: readonly string[]): Scored {
    const shares = byClass(y).map((count) => count / y.codes.length);
    const nClasses = shares.filter((share) => share > 0).length;
    const scores = columns.map((column, at) => {
      if (column.some((value) => value < 0)) {
        const subject = `The column ${show(names[at])} for chi2`;
        throw new InvalidDataError(sentence(subject, 'hold counts or marks >= 0', phrase('a value below 0')));
      }
      const observed = byClass(y, column);
      const expected = shares.map((share) => share * sum(observed));
      return sum(observed.map((each, code) => (shares[code] > 0 ? (each - expected[code]) ** 2 / expected[code] : 0)));
    });
    return { scores, tail: (statistic) => chiSquaredUpperTail(statistic, nClasses - 1) };
  },
};
