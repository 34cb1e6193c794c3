import { InvalidDataError, phrase, sentence, show } from '../core/errors.js';
import { type InputOf, integer, optionTable } from '../core/options.js';
import { VERSION } from '../core/version.js';
import type { Labels } from '../data/labels.js';
import { categoriesIn } from './categories.js';
import { type ColumnEntry, ColumnTransformer } from './columnTransformer.js';
import { OneHotEncoder } from './oneHotEncoder.js';
import { Pipeline } from './pipeline.js';
import { emptyColumn, SimpleImputer } from './simpleImputer.js';
import { StandardScaler } from './standardScaler.js';
import type { Table } from './table.js';
import type { TransformerJSON } from './transformer.js';

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

/** What {@link tabular} gives. */
export class Tabular extends ColumnTransformer {
  override readonly name = 'tabular';
  readonly #tabular: ReturnType<typeof tabularOptions.resolve>;

  /** `entries`: fitted ones, which were read from JSON. */
  constructor(input: TabularOptions = {}, entries = ownEntries()) {
    super(entries);
    this.#tabular = tabularOptions.resolve(input);
  }

  override clone(): this {
    return new Tabular(this.#tabular) as this;
  }

  override toJSON(): TransformerJSON {
    const { fitted, options: inner } = super.toJSON();
    return { transformer: this.name, cvkit: VERSION, options: this.#tabular, fitted: fitted && { fitted, inner } };
  }

  override describe(): string {
    const { changed } = tabularOptions.parse(this.#tabular);
    return changed.size > 0 ? `tabular({ maxLevels: ${this.#tabular.maxLevels} })` : 'tabular()';
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
