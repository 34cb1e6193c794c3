import { InvalidDataError, phrase, sentence, show } from '../core/errors.js';
import { type InputOf, integer, optionTable } from '../core/options.js';
import { VERSION } from '../core/version.js';
import type { Labels } from '../data/labels.js';
import { categoriesIn } from './categories.js';
import { type ColumnEntry, ColumnTransformer } from './columnTransformer.js';
import { OneHotEncoder } from './oneHotEncoder.js';
import { type Changing, inStep, optionsWith, type Params } from './params.js';
import { Pipeline } from './pipeline.js';
import { emptyColumn, SimpleImputer } from './simpleImputer.js';
import { StandardScaler } from './standardScaler.js';
import { describedAs } from './step.js';
import type { Table } from './table.js';
import type { TransformerJSON } from './transformer.js';
import { CLONING } from './withParams.js';

export const tabularOptions = optionTable('tabular', {
  maxLevels: integer({ min: 2 })
    .default(50)
    .describe(
      'Different texts that a column may hold: one with more is refused by its name, since it may be an id or free text.',
    ),
});

export type TabularOptions = InputOf<typeof tabularOptions>;

/**
 * The sensible preparation of a table: missing numbers are filled by the median, with a column that marks them, and scaled to a
 * mean of 0 and a standard deviation of 1; texts are one-hot encoded, missing ones as a category of their own, later unknown
 * ones as none. For other wishes write a `ColumnTransformer`.
 *
 * @example
 * const results = await runner.run({ model, data: [records, y], preprocessing: tabular() });
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

/** What {@link tabular} gives. */
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

  override withParams(params: Params, changing: Changing = CLONING): this {
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
    const { changed } = tabularOptions.parse(this.#tabular);
    const called = changed.size > 0 ? `tabular({ maxLevels: ${this.#tabular.maxLevels} })` : 'tabular()';
    return this.#isChanged ? `${called} of ${stepsOf(this.transformers).join('; ')}` : called;
  }

  get #isChanged(): boolean {
    return stepsOf(this.transformers).join() !== stepsOf(ownEntries()).join();
  }

  override async fitTransformTable(
    table: Table,
    y: Labels | undefined,
    weight: Float64Array | undefined,
  ): Promise<Table> {
    table.columns.forEach((column, at) => {
      if (column instanceof Float64Array) {
        if (column.every(Number.isNaN)) throw emptyColumn(table.names[at], 'tabular()', 'Leave the column out.');
        return;
      }
      const { length } = categoriesIn(column, table.names[at], this.name).values;
      if (length <= this.#tabular.maxLevels) return;
      throw new InvalidDataError(
        sentence(
          `The column ${show(table.names[at])} for tabular()`,
          `have at most ${this.#tabular.maxLevels} different texts`,
          phrase(String(length)),
          'Leave it out if it is an id or free text, or pass `maxLevels`.',
        ),
        { code: 'many_levels' },
      );
    });
    return super.fitTransformTable(table, y, weight);
  }
}
