/** What every transformer of cvkit can do, whatever it is made of. */
import { CVKitError, InvalidDataError, phrase, sentence, show } from '../core/errors.js';
import { type Labels, type LabelsInput, labelsOf } from '../data/labels.js';
import { type Rows, type RowsInput, rowsOf } from '../data/rows.js';
import { checkLength } from '../data/sideData.js';
import { readTable, type Table, tableArrays } from './table.js';

/** What `toJSON` of a transformer gives. */
export interface TransformerJSON {
  /** Name of its class. */
  readonly transformer: string;
  readonly cvkit: string;
  readonly options: unknown;
  /** Null before it is fitted. */
  readonly fitted: unknown;
}

/**
 * A step that prepares tables. `fit` and `transform` resolve promises, because rows may be tensors or be read from elsewhere.
 */
export abstract class Transformer {
  /** Name of its class. */
  abstract readonly name: string;
  /** Names of the columns after it, as scikit-learn's `get_feature_names_out`. Throws before `fit`. */
  abstract getFeatureNamesOut(): readonly string[];
  /** The options, with their defaults. */
  abstract getParams(): unknown;
  /** A copy that is not fitted. */
  abstract clone(): this;
  /** Everything as plain JSON values, fitted or not; `fromJSON` and `transformerFromJSON` read it. */
  abstract toJSON(): TransformerJSON;
  /** As one would write it, without what is the default. */
  abstract describe(): string;
  /** Learns from a table; see `fit`. */
  abstract fitTable(table: Table, y: Labels | undefined): void | Promise<void>;
  /** Prepares a table; see `transform`. */
  abstract transformTable(table: Table): Table | Promise<Table>;

  /** Both, of one table. */
  async fitTransformTable(table: Table, y: Labels | undefined): Promise<Table> {
    await this.fitTable(table, y);
    return this.transformTable(table);
  }

  /** Prepares rows of any kind, where the transformer is not about tables. */
  transformRows?(X: Rows): Promise<Rows>;

  /** Steps that the author declares to use statistics of other rows than those of `fit`. */
  globalSteps(): readonly string[] {
    return [];
  }

  /**
   * Learns from rows. `y`: their labels, where the transformer uses them.
   *
   * @throws {InvalidDataError} columns that it cannot take.
   */
  async fit(X: RowsInput, y?: LabelsInput | null): Promise<this> {
    const rows = rowsOf(X);
    const labels = labelsFor(rows, y);
    await this.fitTable(await readTable(rows), labels);
    return this;
  }

  /**
   * The prepared rows, each as a list of cells.
   *
   * @throws {InvalidDataError} other columns than those of `fit`, or cells that it cannot take.
   */
  // biome-ignore lint/suspicious/noExplicitAny: numbers after most transformers, any cells after others
  async transform(X: RowsInput): Promise<any[][]> {
    return tableArrays(await this.transformTable(await readTable(rowsOf(X))));
  }

  /** `fit`, then `transform` of the same rows. */
  // biome-ignore lint/suspicious/noExplicitAny: see `transform`
  async fitTransform(X: RowsInput, y?: LabelsInput | null): Promise<any[][]> {
    const rows = rowsOf(X);
    const labels = labelsFor(rows, y);
    return tableArrays(await this.fitTransformTable(await readTable(rows), labels));
  }
}

/** The labels of the rows, where there are any. */
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
export function checkColumns(owner: string, fitted: readonly string[], given: readonly string[]): void {
  if (fitted.length !== given.length) {
    const must = `have the ${fitted.length} columns that it was fitted on`;
    throw new InvalidDataError(sentence(`Rows for ${owner}`, must, phrase(`${given.length} columns`)), {
      code: 'column_mismatch',
    });
  }
  const at = fitted.findIndex((name, place) => name !== given[place]);
  if (at < 0) return;
  throw new InvalidDataError(
    sentence(`Column ${at} for ${owner}`, `be ${show(fitted[at])}, as when it was fitted`, phrase(show(given[at]))),
    { code: 'column_mismatch' },
  );
}
