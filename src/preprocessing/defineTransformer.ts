/** What transformers of one kind share: options checked by their table, and a state of plain data. */
import { InvalidDataError, phrase, sentence, show } from '../core/errors.js';
import { INSPECT } from '../core/inspect.js';
import type { InputOf, OptionShape, OptionsOf, OptionTable } from '../core/options.js';
import { anyValue, checkedShape, fields, list, notAsWritten, type Shape, text } from '../core/shape.js';
import { VERSION } from '../core/version.js';
import type { Labels } from '../data/labels.js';
import { type Changing, inStep, optionsWith, type Params } from './params.js';
import { stateFromJSON, stateToJSON } from './stateJSON.js';
import { refuseCells, type Table } from './table.js';
import { checkColumns, checkedTransformer, notFitted, Transformer, type TransformerJSON } from './transformer.js';

/** What makes a class of transformers: see {@link defineTransformer}. */
export interface TransformerDefinition<S extends OptionShape, State> {
  readonly options: OptionTable<S>;
  /** Reads `y`, which must be given to `fit`. */
  readonly supervised?: boolean;
  /** Refuses, in the constructor, options that contradict each other. */
  check?(options: OptionsOf<OptionTable<S>>): void;
  /**
   * What the rows tell: plain data, typed arrays included. Must not change the table. `y` is given where it is supervised,
   * `weight` where rows have weights.
   */
  fit(table: Table, options: OptionsOf<OptionTable<S>>, y: Labels, weight: Float64Array | undefined): State;
  /** What a state must be that was read from JSON, for that many columns. */
  state(width: number): Shape;
  /** The prepared table: as many rows, in their order. Must not change the table that it is given. */
  transform(table: Table, state: State, options: OptionsOf<OptionTable<S>>): Table;
  /** See `makesMissing` of `Transformer`. */
  makesMissing?(options: OptionsOf<OptionTable<S>>): boolean;
}

interface Fitted<State> {
  readonly state: State;
  readonly namesIn: readonly string[];
  readonly namesOut: readonly string[];
}

/** A class of transformers. Its type argument is the type of the options that the constructor takes. */
export interface DefinedTransformer<S extends OptionShape, State> {
  readonly options: OptionTable<S>;
  /** A transformer from what `toJSON` gave; fitted where that one was. */
  fromJSON<T>(this: new (options?: never) => T, json: unknown): T;
  new <I extends InputOf<OptionTable<S>>>(
    ...options: Record<never, never> extends I ? [options?: I] : [options: I]
  ): BaseTransformer<S, State>;
}

/**
 * Makes a class of transformers from its options, its `fit` and its `transform`. Extend it, so that the class has a name, a
 * docstring and properties for what it has learnt.
 */
export function defineTransformer<S extends OptionShape, State>(
  definition: TransformerDefinition<S, State>,
): DefinedTransformer<S, State> {
  class Defined extends BaseTransformer<S, State> {
    static readonly options = definition.options;

    static fromJSON(this: (new (options: unknown) => Defined) & typeof Defined, json: unknown) {
      // biome-ignore lint/complexity/noThisInStatic: the class that extends this one
      return fromJSON(this, json);
    }

    constructor(written?: unknown) {
      super(definition, written);
    }
  }
  return Defined as unknown as DefinedTransformer<S, State>;
}

/** Instances of a {@link DefinedTransformer}. */
export abstract class BaseTransformer<S extends OptionShape, State> extends Transformer {
  readonly name: string;
  readonly #definition: TransformerDefinition<S, State>;
  readonly #options: OptionsOf<OptionTable<S>>;
  #fitted: Fitted<State> | undefined;

  constructor(definition: TransformerDefinition<S, State>, written: unknown) {
    super();
    this.name = definition.options.owner;
    this.#definition = definition;
    this.#options = definition.options.resolve(written);
    definition.check?.(this.#options);
  }

  getFeatureNamesOut(): readonly string[] {
    return this.#known().namesOut;
  }

  getParams(): OptionsOf<OptionTable<S>> {
    return this.#options;
  }

  clone(): this {
    return new (this.constructor as new (options: unknown) => this)(this.#options);
  }

  withParams(params: Params, { path }: Pick<Changing, 'path'> = { path: [] }): this {
    const Class = this.constructor as new (options: unknown) => this;
    return inStep(path, () => new Class(optionsWith(this.#definition.options, this.#options, params)));
  }

  toJSON(): TransformerJSON {
    const fitted = this.#fitted ? stateToJSON(this.#fitted) : null;
    return { transformer: this.name, cvkit: VERSION, options: stateToJSON(this.#options), fitted };
  }

  describe(): string {
    const { options, changed } = this.#definition.options.parse(this.#options);
    const written = [...changed].map((name) => `${name}: ${show((options as Record<string, unknown>)[name])}`);
    return written.length > 0 ? `${this.name}({ ${written.join(', ')} })` : this.name;
  }

  /** What was learnt. Throws before `fit`. */
  protected get fitted(): State {
    return this.#known().state;
  }

  override get makesMissing(): boolean {
    return this.#definition.makesMissing?.(this.#options) ?? false;
  }

  fitTable(table: Table, y: Labels | undefined, weight: Float64Array | undefined): void {
    const { supervised, transform } = this.#definition;
    if (supervised && !y) {
      throw new InvalidDataError(sentence(`The fit of ${this.name}`, 'be given `y`', phrase('nothing')), {
        code: 'missing_y',
      });
    }
    refuseCells('infinite', table, this.name);
    const state = this.#definition.fit(table, this.#options, y as Labels, weight);
    const none = { ...table, length: 0, columns: table.columns.map((column) => column.slice(0, 0)) };
    this.#fitted = { state, namesIn: table.names, namesOut: transform(none, state, this.#options).names };
  }

  transformTable(table: Table): Table {
    const { state, namesIn } = this.#known();
    checkColumns(this.name, namesIn, table.names);
    refuseCells('infinite', table, this.name);
    return this.#definition.transform(table, state, this.#options);
  }

  /** Takes over what `toJSON` of another one of its class told. @hidden */
  restore(fitted: unknown): void {
    const { state, transform } = this.#definition;
    const subject = `The JSON of a ${this.name}`;
    const columns = { namesIn: list(text), namesOut: list(text) };
    const read = checkedShape<Fitted<State>>(fields({ ...columns, state: anyValue }), stateFromJSON(fitted), subject);
    const { namesIn, namesOut } = read;
    checkedShape(fields({ ...columns, state: state(namesIn.length) }), read, subject);
    const none = { names: namesIn, columns: namesIn.map(() => new Float64Array(0)), length: 0 };
    if (transform(none, read.state, this.#options).names.join('\n') !== namesOut.join('\n')) {
      throw notAsWritten(`The field namesOut of the JSON of a ${this.name}`, 'fit its state', phrase('other names'));
    }
    this.#fitted = read;
  }

  [INSPECT](): string {
    return `${this.describe()}${this.#fitted ? ', fitted' : ''}`;
  }

  #known(): Fitted<State> {
    if (this.#fitted) return this.#fitted;
    throw notFitted(this.name);
  }
}

function fromJSON<T extends BaseTransformer<OptionShape, unknown>>(
  Class: (new (options: unknown) => T) & { readonly options: OptionTable<OptionShape> },
  json: unknown,
): T {
  const { owner } = Class.options;
  const { transformer, options, fitted } = checkedTransformer(json);
  if (transformer !== owner) {
    throw new InvalidDataError(sentence(`The JSON of a ${owner}`, 'be of that class', phrase(show(transformer))), {
      code: 'other_transformer',
    });
  }
  const restored = new Class(stateFromJSON(options));
  if (fitted !== null) restored.restore(fitted);
  return restored;
}
