import { InvalidOptionError, invalidData, phrase, sentence, show } from '../core/errors.js';
import { firstTwice } from '../core/firstTwice.js';
import { boolean, type InputOf, isList, oneOf, optionTable } from '../core/options.js';
import { INSPECT } from '../core/summaryText.js';
import { VERSION } from '../core/version.js';
import type { Labels } from '../data/labels.js';
import { type ColumnChoice, choiceInWords, choiceToJSON, chosenPlaces } from './columnChoice.js';
import { Pipeline } from './pipeline.js';
import { Resampler } from './resampler.js';
import {
  type AnyTransformer,
  cloneOf,
  describedAs,
  fitTransformStep,
  isTransformer,
  learnsOf,
  stepToJSON,
  transformStep,
} from './step.js';
import { Stage, type Table, takeColumns } from './table.js';
import {
  type Changing,
  type CopyStep,
  checkColumns,
  inStep,
  notFitted,
  optionsWith,
  type StepParams,
  Transformer,
  type TransformerJSON,
} from './transformer.js';
import { CLONING, paramsByStep, stepWith } from './withParams.js';

const options = optionTable('ColumnTransformer', {
  remainder: oneOf('drop', 'passthrough')
    .default('drop')
    .describe('What becomes of columns that no transformer takes.'),
  verboseFeatureNamesOut: boolean()
    .default(true)
    .describe('Put the name of the transformer before the names of its columns: `num__age`.'),
});

export type ColumnTransformerOptions = InputOf<typeof options>;

/** A name, what prepares the columns, and which columns. */
export type ColumnEntry = readonly [
  name: string,
  transformer: AnyTransformer | 'passthrough' | 'drop',
  columns: ColumnChoice,
];

interface Fitted {
  readonly namesIn: readonly string[];
  /** Places of the columns of each entry, and of the remainder. */
  readonly places: readonly (readonly number[])[];
  readonly rest: readonly number[];
  readonly namesOut: readonly string[];
}

/**
 * Prepares some columns in one way and others in another, and puts the results side by side. Columns are named, or chosen by
 * place (negative: from the end), by what they hold (`'numeric'`, `'categorical'`), by a regular expression or by a function. As
 * scikit-learn's `ColumnTransformer`.
 *
 * @example
 * const columns = new ColumnTransformer([
 *   ['numbers', new StandardScaler(), ['age']],
 *   ['words', new OneHotEncoder(), ['sex']],
 * ]);
 * console.log(await columns.fitTransform([{ age: 60, sex: 'f' }, { age: 70, sex: 'm' }]));
 * console.log(columns.getFeatureNamesOut());
 */
export class ColumnTransformer extends Transformer {
  static readonly options = options;
  readonly name: string = 'ColumnTransformer';
  /** The entries, in order. */
  readonly transformers: readonly ColumnEntry[];
  readonly #options: ReturnType<typeof options.resolve>;
  #fitted: Fitted | undefined;

  /** @throws {InvalidOptionError} an entry that is none, or one name twice. */
  constructor(transformers: readonly ColumnEntry[], input: ColumnTransformerOptions = {}) {
    super();
    this.transformers = Object.freeze(checkedEntries(transformers));
    this.#options = options.resolve(input);
  }

  getFeatureNamesOut(): readonly string[] {
    return this.#known().namesOut;
  }

  getParams(): ReturnType<typeof options.resolve> & { readonly transformers: readonly ColumnEntry[] } {
    return { ...this.#options, transformers: this.transformers };
  }

  clone(): this {
    const cloned = (step: ColumnEntry[1]) =>
      typeof step === 'string' ? step : cloneOf(step, 'A step of a ColumnTransformer');
    const copies = this.transformers.map(([name, step, columns]) => [name, cloned(step), columns] as const);
    return new ColumnTransformer(copies, this.#options) as this;
  }

  withParams(params: StepParams, changing: Changing = CLONING): this {
    const { own, entries } = this.entriesWith(params, changing);
    const make = () => new ColumnTransformer(entries, optionsWith(options, this.#options, own));
    return inStep(changing.path, make) as this;
  }

  protected entriesWith(params: StepParams, changing: Changing) {
    const names = this.transformers.map(([name]) => name);
    const { own, within } = inStep(changing.path, () => paramsByStep(names, params));
    const entries = this.transformers.map(
      ([name, step, columns]) => [name, stepWith(step, name, within.get(name), changing), columns] as ColumnEntry,
    );
    return { own, entries };
  }

  override async copy(each: CopyStep): Promise<Transformer> {
    // What a subclass holds is its own.
    if (this.constructor !== ColumnTransformer) return this.clone();
    const copies: ColumnEntry[] = [];
    for (const [name, step, columns] of this.transformers) {
      copies.push([name, typeof step === 'string' ? step : await each(step), columns]);
    }
    return new ColumnTransformer(copies, this.#options);
  }

  toJSON(): TransformerJSON {
    const fitted = this.#fitted ?? null;
    const entries = this.transformers.map(([name, step, columns], at) => [
      name,
      typeof step === 'string' ? step : stepToJSON(step),
      fitted ? fitted.places[at] : choiceToJSON(columns),
    ]);
    return { transformer: this.name, cvkit: VERSION, options: { ...this.#options, transformers: entries }, fitted };
  }

  describe(): string {
    const parts = this.transformers.map(
      ([name, step]) => `${name}: ${typeof step === 'string' ? step : describedAs(step)}`,
    );
    return `${this.name}(${parts.join('; ')})`;
  }

  /** @hidden */
  override inner(): readonly AnyTransformer[] {
    return this.transformers.flatMap(([, step]) => (typeof step === 'string' ? [] : [step]));
  }

  override imputers(): readonly string[] {
    return this.transformers.flatMap(([, step, columns]) =>
      step instanceof Transformer ? step.imputers().map((each) => `${each} (columns ${choiceInWords(columns)})`) : [],
    );
  }

  override get learns(): boolean {
    return this.inner().some(learnsOf);
  }

  override matchedNothing(): readonly string[] {
    return this.transformers.flatMap(([name, step, columns], at) => {
      if (step === 'drop') return [];
      if (this.#fitted?.places[at].length === 0) return [`${show(name)} (${choiceInWords(columns)})`];
      return step instanceof Transformer ? step.matchedNothing() : [];
    });
  }

  override async fitTable(table: Table, y?: Labels, weight?: Float64Array): Promise<void> {
    await this.fitTransformTable(table, y, weight);
  }

  override async fitTransformTable(table: Table, y?: Labels, weight?: Float64Array): Promise<Table> {
    const places = this.transformers.map(([name, , columns]) => chosenPlaces(table, columns, name));
    const taken = new Set(places.flat());
    const rest = table.names.flatMap((_, at) => (taken.has(at) ? [] : [at]));
    const out = await this.#through(table, places, rest, (step, stage) => fitTransformStep(step, stage, y, weight));
    this.#fitted = { namesIn: table.names, places, rest, namesOut: out.names };
    return out;
  }

  override async transformTable(table: Table): Promise<Table> {
    const { namesIn, places, rest } = this.#known();
    checkColumns(this.name, namesIn, table.names);
    return this.#through(table, places, rest, transformStep);
  }

  async #through(
    table: Table,
    places: Fitted['places'],
    rest: Fitted['rest'],
    act: (step: AnyTransformer, stage: Stage) => Promise<Stage>,
  ): Promise<Table> {
    const parts: (readonly [name: string, part: Table])[] = [];
    for (const [at, [name, step]] of this.transformers.entries()) {
      if (step === 'drop' || places[at].length === 0) continue;
      const own = takeColumns(table, places[at]);
      const part = step === 'passthrough' ? own : await (await act(step, new Stage({ table: own }))).table();
      parts.push([name, part]);
    }
    if (this.#options.remainder === 'passthrough') parts.push(['remainder', takeColumns(table, rest)]);
    return { length: table.length, names: this.#names(parts), columns: parts.flatMap(([, part]) => part.columns) };
  }

  protected placesOf(entry: number): readonly number[] {
    return this.#known().places[entry];
  }

  /** Takes over what `toJSON` of a fitted one told. @hidden */
  restore(fitted: unknown): void {
    this.#fitted = fitted as Fitted;
  }

  [INSPECT](): string {
    return `${this.describe()}${this.#fitted ? ', fitted' : ''}`;
  }

  #names(parts: readonly (readonly [name: string, part: Table])[]): readonly string[] {
    if (this.#options.verboseFeatureNamesOut) {
      return parts.flatMap(([name, part]) => part.names.map((column) => `${name}__${column}`));
    }
    const names = parts.flatMap(([, part]) => part.names);
    const twice = firstTwice(names);
    if (twice === undefined) return names;
    const subject = 'The columns after a ColumnTransformer';
    const way = 'Leave verboseFeatureNamesOut at true.';
    throw invalidData('duplicate_feature_name', subject, 'have different names', `${show(twice)} twice`, way);
  }

  #known(): Fitted {
    if (this.#fitted) return this.#fitted;
    throw notFitted(this.name);
  }
}

const SUBJECT = 'The transformers of ColumnTransformer';

function checkedEntries(entries: unknown): ColumnEntry[] {
  if (!Array.isArray(entries) || entries.length === 0) {
    throw new InvalidOptionError(sentence(SUBJECT, 'be a list of [name, transformer, columns]', entries));
  }
  const names = new Set<unknown>();
  for (const entry of entries) {
    const [name, step, columns] = isList(entry) ? Array.from(entry) : [];
    if (step instanceof Resampler || (step instanceof Pipeline && step.resamplers().length > 0)) {
      const [kind] = step instanceof Pipeline ? step.resamplers() : [step.name];
      const way = 'Put it after the ColumnTransformer: `preprocessing: [columns, resampler]`.';
      throw new InvalidOptionError(sentence(SUBJECT, 'prepare columns', phrase(`${kind}, which resamples rows`), way));
    }
    const isStep = step === 'drop' || step === 'passthrough' || isTransformer(step);
    if (typeof name !== 'string' || name === '' || !isStep || columns === undefined) {
      const must = "be [name, transformer or 'passthrough' or 'drop', columns] each";
      throw new InvalidOptionError(sentence(SUBJECT, must, entry));
    }
    if (names.has(name)) {
      throw new InvalidOptionError(sentence(SUBJECT, 'have different names', phrase(`${show(name)} twice`)));
    }
    names.add(name);
  }
  return entries.map((entry) => Object.freeze([...entry])) as unknown as ColumnEntry[];
}
