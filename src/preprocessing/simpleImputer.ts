import { InvalidOptionError, invalidData, kindOf, phrase, sentence, show } from '../core/errors.js';
import { median } from '../core/median.js';
import { mean } from '../core/numbers.js';
import { anything, boolean, type InputOf, oneOf, optionTable } from '../core/options.js';
import { cell, fields, list, whole } from '../core/shape.js';
import { countValues } from '../core/tally.js';
import type { Column } from '../data/rows.js';
import { isMissing } from '../data/tableColumns.js';
import { defineTransformer } from './defineTransformer.js';
import type { Table } from './table.js';

const options = optionTable('SimpleImputer', {
  strategy: oneOf('mean', 'median', 'mostFrequent', 'constant')
    .default('mean')
    .describe(
      'What fills the missing cells of a column: its mean, its median, its most frequent value, or `fillValue`.',
    ),
  fillValue: anything<number | string>('number | string', 'be a number or a text')
    .optional()
    .describe("Value of the strategy 'constant'; by default 0, and 'missing_value' in columns of text."),
  addIndicator: boolean()
    .default(false)
    .describe('Add a column of 0 and 1 for each column that has missing cells when it is fitted.'),
  keepEmptyFeatures: boolean()
    .default(false)
    .describe('Fill a column without any value by 0 (`fillValue`) instead of refusing it.'),
});

export type SimpleImputerOptions = InputOf<typeof options>;

type Fill = number | string | boolean | bigint;
interface State {
  readonly statistics: readonly Fill[];
  readonly indicated: readonly number[];
}

/**
 * Fills missing cells (NaN, null, undefined, '') column by column. Of equally frequent values the smallest is taken. As
 * scikit-learn's `SimpleImputer`, but for columns without any value, which are refused instead of dropped.
 */
export class SimpleImputer extends defineTransformer({
  options,
  check({ strategy, fillValue }) {
    if (fillValue === undefined || strategy === 'constant') return;
    const subject = `The \`fillValue\` option of ${options.owner}`;
    const must = "be for the strategy 'constant'";
    throw new InvalidOptionError(sentence(subject, must, phrase(`'${strategy}'`)), { code: 'idle_option' });
  },
  fit(table, { strategy, fillValue, keepEmptyFeatures }): State {
    const { names, columns } = table;
    const statistics = columns.map((column, at) => {
      if (strategy === 'constant') return fillValue ?? (column instanceof Float64Array ? 0 : 'missing_value');
      const present = presentOf(column);
      if (present.length > 0) return finite(STATISTICS[strategy](present, names[at]), names[at], strategy);
      if (keepEmptyFeatures) return 0;
      throw emptyColumn(names[at], options.owner, 'Leave the column out, or pass keepEmptyFeatures: true.');
    });
    return { statistics, indicated: names.flatMap((_, at) => (missingIn(columns[at]) ? [at] : [])) };
  },
  state: (width) => fields({ statistics: list(cell, width), indicated: list(whole(width)) }),
  transform(table, { statistics, indicated }, { addIndicator }) {
    table.columns.forEach((column, at) => {
      if (table.note && Array.prototype.every.call(column, isMissing))
        table.note(table.names[at], 'missing', table.length);
    });
    const filled = table.columns.map((column, at) => filledWith(column, statistics[at]));
    if (!addIndicator) return { ...table, columns: filled };
    const marks = indicated.map((at) => marksOf(table, at));
    return {
      length: table.length,
      names: [...table.names, ...indicated.map((at) => `missingindicator_${table.names[at]}`)],
      columns: [...filled, ...marks],
    };
  },
})<SimpleImputerOptions> {
  /** What fills each column. */
  get statistics(): readonly Fill[] {
    return this.fitted.statistics;
  }

  override imputers(): readonly string[] {
    return [this.describe()];
  }
}

export const emptyColumn = (name: string, owner: string, way: string) =>
  invalidData('empty_column', `The column ${show(name)} for ${owner}`, 'have a value', 'missing cells alone', way);

function presentOf(column: Column): ArrayLike<unknown> {
  if (!(column instanceof Float64Array)) return column.filter((cell) => !isMissing(cell));
  const present = new Float64Array(column.length);
  let count = 0;
  for (let row = 0; row < column.length; row++) if (!Number.isNaN(column[row])) present[count++] = column[row];
  return present.subarray(0, count);
}

const missingIn = (column: Column) =>
  column instanceof Float64Array ? column.some(Number.isNaN) : column.some(isMissing);

const STATISTICS = {
  mean: (present: ArrayLike<unknown>, name: string) => mean(requireNumbers(present, name, 'mean')),
  median: (present: ArrayLike<unknown>, name: string) => median(requireNumbers(present, name, 'median')),
  mostFrequent: (present: ArrayLike<unknown>) => mostFrequent(present as ArrayLike<Fill>),
};

function requireNumbers(present: ArrayLike<unknown>, name: string, strategy: string): Float64Array {
  if (present instanceof Float64Array) return present;
  const invalid = Array.from(present).find((cell) => typeof cell !== 'number');
  const subject = `The column ${show(name)} for ${options.owner} by ${strategy}`;
  throw invalidData('not_numeric', subject, 'hold numbers', kindOf(invalid), "Use strategy: 'mostFrequent' for text.");
}

/** The sum of large numbers may be none. */
function finite(fill: Fill, name: string, strategy: string): Fill {
  if (typeof fill !== 'number' || Number.isFinite(fill)) return fill;
  const subject = `The column ${show(name)} for ${options.owner} by ${strategy}`;
  throw invalidData('huge_cells', subject, 'hold numbers that can be added up', 'larger ones', 'Change the unit.');
}

function mostFrequent(present: ArrayLike<Fill>): Fill {
  const { values, counts } = countValues(present);
  let best = 0;
  for (let at = 1; at < values.length; at++) {
    if (counts[at] > counts[best] || (counts[at] === counts[best] && values[at] < values[best])) best = at;
  }
  return values[best];
}

function filledWith(column: Column, fill: Fill): Column {
  if (!(column instanceof Float64Array)) return column.map((cell) => (isMissing(cell) ? fill : cell));
  if (typeof fill === 'number') {
    const filled = column.slice();
    for (let row = 0; row < filled.length; row++) if (Number.isNaN(filled[row])) filled[row] = fill;
    return filled;
  }
  return Array.from(column, (value) => (Number.isNaN(value) ? fill : value));
}

const marksOf = ({ columns, length }: Table, at: number) =>
  Float64Array.from({ length }, (_, row) => (isMissing(columns[at][row]) ? 1 : 0));
