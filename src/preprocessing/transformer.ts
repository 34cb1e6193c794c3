import {
  CVKitError,
  InvalidDataError,
  InvalidOptionError,
  invalidData,
  phrase,
  sentence,
  show,
} from '../core/errors.js';
import { counted } from '../core/format.js';
import { STEP_MARK } from '../core/names.js';
import type { OptionShape, OptionTable } from '../core/options.js';
import { anyValue, checkedShape, checkPlain, fields, leftOutOr, recordOfAny, text } from '../core/shape.js';
import { INSPECT } from '../core/summaryText.js';
import { type Labels, type LabelsInput, labelsOf } from '../data/labels.js';
import { type FitRows, type Rows, type RowsInput, rowsOf } from '../data/rows.js';
import { checkLength, weightsOf } from '../data/sideData.js';
import { readColumns, rowsOfTable, type Table, tableArrays } from './table.js';

// biome-ignore lint/suspicious/noExplicitAny: steps of callers are not known here
export type CopyStep = (step: any) => Promise<any>;

/** What `toJSON` of a transformer gives. */
export interface TransformerJSON {
  /** Name of its class. */
  readonly transformer: string;
  readonly cvkit: string;
  /** The adapter that it comes with, where it is not of `cvkit/preprocessing`. */
  readonly adapter?: string;
  readonly options: unknown;
  /** Null before it is fitted. */
  readonly fitted: unknown;
}

const TRANSFORMER = fields({
  transformer: text,
  cvkit: leftOutOr(text),
  adapter: leftOutOr(text),
  options: recordOfAny,
  fitted: anyValue,
});

/** Throws {@link InvalidDataError} for anything else. */
export const checkedTransformer = (json: unknown): TransformerJSON =>
  checkedShape(TRANSFORMER, checkPlain(json, 'The JSON of a transformer'), 'The JSON of a transformer');

/** A step that prepares tables. `fit` and `transform` resolve promises: rows may be tensors or be read from elsewhere. */
export abstract class Transformer {
  /** Name of its class. */
  abstract readonly name: string;
  /** Names of the columns after it, as scikit-learn's `get_feature_names_out`. Throws before `fit`. */
  abstract getFeatureNamesOut(): readonly string[];
  /** The options, with their defaults. */
  abstract getParams(): unknown;
  /** A copy that is not fitted. */
  abstract clone(): this;
  /**
   * A copy with some options changed, which is not fitted. Options of steps within are named as in scikit-learn's `set_params`:
   * `pipeline.withParams({ scale__withMean: false })`. `changing`: where it stands, for preparations.
   *
   * @throws {InvalidOptionError} a step or an option that is not there, or a value that the option does not take
   */
  abstract withParams(params: StepParams, changing?: Changing): this;
  /** The same, where steps within are copied by `each`, as a run copies those of the caller. @hidden */
  copy?(each: CopyStep): Promise<Transformer>;
  /** Everything as plain JSON values, fitted or not; `fromJSON` and `transformerFromJSON` read it. */
  abstract toJSON(): TransformerJSON;
  /** As one would write it, without what is the default. */
  abstract describe(): string;
  /** Learns from a table, where it is about tables. Steps that learn the same from weighted rows take no `weight`. @hidden */
  fitTable(table: Table, y?: Labels, weight?: Float64Array): void | Promise<void> {
    return this.fitRows(rowsOfTable(table), y, weight);
  }
  /** @hidden */
  transformTable(table: Table): Table | Promise<Table> {
    return (this as Required<Transformer>).transformRows(rowsOfTable(table)).then(readColumns);
  }

  /** @hidden */
  async fitTransformTable(table: Table, y?: Labels, weight?: Float64Array): Promise<Table> {
    await this.fitTable(table, y, weight);
    return this.transformTable(table);
  }

  /**
   * Prepares rows in one block, row after row, in place; with `fit` it learns from them first. False where the step has to
   * read columns, and where cells are missing or too large: then the block is of no use any more. @hidden
   */
  prepareBlock?(cells: Float64Array, names: readonly string[], fit?: { readonly weight?: Float64Array }): boolean;

  /** @hidden */
  get takesBlock(): boolean {
    return false;
  }

  /** Prepares rows of any kind, where the transformer is not about tables. @hidden */
  transformRows?(X: Rows): Promise<Rows>;

  /** Fits to rows and prepares them, where that is not `fitRows` and then `transformRows`. @hidden */
  fitTransformRows?(X: Rows, y?: Labels, weight?: Float64Array): Promise<Rows>;

  /** `transformRows` treats each row by itself, so that rows of a source are prepared when they are read. */
  readonly isRowwise?: boolean;

  /** Opens what preparing needs, such as a session of a library, until the function that it gives is called. @hidden */
  hold?(): Promise<() => Promise<void>>;

  /** The steps that it holds, those of callers among them. @hidden */
  inner(): readonly (Transformer | { readonly makesMissing?: boolean })[] {
    return [];
  }

  #ofInner<T>(say: (step: Transformer) => readonly T[]): readonly T[] {
    return this.inner().flatMap((step) => (step instanceof Transformer ? say(step) : []));
  }

  /** True where a cell may be missing after it that was there before, because the author wants it so. */
  get makesMissing(): boolean {
    return this.inner().some((step) => step.makesMissing === true);
  }

  /** Steps that the author declares to use statistics of other rows than those of `fit`. @hidden */
  globalSteps(): readonly string[] {
    return this.#ofInner((step) => step.globalSteps());
  }

  /** Steps that fill missing cells, in words, with the columns that they are given where those are chosen. @hidden */
  imputers(): readonly string[] {
    return this.#ofInner((step) => step.imputers());
  }

  /** Whether anything is learnt from the rows of `fit`: not by a function, nor by a network that was trained elsewhere. */
  get learns(): boolean {
    return this.frozenSteps().length === 0;
  }

  /** Once it is fitted: choices of columns that matched none, in words. @hidden */
  matchedNothing(): readonly string[] {
    return this.#ofInner((step) => step.matchedNothing());
  }

  /** Steps that are networks trained elsewhere: they learn nothing here, and their vectors tell which rows are alike. @hidden */
  frozenSteps(): readonly string[] {
    return this.#ofInner((step) => step.frozenSteps());
  }

  /**
   * Learns from rows. `y`: their labels, where the transformer uses them. `sampleWeight`: weight of each row, at least 0, for
   * `StandardScaler` alone or among other steps, which leave it aside, as those of scikit-learn do.
   *
   * @throws {InvalidDataError} columns that it cannot take.
   */
  async fit(X: FitRows, y?: LabelsInput | null, sampleWeight?: ArrayLike<number> | null): Promise<this> {
    const rows = rowsOf(X);
    const labels = labelsFor(rows, y);
    await this.fitRows(rows, labels, sampleWeight ? weightsOf(sampleWeight, rows.length) : undefined);
    return this;
  }

  /** Learns from rows of any kind, where the transformer is not about tables and learns. @hidden */
  async fitRows(rows: Rows, y?: Labels, weight?: Float64Array): Promise<void> {
    if (!this.transformRows) await this.fitTable(await readColumns(rows), y, weight);
  }

  /**
   * The prepared rows, each as a list of cells.
   *
   * @throws {InvalidDataError} other columns than those of `fit`, or cells that it cannot take.
   */
  // biome-ignore lint/suspicious/noExplicitAny: numbers after most transformers, any cells after others
  async transform(X: RowsInput): Promise<any[][]> {
    return tableArrays(await this.transformTable(await readColumns(rowsOf(X))));
  }

  /** `fit`, then `transform` of the same rows. */
  // biome-ignore lint/suspicious/noExplicitAny: see `transform`
  async fitTransform(X: FitRows, y?: LabelsInput | null, sampleWeight?: ArrayLike<number> | null): Promise<any[][]> {
    const rows = rowsOf(X);
    if (this.transformRows) return (await this.fit(rows, y, sampleWeight)).transform(rows);
    const weight = sampleWeight ? weightsOf(sampleWeight, rows.length) : undefined;
    return tableArrays(await this.fitTransformTable(await readColumns(rows), labelsFor(rows, y), weight));
  }
}

/** A step that learns nothing from the rows, and prepares rows of any kind. */
export abstract class FixedTransformer extends Transformer {
  abstract override transformRows(X: Rows): Promise<Rows>;

  /** Nothing is learnt, and rows are not needed. @hidden */
  override async fit(_X?: FitRows): Promise<this> {
    return this;
  }

  // biome-ignore lint/suspicious/noExplicitAny: see `Transformer`
  override async transform(X: RowsInput): Promise<any> {
    return (await this.transformRows(rowsOf(X))).toShaped();
  }

  /** The same: there is nothing that it learns. */
  clone(): this {
    return this;
  }

  [INSPECT](): string {
    return this.describe();
  }
}

export const noColumnNames = (got: string) =>
  new InvalidOptionError(sentence('The names of columns', 'come from a step that knows them', phrase(got)));

export function labelsFor(rows: Rows, y: LabelsInput | null | undefined): Labels | undefined {
  if (y === undefined || y === null) return undefined;
  const labels = labelsOf(y);
  checkLength(labels, rows.length, 'y');
  return labels;
}

export const notFitted = (name: string) =>
  new CVKitError(sentence(`A ${name}`, 'be fitted before it is used', phrase('one that is not'), 'Call fit.'), {
    code: 'not_fitted',
  });

/** Throws {@link InvalidDataError} unless the columns are those of `fit`, in their order. */
export function checkColumns(owner: string, fitted: readonly string[], columns: readonly string[], way?: string): void {
  const refuse = (subject: string, must: string, got: string) => {
    throw invalidData('column_mismatch', `${subject} for ${owner}`, must, got, way);
  };
  const beyond = (names: readonly string[], known: readonly string[]) => {
    const all = new Set(known);
    const others = names.filter((name) => !all.has(name));
    return `${others.slice(0, 3).map(show).join(', ')}${others.length > 3 ? ` and ${others.length - 3} others` : ''}`;
  };
  const [missing, more] = [beyond(fitted, columns), beyond(columns, fitted)];
  if (fitted.length !== columns.length || missing !== '') {
    const which = [missing && `without ${missing}`, more && `with ${more}, which it does not know`].filter(Boolean);
    const must = `have the ${counted(fitted.length, 'column')} that it was fitted on`;
    refuse('Rows', must, [counted(columns.length, 'column'), ...which].join(', '));
  }
  const at = fitted.findIndex((name, place) => name !== columns[place]);
  if (at >= 0) refuse(`Column ${at}`, `be ${show(fitted[at])}, as when it was fitted`, show(columns[at]));
}

/** Options by name; those of a step within others by the names of both: `scale__withMean`. */
export type StepParams = Readonly<Record<string, unknown>>;

/** How steps are made again with other options. */
export interface Changing {
  /** Names of the steps around it and its own; empty for one that stands alone. */
  readonly path: readonly string[];
  /** What is held in place of a step whose options stay. */
  // biome-ignore lint/suspicious/noExplicitAny: steps of callers are not known here
  same(step: any): any;
  /** What is held in place of a step of the caller that has `setParams`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  foreign(step: any, params: StepParams, path: readonly string[]): any;
}

export function optionsWith<S extends OptionShape>(
  table: OptionTable<S>,
  options: object,
  params: StepParams,
): StepParams {
  const replaced = new Set<string | undefined>(Object.keys(params).map((name) => table.canonical(name)));
  const kept = Object.entries(options).filter(([name]) => !replaced.has(table.canonical(name)));
  return { ...Object.fromEntries(kept), ...params };
}

/** Errors of `work` name the step, where it is one within others. */
export function inStep<T>(path: readonly string[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (path.length === 0 || !(error instanceof CVKitError)) throw error;
    const message = `In the step ${show(path.join(STEP_MARK))}: ${error.message}`;
    throw new InvalidOptionError(message, { code: error.code, cause: error });
  }
}

/** Classes of transformers that adapters add, by name: how each is made again from its JSON. */
export const addedTransformers = new Map<string, (json: TransformerJSON) => Transformer>();
