import { InvalidDataError, InvalidOptionError, phrase, sentence, show } from '../core/errors.js';
import { custom, isPlainObject, type OptionShape, type OptionTable, seed } from '../core/options.js';
import { freshSeed, type RandomSource, randomSource } from '../core/random.js';
import { INSPECT } from '../core/summaryText.js';
import { VERSION } from '../core/version.js';
import { classText, type Labels, type LabelsInput, labelsOf } from '../data/labels.js';
import { type FitRows, rowsOf } from '../data/rows.js';
import { checkLength } from '../data/sideData.js';
import { Stage } from './table.js';
import { type Changing, inStep, optionsWith, type StepParams, type TransformerJSON } from './transformer.js';

/** What `fitResample` gives. */
export interface Resampled {
  /** The rows, each as a list of cells. */
  // biome-ignore lint/suspicious/noExplicitAny: cells of any kind
  readonly X: any[];
  readonly y: unknown[];
  /** For each row the place of the given row that it is, or that it was made from. */
  readonly rows: Int32Array;
}

/** How many rows of each class there shall be, or which of the usual rules says so. */
export type SamplingStrategy = 'auto' | number | Readonly<Record<string, number>>;

const isSamplingStrategy = (value: unknown): boolean =>
  value === 'auto' ||
  (typeof value === 'number' && value > 0 && value <= 1) ||
  (isPlainObject(value) && Object.values(value).every((count) => Number.isInteger(count) && (count as number) >= 0));

export const samplingStrategyOption = (what: string) =>
  custom<SamplingStrategy>(
    "'auto' | number | record of class -> count",
    "be 'auto', a share above 0 and at most 1, or a record of class to a count of rows",
    isSamplingStrategy,
  )
    .default('auto')
    .describe(`${what} A share: smaller over larger class, of two. A record: rows of each class.`);

export const randomStateOption = seed()
  .default(null)
  .describe('Seed of `fitResample`; inside a run the seed of the fold is taken.');

interface CommonOptions {
  readonly samplingStrategy: SamplingStrategy;
  readonly randomState: number | string | null;
}

/** A step that changes how often each class is trained on. `Options`: as its table resolves them. */
export abstract class Resampler<Options extends CommonOptions = CommonOptions> {
  /** Name of its class. */
  readonly name: string;
  readonly #options: Options;

  constructor(table: OptionTable<OptionShape>, input: unknown) {
    this.name = table.owner;
    this.#options = table.resolve(input) as unknown as Options;
  }

  /** The options, with their defaults. */
  getParams(): Options {
    return this.#options;
  }

  /** Draws rows of the stage; `rows`: for each the place of the row whose label it has. */
  protected abstract draw(
    stage: Stage,
    y: Labels,
    random: RandomSource,
  ): Promise<{ readonly stage: Stage; readonly rows: Int32Array }>;

  /** Resamples the rows of a stage. `seed`: of the fold; null: the option `randomState`. @hidden */
  async resampleStage(stage: Stage, y: Labels | undefined, seed: number | null) {
    if (!y || (y.task !== 'binary' && y.task !== 'multiclass')) {
      const got = phrase(y ? `those of a ${y.task} task` : 'none');
      throw new InvalidDataError(sentence(`The labels for ${this.name}`, 'be classes, one for each row', got));
    }
    return this.draw(stage, y, randomSource(seed ?? this.#options.randomState ?? freshSeed()));
  }

  /**
   * The rows with their classes as often as `samplingStrategy` says. Inside a run, put the step into `preprocessing`: it
   * then acts on training rows alone.
   */
  async fitResample(X: FitRows, y: LabelsInput): Promise<Resampled> {
    const [input, labels] = [rowsOf(X), labelsOf(y)];
    checkLength(labels, input.length, 'y');
    const { stage, rows } = await this.resampleStage(new Stage({ rows: input }), labels, null);
    return { X: await stage.rows().toArrays(), y: labels.take(rows).toArray(), rows };
  }

  /** Another one with the same options. */
  clone(): this {
    return new (this.constructor as new (options: unknown) => this)(this.getParams());
  }

  /** A copy with some options changed: `new SMOTE().withParams({ kNeighbors: 3 })`. This one stays as it is. */
  withParams(params: StepParams, { path }: Pick<Changing, 'path'> = { path: [] }): this {
    const Class = this.constructor as (new (options: unknown) => this) & { readonly options: OptionTable<OptionShape> };
    return inStep(path, () => new Class(optionsWith(Class.options, this.getParams(), params)));
  }

  /** The options as plain JSON values; `transformerFromJSON` reads them. */
  toJSON(): TransformerJSON {
    return { transformer: this.name, cvkit: VERSION, options: this.getParams(), fitted: null };
  }

  /** Its name, for reports. */
  describe(): string {
    return this.name;
  }

  [INSPECT](): string {
    return this.describe();
  }
}

export function rowsByClass({ classes, codes }: Labels): number[][] {
  const rows: number[][] = classes.map(() => []);
  for (let row = 0; row < codes.length; row++) rows[codes[row]].push(row);
  return rows;
}

/** How many rows of each class there shall be. `'auto'`: as many as the largest class has (`over`), or the smallest. */
export function wantedCounts(owner: string, strategy: SamplingStrategy, y: Labels, over: boolean): number[] {
  const { classes, codes, task } = y;
  const counts = classes.map(() => 0);
  for (let row = 0; row < codes.length; row++) counts[codes[row]]++;
  const present = counts.filter((count) => count > 0);
  const [least, most] = [Math.min(...present), Math.max(...present)];
  const subject = `The \`samplingStrategy\` option of ${owner}`;
  const refuse = (must: string, got: string) => {
    throw new InvalidOptionError(sentence(subject, must, phrase(got)));
  };
  if (typeof strategy === 'number') {
    if (task !== 'binary') refuse('be a share for a binary task alone', `a ${task} task`);
    // Rounding must not refuse the share that the classes have, nor take a row from them.
    const wanted = over ? Math.max(least, Math.trunc(strategy * most)) : Math.trunc(least / strategy);
    if (over ? strategy < least / most : wanted > most) {
      refuse(`be at least the share that the classes have, ${least / most}`, String(strategy));
    }
    return counts.map((count) => (over ? (count === least ? wanted : count) : Math.min(count, wanted)));
  }
  if (typeof strategy !== 'object') return counts.map((count) => (count === 0 ? 0 : over ? most : least));
  const unknown = Object.keys(strategy).find((name) => !classes.some((label) => String(label) === name));
  if (unknown !== undefined) refuse('name classes of y', show(unknown));
  return counts.map((count, code) => {
    const wanted = (strategy as Readonly<Record<string, number>>)[String(classes[code])] ?? count;
    if (over && count === 0 && wanted > 0) {
      const got = `${wanted} of ${classText(classes, code)}, which they lack`;
      refuse('ask for rows of classes that the training rows have', got);
    }
    if (over ? wanted < count : wanted > count) {
      refuse(`ask for ${over ? 'no fewer' : 'no more'} rows than a class has (${count})`, String(wanted));
    }
    return wanted;
  });
}
