import { InvalidDataError, invalidData, phrase, show } from '../core/errors.js';
import { type InputOf, isPlainObject, type OptionShape, type OptionsOf, type OptionTable } from '../core/options.js';
import { anyValue, checkedShape, fields, list, notAsWritten, type Shape, text } from '../core/shape.js';
import { INSPECT, inspectWithOptions } from '../core/summaryText.js';
import { VERSION } from '../core/version.js';
import type { Labels } from '../data/labels.js';
import { refuseCells, type Table } from './table.js';
import {
  type Changing,
  checkColumns,
  checkedTransformer,
  inStep,
  notFitted,
  optionsWith,
  type StepParams,
  Transformer,
  type TransformerJSON,
} from './transformer.js';

export interface TransformerDefinition<S extends OptionShape, State> {
  readonly options: OptionTable<S>;
  /** Reads `y`, which must be given to `fit`. */
  readonly supervised?: boolean;
  check?(options: OptionsOf<OptionTable<S>>): void;
  /** What is learnt, as plain data, typed arrays included. Must not change the table. */
  fit(table: Table, options: OptionsOf<OptionTable<S>>, y: Labels, weight: Float64Array | undefined): State;
  /** What a state must be that was read from JSON, for that many columns. */
  state(width: number): Shape;
  /** The prepared table: as many rows, in their order. Must not change its table. */
  transform(table: Table, state: State, options: OptionsOf<OptionTable<S>>): Table;
  makesMissing?(options: OptionsOf<OptionTable<S>>): boolean;
  /** The same for rows in one block, row after row, where that is faster. */
  readonly block?: {
    /** Undefined where cells are missing or too large. */
    fit(cells: Float64Array, width: number, weight: Float64Array | undefined): State | undefined;
    /** Overwrites the cells. False where one is then no finite number. */
    transform(cells: Float64Array, state: State, options: OptionsOf<OptionTable<S>>): boolean;
  };
}

interface Fitted<State> {
  readonly state: State;
  readonly namesIn: readonly string[];
  readonly namesOut: readonly string[];
}

/** A class of steps. Its type argument is the type of the options that the constructor takes. */
export interface StepClass<S extends OptionShape, Step> {
  readonly options: OptionTable<S>;
  /** A step from what `toJSON` gave; fitted where that one was. */
  fromJSON<T>(this: new (options: never) => T, json: unknown): T;
  new <I extends InputOf<OptionTable<S>>>(
    ...options: Record<never, never> extends I ? [options?: I] : [options: I]
  ): Step;
}

/**
 * Makes a class of transformers from its options, its `fit` and its `transform`. Extend it, so that the class has a name, a
 * docstring and properties for what it has learnt.
 */
export const defineTransformer = <S extends OptionShape, State>(definition: TransformerDefinition<S, State>) =>
  stepClass(definition, BaseTransformer<S, State>);

/** The class of steps of one definition. */
export function stepClass<S extends OptionShape, D extends { readonly options: OptionTable<S> }, Step>(
  definition: D,
  Base: abstract new (definition: D, written: unknown) => Step,
): StepClass<S, Step> {
  class Defined extends (Base as unknown as new (
    definition: D,
    written: unknown,
  ) => Pick<OptionStep<S, unknown>, 'restore'>) {
    static readonly options = definition.options;

    static fromJSON(this: new (options: unknown) => Defined, json: unknown) {
      const { owner } = definition.options;
      const { transformer, options, fitted } = checkedTransformer(json);
      if (transformer !== owner) {
        throw invalidData('other_transformer', `The JSON of a ${owner}`, 'be of that class', show(transformer));
      }
      const restored = new this(stateFromJSON(options));
      if (fitted !== null) restored.restore(fitted);
      return restored;
    }

    constructor(written?: unknown) {
      super(definition, written);
    }
  }
  return Defined as unknown as StepClass<S, Step>;
}

/** What all steps with options share, be they about columns or about images. */
export abstract class OptionStep<S extends OptionShape, Fitted> extends Transformer {
  readonly name: string;
  readonly #table: OptionTable<S>;
  readonly #options: OptionsOf<OptionTable<S>>;
  #fitted: Fitted | undefined;

  constructor(table: OptionTable<S>, written: unknown) {
    super();
    this.name = table.owner;
    this.#table = table;
    this.#options = table.resolve(written);
  }

  getParams(): OptionsOf<OptionTable<S>> {
    return this.#options;
  }

  clone(): this {
    return new (this.constructor as new (options: unknown) => this)(this.#options);
  }

  withParams(params: StepParams, { path }: Pick<Changing, 'path'> = { path: [] }): this {
    const Class = this.constructor as new (options: unknown) => this;
    return inStep(path, () => new Class(optionsWith(this.#table, this.#options, params)));
  }

  toJSON(): TransformerJSON {
    const fitted = this.#fitted ? stateToJSON(this.#fitted) : null;
    return { transformer: this.name, cvkit: VERSION, options: stateToJSON(this.#options), fitted };
  }

  describe(): string {
    return inspectWithOptions(this.name, this.#table.parse(this.#options)).replace(/\(\)$/, '');
  }

  /** Takes over what `toJSON` of another one of its class told. @hidden */
  abstract restore(fitted: unknown): void;

  [INSPECT](): string {
    return `${this.describe()}${this.#fitted ? ', fitted' : ''}`;
  }

  protected get known(): Fitted {
    if (this.#fitted) return this.#fitted;
    throw notFitted(this.name);
  }

  protected learn(fitted: Fitted): void {
    this.#fitted = fitted;
  }
}

/** @public The type of its steps. */
export abstract class BaseTransformer<S extends OptionShape, State> extends OptionStep<S, Fitted<State>> {
  readonly #definition: TransformerDefinition<S, State>;

  constructor(definition: TransformerDefinition<S, State>, written: unknown) {
    super(definition.options, written);
    this.#definition = definition;
    definition.check?.(this.getParams());
  }

  getFeatureNamesOut(): readonly string[] {
    return this.known.namesOut;
  }

  protected get fitted(): State {
    return this.known.state;
  }

  override get makesMissing(): boolean {
    return this.#definition.makesMissing?.(this.getParams()) ?? false;
  }

  override fitTable(table: Table, y?: Labels, weight?: Float64Array): void {
    const { supervised, transform } = this.#definition;
    if (supervised && !y) throw invalidData('missing_y', `The fit of ${this.name}`, 'be given `y`', 'nothing');
    refuseCells('infinite', table, this.name);
    const state = this.#definition.fit(table, this.getParams(), y as Labels, weight);
    const none = { ...table, length: 0, columns: table.columns.map((column) => column.slice(0, 0)) };
    this.learn({ state, namesIn: table.names, namesOut: transform(none, state, this.getParams()).names });
  }

  override prepareBlock(
    cells: Float64Array,
    names: readonly string[],
    fit?: { readonly weight?: Float64Array },
  ): boolean {
    const { block } = this.#definition;
    if (!block) return false;
    if (fit) {
      const state = block.fit(cells, names.length, fit.weight);
      if (!state) return false;
      this.learn({ state, namesIn: names, namesOut: names });
    }
    checkColumns(this.name, this.known.namesIn, names);
    return block.transform(cells, this.fitted, this.getParams());
  }

  override get takesBlock(): boolean {
    return this.#definition.block !== undefined;
  }

  override transformTable(table: Table): Table {
    const { state, namesIn } = this.known;
    checkColumns(this.name, namesIn, table.names);
    refuseCells('infinite', table, this.name);
    return this.#definition.transform(table, state, this.getParams());
  }

  restore(fitted: unknown): void {
    const { state, transform } = this.#definition;
    const subject = `The JSON of a ${this.name}`;
    const columns = { namesIn: list(text), namesOut: list(text) };
    const read = checkedShape<Fitted<State>>(fields({ ...columns, state: anyValue }), stateFromJSON(fitted), subject);
    const { namesIn, namesOut } = read;
    checkedShape(fields({ ...columns, state: state(namesIn.length) }), read, subject);
    const none = { names: namesIn, columns: namesIn.map(() => new Float64Array(0)), length: 0 };
    if (transform(none, read.state, this.getParams()).names.join('\n') !== namesOut.join('\n')) {
      throw notAsWritten(`The field namesOut of the JSON of a ${this.name}`, 'fit its state', phrase('other names'));
    }
    this.learn(read);
  }
}

export function stateToJSON(value: unknown): unknown {
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { number: Object.is(value, -0) ? '-0' : String(value) };
  if (value === undefined) return { undefined: true };
  if (typeof value === 'bigint') return { bigint: String(value) };
  if (value instanceof Float64Array) return { float64: Array.from(value, stateToJSON) };
  if (value instanceof Int32Array) return { int32: Array.from(value) };
  if (Array.isArray(value)) return value.map(stateToJSON);
  if (!isPlainObject(value)) return value;
  if (Object.keys(value).length === 0) return {};
  return { record: Object.entries(value).map(([key, each]) => [key, stateToJSON(each)]) };
}

/** What {@link stateToJSON} was given. Throws {@link InvalidDataError} for anything else. */
export function stateFromJSON(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stateFromJSON);
  if (!isPlainObject(value)) return value;
  const [[key, inner] = [], ...others] = Object.entries(value);
  if (key === undefined) return {};
  if (others.length === 0) {
    if (key === 'number' && NUMBERS.includes(inner)) return Number(inner);
    if (key === 'bigint' && typeof inner === 'string' && /^-?\d+$/.test(inner)) return BigInt(inner);
    if (key === 'undefined' && inner === true) return undefined;
    if (key === 'record' && Array.isArray(inner) && inner.every(isEntry)) {
      return Object.fromEntries(inner.map(([name, each]) => [name, stateFromJSON(each)]));
    }
    const numbers = Array.isArray(inner) ? inner.map(stateFromJSON) : [undefined];
    if (key === 'float64' && numbers.every((each) => typeof each === 'number')) return Float64Array.from(numbers);
    if (key === 'int32' && numbers.every((each) => typeof each === 'number' && Object.is(each, each | 0))) {
      return Int32Array.from(numbers as number[]);
    }
  }
  throw notAsWritten('A value of a saved step', 'be what `toJSON` gave', phrase('another one'));
}

const isEntry = (each: unknown) => Array.isArray(each) && each.length === 2 && typeof each[0] === 'string';
const NUMBERS: readonly unknown[] = ['NaN', 'Infinity', '-Infinity', '-0'];
