import { InvalidOptionError, phrase, sentence, threw } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { INSPECT } from '../core/inspect.js';
import { type InputOf, oneOf, optionTable, string } from '../core/options.js';
import { type Rows, type RowsInput, rowsOf } from '../data/rows.js';
import { readTable, type Table, tableRows } from './table.js';
import { Transformer, type TransformerJSON } from './transformer.js';

const options = optionTable('FunctionTransformer', {
  name: string().optional().describe('What reports call it; by default the name of the function.'),
  scope: oneOf('fold', 'global')
    .default('fold')
    .describe(
      "'global': the function uses statistics that were not learnt inside the folds (means of another data set, a plan over all rows). Reports list it.",
    ),
});

export type FunctionTransformerOptions = InputOf<typeof options>;

/** Prepares rows: it is given them as arrays (or records), and gives as many, in any form that `X` may have. */
// biome-ignore lint/suspicious/noExplicitAny: rows of the caller
export type RowsFunction = (X: any[]) => unknown;

/**
 * Prepares rows by a function, which learns nothing: a logarithm, a unit, the means of ImageNet. Rows may be images. What
 * learns from rows needs `fit`: write an object with `fit` and `transform`.
 *
 * @example
 * new FunctionTransformer((X) => X.map((row) => row.map(Math.log1p)));
 * new FunctionTransformer(byImageNet, { scope: 'global', name: 'means of ImageNet' });
 */
export class FunctionTransformer extends Transformer {
  static readonly options = options;
  readonly name = 'FunctionTransformer';
  readonly #func: RowsFunction;
  readonly #options: ReturnType<typeof options.resolve>;

  /** @throws {InvalidOptionError} no function. */
  constructor(func: RowsFunction, input: FunctionTransformerOptions = {}) {
    super();
    if (typeof func !== 'function') {
      throw new InvalidOptionError(sentence('The argument of FunctionTransformer', 'be a function of rows', func));
    }
    this.#func = func;
    this.#options = options.resolve(input);
  }

  override async fit(): Promise<this> {
    return this;
  }

  // biome-ignore lint/suspicious/noExplicitAny: see `Transformer`
  override async transform(X: RowsInput): Promise<any[]> {
    return (await this.transformRows(rowsOf(X))).toArrays();
  }

  // biome-ignore lint/suspicious/noExplicitAny: see `Transformer`
  override fitTransform(X: RowsInput): Promise<any[]> {
    return this.transform(X);
  }

  getFeatureNamesOut(): readonly string[] {
    throw new InvalidOptionError(
      sentence('The names of columns', 'come from a step that knows them', phrase('a FunctionTransformer')),
    );
  }

  getParams(): ReturnType<typeof options.resolve> & { readonly func: RowsFunction } {
    return { ...this.#options, func: this.#func };
  }

  clone(): this {
    return this; // there is nothing that it learns
  }

  toJSON(): TransformerJSON {
    throw new InvalidOptionError(
      sentence(
        'A step to be written as JSON',
        'be told by plain data',
        phrase(`the function ${nameText(this.#called)}`),
      ),
      { code: 'not_plain' },
    );
  }

  describe(): string {
    return `FunctionTransformer(${this.#called})`;
  }

  override globalSteps(): readonly string[] {
    return this.#options.scope === 'global' ? [this.#called] : [];
  }

  fitTable(): void {
    // a function learns nothing
  }

  async transformTable(table: Table): Promise<Table> {
    return readTable(await this.transformRows(tableRows(table)));
  }

  override async transformRows(X: Rows): Promise<Rows> {
    const given = await X.toArrays();
    const subject = `The function ${nameText(this.#called)}`;
    const made = await (async () => this.#func(given))().catch(threw(subject, 'prepare the rows', 'transform_failed'));
    const rows = rowsOf(made, `What ${nameText(this.#called)} gives`);
    const isSameWidth = X.featureNames !== undefined && rows.rowShape?.join() === String(X.featureNames.length);
    return isSameWidth && !rows.featureNames ? rowsOf(made, 'X', X.featureNames) : rows;
  }

  [INSPECT](): string {
    return this.describe();
  }

  get #called(): string {
    return this.#options.name ?? (this.#func.name || 'without a name');
  }
}
