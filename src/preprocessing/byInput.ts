import { InvalidOptionError, invalidData, nearest, phrase, sentence, show } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { INSPECT } from '../core/summaryText.js';
import { VERSION } from '../core/version.js';
import type { Labels } from '../data/labels.js';
import { noteOf } from '../data/notedCells.js';
import { mapParts } from '../data/rowKinds.js';
import { type Rows, type RowsInput, rowsOf } from '../data/rows.js';
import { Stage } from './table.js';
import {
  type Changing,
  type CopyStep,
  inStep,
  noColumnNames,
  type StepParams,
  Transformer,
  type TransformerJSON,
} from './transformer.js';
import { CLONING, paramsByStep, refuseOwn, stepWith } from './withParams.js';

/** A `Pipeline`, as far as it is used here: its module imports this one. */
interface Line extends Transformer {
  readonly model: unknown;
  resamplers(): readonly string[];
  fitStage(
    stage: Stage,
    y: Labels | undefined,
    fitting: { readonly weight: Float64Array | undefined },
  ): Promise<{ readonly stage: Stage }>;
  transformStage(stage: Stage): Promise<Stage>;
}

type Steps = Readonly<Record<string, Line>>;

/** Prepares each of several inputs by steps of its own; an input without any stays as it is. */
export class ByInput extends Transformer {
  readonly name = 'ByInput';
  /** The steps of each input that has some. */
  readonly inputs: Steps;

  constructor(inputs: Steps) {
    super();
    this.inputs = inputs;
    for (const [input, steps] of Object.entries(inputs)) {
      const subject = `The steps for the input ${show(input)}`;
      const [resampler] = steps.resamplers();
      if (resampler) {
        const must = 'keep all rows, since those of the other inputs belong to them';
        const way = 'Put it behind: `preprocessing: [{ ... }, resampler]`.';
        throw new InvalidOptionError(sentence(subject, must, phrase(`${resampler}, which resamples rows`), way));
      }
      if (steps.model) throw new InvalidOptionError(sentence(subject, 'be transformers alone', phrase('a model')));
    }
  }

  stepNames(): string[] {
    return Object.keys(this.inputs);
  }

  getFeatureNamesOut(): readonly string[] {
    throw noColumnNames('several inputs');
  }

  getParams(): { readonly inputs: Steps } {
    return { inputs: this.inputs };
  }

  clone(): this {
    return new ByInput(mapParts(this.inputs, (steps) => steps.clone())) as this;
  }

  withParams(params: StepParams, changing: Changing = CLONING): this {
    const { own, within } = inStep(changing.path, () => paramsByStep(this.stepNames(), params));
    refuseOwn(this.name, own, this.stepNames(), changing.path);
    const changed = (steps: Line, input: string) => stepWith(steps, input, within.get(input), changing) as Line;
    return new ByInput(mapParts(this.inputs, changed)) as this;
  }

  override async copy(each: CopyStep): Promise<Transformer> {
    const copies: [string, Line][] = [];
    for (const [input, steps] of Object.entries(this.inputs)) copies.push([input, await each(steps)]);
    return new ByInput(Object.fromEntries(copies));
  }

  toJSON(): TransformerJSON {
    const inputs = Object.entries(this.inputs).map(([input, steps]) => [input, steps.toJSON()] as const);
    const fitted = inputs.every(([, json]) => json.fitted === true) || null;
    return { transformer: this.name, cvkit: VERSION, options: { inputs }, fitted };
  }

  describe(): string {
    const each = Object.entries(this.inputs).map(([input, steps]) => `${nameText(input)}: ${steps.describe()}`);
    return `{ ${each.join('; ')} }`;
  }

  [INSPECT](): string {
    return this.describe();
  }

  /** @hidden */
  override inner(): readonly Line[] {
    return Object.values(this.inputs);
  }

  override imputers(): readonly string[] {
    return Object.entries(this.inputs).flatMap(([input, steps]) =>
      steps.imputers().map((each) => `${each} (input ${show(input)})`),
    );
  }

  override get learns(): boolean {
    return this.inner().some(({ learns }) => learns);
  }

  override async fitRows(X: Rows, y?: Labels, weight?: Float64Array): Promise<void> {
    await this.fitTransformRows(X, y, weight);
  }

  override fitTransformRows(X: Rows, y?: Labels, weight?: Float64Array): Promise<Rows> {
    return this.#through(X, async (steps, stage) => (await steps.fitStage(stage, y, { weight })).stage);
  }

  override transformRows(X: Rows): Promise<Rows> {
    return this.#through(X, (steps, stage) => steps.transformStage(stage));
  }

  /** A record of the prepared rows of each input: typed arrays of images as `{ data, shape }`, others as arrays. */
  // biome-ignore lint/suspicious/noExplicitAny: see `Transformer`
  override async transform(X: RowsInput): Promise<any> {
    const { parts = {} } = await this.transformRows(rowsOf(X));
    const read: [string, unknown][] = [];
    for (const [input, rows] of Object.entries(parts)) read.push([input, await rows.toShaped()]);
    return Object.fromEntries(read);
  }

  /** @throws {InvalidDataError} rows that are not several inputs. @throws {InvalidOptionError} an input that they have not. */
  partsOf({ parts }: Pick<Rows, 'parts'>): Readonly<Record<string, Rows>> {
    if (!parts) {
      const must = 'be a record of inputs, since there are steps for each input';
      const way = 'Pass a record of rows; each may be a row source.';
      throw invalidData('not_inputs', 'X', must, 'rows that are none', way);
    }
    const known = Object.keys(parts);
    const other = this.stepNames().find((input) => !known.includes(input));
    if (other === undefined) return parts;
    const near = nearest(other, known);
    const way = near ? `Did you mean ${show(near)}?` : `The inputs are: ${known.map(show).join(', ')}.`;
    const has = 'have the inputs that there are steps for';
    throw new InvalidOptionError(sentence('X', has, phrase(`no ${show(other)}`), way), { code: 'unknown_input' });
  }

  async #through(X: Rows, act: (steps: Line, stage: Stage) => Promise<Stage>): Promise<Rows> {
    const prepared: [string, Rows][] = [];
    for (const [input, rows] of Object.entries(this.partsOf(X))) {
      const steps = Object.hasOwn(this.inputs, input) ? this.inputs[input] : undefined;
      const stage = new Stage({ rows });
      stage.note = noteOf(X);
      prepared.push([input, steps ? (await act(steps, stage)).rows() : rows]);
    }
    return rowsOf(Object.fromEntries(prepared));
  }
}
