import { invalidData, kindOf, show } from '../core/errors.js';
import { type InputOf, integer, listOf, optionTable } from '../core/options.js';
import { numberOf } from '../core/readNumbers.js';
import { inspectWithOptions } from '../core/summaryText.js';
import { VERSION } from '../core/version.js';
import type { Labels } from '../data/labels.js';
import { isMissingMark } from '../data/missingMarks.js';
import type { Column } from '../data/rows.js';
import { areCodes, isMissing } from '../data/tableColumns.js';
import { areNumbers, isCode, isNumeric, writtenNumbers } from '../data/writtenNumbers.js';
import { categoriesIn } from './categories.js';
import { chosenPlaces } from './columnChoice.js';
import { type ColumnEntry, ColumnTransformer } from './columnTransformer.js';
import { OneHotEncoder } from './oneHotEncoder.js';
import { Pipeline } from './pipeline.js';
import { emptyColumn, SimpleImputer } from './simpleImputer.js';
import { StandardScaler } from './standardScaler.js';
import { describedAs } from './step.js';
import type { Table } from './table.js';
import { type Changing, inStep, optionsWith, type StepParams, type TransformerJSON } from './transformer.js';
import { CLONING } from './withParams.js';

export const tabularOptions = optionTable('tabular', {
  maxLevels: integer({ min: 2 })
    .default(50)
    .describe(
      'Different texts that a column may hold: one with more is refused by its name, since it may be an id or free text.',
    ),
  codes: listOf<string>('string', 'be a list of names of columns', (each) => typeof each === 'string')
    .optional()
    .describe(
      'Columns whose numbers are codes, so categories; `[]`: none. Left out, whole numbers of few kinds that are written as text are an error that asks.',
    ),
});

export type TabularOptions = InputOf<typeof tabularOptions>;

/**
 * The sensible preparation of a table: missing numbers are filled by the median, with a column that marks them, and scaled to a
 * mean of 0 and a standard deviation of 1; texts are one-hot encoded, missing ones as a category of their own, later unknown
 * ones as none. Numbers that are written as text, as parsers without casts give them, are numbers; where they may be codes
 * (`'1'`, `'2'`, `'3'` for stages) `codes` decides. For other wishes write a `ColumnTransformer`.
 *
 * @throws {InvalidDataError} `numbers_as_text`: a column that may be of numbers or of codes; `many_levels`.
 *
 * @example
 * const records = X.map(([radius, texture]) => ({ radius, texture, size: radius > 14 ? 'large' : 'small' }));
 * const results = await runner.run({ model, data: [records, y], preprocessing: tabular() });
 * console.log(results.meanScores.roc_auc);
 */
export const tabular = (input?: TabularOptions): Tabular => new Tabular(input);

const ownEntries = (): readonly ColumnEntry[] => [
  [
    'numeric',
    new Pipeline([new SimpleImputer({ strategy: 'median', addIndicator: true }), new StandardScaler()]),
    'numeric',
  ],
  ['categorical', new OneHotEncoder({ handleUnknown: 'ignore' }), 'categorical'],
];

const stepsOf = (entries: readonly ColumnEntry[]): readonly string[] =>
  entries.map(([name, step]) => `${name}: ${typeof step === 'string' ? step : describedAs(step)}`);

/**
 * What {@link tabular} gives.
 *
 * @example
 * const preparation = tabular();
 * await preparation.fitTransform([{ age: 61, sex: 'f' }, { age: null, sex: 'm' }, { age: 70, sex: 'f' }]);
 * console.log(preparation.describe());
 */
export class Tabular extends ColumnTransformer {
  override readonly name = 'tabular';
  readonly #tabular: ReturnType<typeof tabularOptions.resolve>;

  /** `entries`: those that were read from JSON, or that have other parameters. */
  constructor(input: TabularOptions = {}, entries = ownEntries()) {
    super(entries);
    this.#tabular = tabularOptions.resolve(input);
  }

  override clone(): this {
    return this.withParams({});
  }

  override withParams(params: StepParams, changing: Changing = CLONING): this {
    const { own, entries } = this.entriesWith(params, changing);
    // Fitted ones know their columns by place; these are chosen anew.
    const columns = ownEntries().map(([, , each]) => each);
    const chosen = entries.map(([name, step], at) => [name, step, columns[at]] as const);
    return inStep(changing.path, () => new Tabular(optionsWith(tabularOptions, this.#tabular, own), chosen)) as this;
  }

  override toJSON(): TransformerJSON {
    const { fitted, options: inner } = super.toJSON();
    const { transformers } = inner as { readonly transformers: unknown };
    const options = { ...this.#tabular, ...(fitted || !this.#isChanged ? {} : { transformers }) };
    return { transformer: this.name, cvkit: VERSION, options, fitted: fitted && { fitted, inner } };
  }

  override describe(): string {
    const called = inspectWithOptions(this.name, tabularOptions.parse(this.#tabular));
    return this.#isChanged ? `${called} of ${stepsOf(this.transformers).join('; ')}` : called;
  }

  get #isChanged(): boolean {
    return stepsOf(this.transformers).join() !== stepsOf(ownEntries()).join();
  }

  override async fitTransformTable(table: Table, y?: Labels, weight?: Float64Array): Promise<Table> {
    const read = withNumbers(table, this.#tabular.codes);
    read.columns.forEach((column, at) => {
      if (column instanceof Float64Array) {
        if (column.every(Number.isNaN)) throw emptyColumn(table.names[at], 'tabular()', 'Leave the column out.');
        return;
      }
      const { length } = categoriesIn(column, table.names[at], this.name).values;
      if (length <= this.#tabular.maxLevels) return;
      const must = `have at most ${this.#tabular.maxLevels} different texts`;
      const way = 'Leave it out if it is an id or free text, or pass `maxLevels`.';
      throw invalidData('many_levels', `The column ${show(table.names[at])} for tabular()`, must, String(length), way);
    });
    return super.fitTransformTable(read, y, weight);
  }

  override async transformTable(table: Table): Promise<Table> {
    const places = new Set(this.placesOf(0));
    const columns = table.columns.map((column, at) =>
      places.has(at) && !(column instanceof Float64Array) ? numbersOfTexts(column, table.names[at]) : column,
    );
    return super.transformTable({ ...table, columns });
  }
}

/** So many different whole numbers, each in two rows or more, may be codes; of two kinds one column says as much as two. */
const [TWO, FEW] = [2, 20];

/** The table with numbers in the place of columns of numbers that are written as text, by the rule of the checks. */
function withNumbers(table: Table, codes: readonly string[] | undefined): Table {
  const unclear: string[] = [];
  const coded = codes && chosenPlaces(table, codes, 'codes');
  const columns = table.columns.map((column, at) => {
    const name = table.names[at];
    if (coded?.includes(at) || areCodes(column)) return Array.from(column as ArrayLike<unknown>);
    if (column instanceof Float64Array) return column;
    const cells = Array.from(column as ArrayLike<unknown>).filter((cell) => !isMissing(cell));
    const texts = cells.filter((cell): cell is string => typeof cell === 'string');
    const numbers = cells.filter((cell) => typeof cell !== 'string').map(numberOf);
    const kinds = new Set(texts.filter((text) => !isMissingMark(text)));
    if (texts.length === 0 || numbers.some(Number.isNaN)) return column;
    const written = writtenNumbers(new Set(texts));
    const amounts = [...kinds].flatMap((text) => written.values.get(text) ?? []);
    const few = kinds.size > TWO && kinds.size <= FEW && 2 * kinds.size <= texts.length;
    // Numbers with a word among them.
    const mostly = amounts.length > TWO && 2 * amounts.length > kinds.size;
    if (!areNumbers(written, numbers, texts) && !mostly) return column;
    const mayBeCodes = few ? [...amounts, ...numbers].every((value) => !(value % 1)) : [...kinds].some(isCode);
    if (!mayBeCodes || codes) return numbersOfTexts(column, name);
    unclear.push(show(name));
    return column;
  });
  if (unclear.length === 0) return { ...table, columns };
  const must = 'be numbers, or texts that are none';
  const got = 'whole numbers as text, which may be amounts or codes';
  const way = 'Name the codes among them: `tabular({ codes: [...] })`; `codes: []` when all are amounts.';
  throw invalidData('numbers_as_text', `The columns ${unclear.join(', ')} for tabular()`, must, got, way);
}

function numbersOfTexts(column: Column, name: string): Float64Array {
  return Float64Array.from(column as ArrayLike<unknown>, (cell, row) => {
    if (isMissing(cell) || (typeof cell === 'string' && isMissingMark(cell))) return Number.NaN;
    const value = typeof cell === 'string' && isNumeric(cell) ? Number(cell) : numberOf(cell);
    if (!Number.isNaN(value)) return value;
    const subject = `Row ${row} of the column ${show(name)} for tabular()`;
    const way =
      'Write it as a number, or leave it empty where it means missing, or name the column in `codes` to take each text as a category.';
    throw invalidData('numbers_as_text', subject, 'be a number, as others are', kindOf(cell), way);
  });
}
