import { InvalidOptionError, invalidData, phrase, sentence, threw } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { checkedModule, functionOf, type ModuleFunction } from '../core/moduleFunction.js';
import { boolean, type InputOf, oneOf, optionTable, string } from '../core/options.js';
import { checkedShape, fields, oneText, recordOfAny } from '../core/shape.js';
import { VERSION } from '../core/version.js';
import { ownNumbers } from '../data/dense.js';
import { type Rows, rowsOf } from '../data/rows.js';
import { stateFromJSON, stateToJSON } from './defineTransformer.js';
import { rowsText } from './table.js';
import {
  type Changing,
  checkedTransformer,
  FixedTransformer,
  inStep,
  noColumnNames,
  optionsWith,
  type StepParams,
  type TransformerJSON,
} from './transformer.js';

const options = optionTable('FunctionTransformer', {
  name: string().optional().describe('What reports call it; by default the name of the function.'),
  scope: oneOf('fold', 'global')
    .default('fold')
    .describe(
      "'global': the function uses statistics that were not learnt inside the folds (means of another data set, a plan over all rows). Reports list it.",
    ),
  makesMissing: boolean()
    .default(false)
    .describe(
      'The function makes cells missing on purpose, such as a code for "not known", and the model takes them so.',
    ),
});

export type FunctionTransformerOptions = InputOf<typeof options>;

/**
 * Prepares rows: arrays or records; images and sequences in typed arrays are `{ data, shape }`, which are its own to change.
 * Gives as many rows, in any form that `X` may have.
 */
// biome-ignore lint/suspicious/noExplicitAny: rows of the caller
export type RowsFunction = (X: any) => unknown;

export interface ModulesOption {
  readonly modules?: 'allow' | 'refuse' | null | undefined;
}

const WRITTEN = fields({ func: recordOfAny, options: recordOfAny });

/**
 * Prepares rows by a function, which learns nothing: a logarithm, a unit, the means of ImageNet. Rows may be images. What
 * learns from rows needs `fit`: write an object with `fit` and `transform`. A function that is named by its module works in
 * threads, and is written as JSON; it is called with the rows and `kwArgs`.
 *
 * @example
 * const logarithm = new FunctionTransformer((rows) => rows.map((row) => row.map(Math.log1p)));
 * console.log(await logarithm.fitTransform([[0, 1], [2, 3]]));
 */
export class FunctionTransformer extends FixedTransformer {
  static readonly options = options;
  readonly name = 'FunctionTransformer';
  readonly #func: RowsFunction | ModuleFunction;
  readonly #options: ReturnType<typeof options.resolve>;

  /** @throws {InvalidOptionError} no function, nor the name of one. */
  constructor(func: RowsFunction | ModuleFunction, input: FunctionTransformerOptions = {}) {
    super();
    this.#func = typeof func === 'function' ? func : checkedModule(func, 'FunctionTransformer', 'a function of rows');
    this.#options = options.resolve(input);
  }

  getFeatureNamesOut(): readonly string[] {
    throw noColumnNames('a FunctionTransformer');
  }

  /** The file: URL of the module of its function; undefined for a function of this process. */
  get module(): string | undefined {
    return typeof this.#func === 'function' ? undefined : String(this.#func.module);
  }

  getParams(): ReturnType<typeof options.resolve> & { readonly func: RowsFunction | ModuleFunction } {
    return { ...this.#options, func: this.#func };
  }

  /** Also takes `func`, and `kwArgs` of a function that is named by its module. */
  withParams({ func, kwArgs, ...params }: StepParams, { path }: Pick<Changing, 'path'> = { path: [] }): this {
    return inStep(path, () => {
      const own = (func ?? this.#func) as RowsFunction | ModuleFunction;
      if (kwArgs !== undefined && typeof own === 'function') throw noKwArgs(this.#called);
      const named = kwArgs === undefined ? own : ({ ...own, kwArgs } as ModuleFunction);
      return new FunctionTransformer(named, optionsWith(options, this.#options, params)) as this;
    });
  }

  toJSON(): TransformerJSON {
    if (typeof this.#func !== 'function') {
      const written = { func: stateToJSON(this.#func), options: stateToJSON(this.#options) };
      return { transformer: this.name, cvkit: VERSION, options: written, fitted: null };
    }
    const must = 'be plain data; a function is, when it is named by its `module`';
    const got = phrase(`the function ${nameText(this.#called)}`);
    throw new InvalidOptionError(sentence('A step to be written as JSON', must, got), { code: 'not_plain' });
  }

  /**
   * The one that `toJSON` told of. `modules: 'allow'`: its module, which is imported when rows are prepared, may be run.
   *
   * @throws {InvalidDataError} JSON of something else; `module_refused` without `modules: 'allow'`.
   */
  static fromJSON(json: unknown, { modules }: ModulesOption = {}): FunctionTransformer {
    const { transformer, options: read } = checkedTransformer(json);
    const subject = 'The JSON of a FunctionTransformer';
    checkedShape(oneText('FunctionTransformer'), transformer, subject);
    const { func, options: written } = checkedShape<Record<string, unknown>>(WRITTEN, read, subject);
    const restored = new FunctionTransformer(stateFromJSON(func) as ModuleFunction, stateFromJSON(written) as object);
    if (modules === 'allow') return restored;
    const got = `the module ${nameText(String(restored.module), 200)}`;
    const way = "Pass modules: 'allow' if you trust the file and the module.";
    throw invalidData('module_refused', 'A step that is read', 'name no module to be run', got, way);
  }

  describe(): string {
    return `FunctionTransformer(${this.#called})`;
  }

  override get makesMissing(): boolean {
    return this.#options.makesMissing;
  }

  override get learns(): boolean {
    return false;
  }

  override globalSteps(): readonly string[] {
    return this.#options.scope === 'global' ? [this.#called] : [];
  }

  override readonly isRowwise = true;

  async transformRows(X: Rows): Promise<Rows> {
    const read = await X.toShaped();
    const subject = `The function ${nameText(this.#called)}`;
    const func = await this.#loaded();
    const result = await (async () => func(read))().catch(
      threw(subject, `prepare ${rowsText(read)}`, 'transform_failed'),
    );
    const numbers = await ownNumbers(result);
    const rows = rowsOf(numbers, `X after ${nameText(this.#called)}`);
    const isSameWidth = X.featureNames !== undefined && rows.rowShape?.join() === String(X.featureNames.length);
    return isSameWidth && !rows.featureNames ? rowsOf(numbers, 'X', X.featureNames) : rows;
  }

  get #called(): string {
    const { name } = this.#options;
    if (name !== undefined) return name;
    if (typeof this.#func === 'function') return this.#func.name || 'without a name';
    return this.#func.export ?? String(this.#func.module).replace(/^.*\//, '');
  }

  async #loaded(): Promise<RowsFunction> {
    return typeof this.#func === 'function' ? this.#func : functionOf(this.#func, this.name);
  }
}

const noKwArgs = (called: string) => {
  const must = 'be for a function that is named by its `module`';
  const got = phrase(`the function ${nameText(called)}`);
  return new InvalidOptionError(sentence('The `kwArgs` of FunctionTransformer', must, got), { code: 'idle_option' });
};
