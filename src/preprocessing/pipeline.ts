import { InvalidOptionError, phrase, sentence, show } from '../core/errors.js';
import { INSPECT } from '../core/summaryText.js';
import { VERSION } from '../core/version.js';
import { gather, type Labels, type LabelsInput } from '../data/labels.js';
import { type FitRows, type Rows, type RowsInput, rowsOf } from '../data/rows.js';
import { weightsOf } from '../data/sideData.js';
import { Resampler } from './resampler.js';
import {
  type AnyTransformer,
  cloneOf,
  describedAs,
  fitTransformStep,
  isTransformer,
  learnsOf,
  stepName,
  stepToJSON,
  transformSteps,
} from './step.js';
import { Stage, type Table } from './table.js';
import {
  type Changing,
  type CopyStep,
  inStep,
  labelsFor,
  notFitted,
  type StepParams,
  Transformer,
  type TransformerJSON,
} from './transformer.js';
import { CLONING, paramsByStep, refuseOwn, stepWith } from './withParams.js';

/** A transformer, one of the caller included, or a step that resamples training rows. */
export type PipelineStep = AnyTransformer | Resampler;

/**
 * Steps that act one after the other: each is fitted to what the steps before it made of the training rows. Steps that
 * resample act in `fit` alone. Names are those of the classes in lower case unless they are given, as in scikit-learn's
 * `make_pipeline`.
 *
 * @example
 * new Pipeline([new SimpleImputer({ strategy: 'median' }), new StandardScaler()]);
 * new Pipeline([['fill', new SimpleImputer()], ['scale', new StandardScaler()]]);
 */
export class Pipeline extends Transformer {
  readonly name = 'Pipeline';
  /** The steps with their names, in order. */
  readonly steps: readonly (readonly [name: string, step: PipelineStep])[];
  #fitted = false;

  /** @throws {InvalidOptionError} no steps, or something that is none. */
  constructor(steps: readonly (PipelineStep | readonly [name: string, step: PipelineStep])[]) {
    super();
    this.steps = Object.freeze(namedSteps(steps));
  }

  /** The steps by name. */
  get namedSteps(): Readonly<Record<string, PipelineStep>> {
    return Object.fromEntries(this.steps);
  }

  getFeatureNamesOut(): readonly string[] {
    const last = this.inner().at(-1);
    if (last instanceof Transformer) return last.getFeatureNamesOut();
    const got = phrase(last ? stepName(last) : 'one that resamples');
    throw new InvalidOptionError(sentence('The last step of a Pipeline', 'know its columns', got));
  }

  getParams(): { readonly steps: Pipeline['steps'] } {
    return { steps: this.steps };
  }

  clone(): this {
    const subject = 'A step of a Pipeline that is cloned';
    return new Pipeline(this.steps.map(([name, step]) => [name, cloneOf(step, subject)] as const)) as this;
  }

  withParams(params: StepParams, changing: Changing = CLONING): this {
    const names = this.steps.map(([name]) => name);
    const { own, within } = inStep(changing.path, () => paramsByStep(names, params));
    refuseOwn(this.name, own, names, changing.path);
    const steps = this.steps.map(
      ([name, step]) => [name, stepWith(step, name, within.get(name), changing) as PipelineStep] as const,
    );
    return new Pipeline(steps) as this;
  }

  override async copy(each: CopyStep): Promise<Transformer> {
    const copies: [string, PipelineStep][] = [];
    for (const [name, step] of this.steps) copies.push([name, await each(step)]);
    return new Pipeline(copies);
  }

  toJSON(): TransformerJSON {
    const steps = this.steps.map(([name, step]) => [name, stepToJSON(step)]);
    return { transformer: this.name, cvkit: VERSION, options: { steps }, fitted: this.#fitted };
  }

  describe(): string {
    return this.steps.map(([, step]) => describedAs(step)).join(', ');
  }

  override get learns(): boolean {
    return this.inner().some(learnsOf);
  }

  /** Steps that change how often each class is trained on. @hidden */
  resamplers(): readonly string[] {
    return this.steps.flatMap(([, step]) => (step instanceof Resampler ? [step.name] : []));
  }

  /** Rows may be images, where the first steps take them. */
  override async fitRows(rows: Rows, y?: Labels, weight?: Float64Array): Promise<void> {
    await this.fitStage(new Stage({ rows }), y, { weight });
  }

  async fitTable(table: Table, y?: Labels, weight?: Float64Array): Promise<void> {
    await this.fitStage(new Stage({ table }), y, { weight });
  }

  override async fitTransformTable(table: Table, y?: Labels, weight?: Float64Array): Promise<Table> {
    const { stage, rows } = await this.fitStage(new Stage({ table }), y, { weight });
    // Steps that resample act in `fit` alone.
    return rows ? this.transformTable(table) : stage.table();
  }

  async transformTable(table: Table): Promise<Table> {
    return (await this.transformStage(new Stage({ table }))).table();
  }

  /** Prepared rows of any kind, where the steps take them: images in typed arrays as `{ data, shape }`, others as arrays. */
  // biome-ignore lint/suspicious/noExplicitAny: see `Transformer`
  override async transform(X: RowsInput): Promise<any> {
    const stage = await this.transformStage(new Stage({ rows: rowsOf(X) }));
    return stage.rows().toShaped();
  }

  override async fitTransform(
    X: FitRows,
    y?: LabelsInput | null,
    sampleWeight?: ArrayLike<number> | null,
    // biome-ignore lint/suspicious/noExplicitAny: see `Transformer`
  ): Promise<any> {
    const input = rowsOf(X);
    const before = new Stage({ rows: input });
    const weight = sampleWeight ? weightsOf(sampleWeight, input.length) : undefined;
    const { stage, rows } = await this.fitStage(before, labelsFor(input, y), { weight });
    return (rows ? await this.transformStage(before) : stage).rows().toShaped();
  }

  /**
   * Fits the steps, and gives the rows after them, resampled where a step does that; `rows`: for each the place of the
   * row whose label and weight it has. `seed` is of what resampling draws; null: what the steps say.
   *
   * @hidden
   */
  async fitStage(
    stage: Stage,
    y: Labels | undefined,
    { seed = null, weight }: { readonly seed?: number | null; readonly weight: Float64Array | undefined },
  ): Promise<{ readonly stage: Stage; readonly rows: Int32Array | undefined }> {
    let [at, labels, weights] = [stage, y, weight];
    let rows: Int32Array | undefined;
    for (const [, step] of this.steps) {
      if (step instanceof Resampler) {
        const drawn = await step.resampleStage(at, labels, seed);
        at = drawn.stage;
        labels = labels?.take(drawn.rows);
        weights = weights && gather(weights, drawn.rows);
        const before: Int32Array | undefined = rows;
        rows = before ? drawn.rows.map((row) => before[row]) : drawn.rows;
      } else {
        at = await fitTransformStep(step, at, labels, weights);
      }
    }
    this.#fitted = true;
    return { stage: at, rows };
  }

  /** The stage after the fitted steps. @hidden */
  transformStage(stage: Stage): Promise<Stage> {
    if (!this.#fitted) throw notFitted(this.name);
    return transformSteps(this.inner(), stage);
  }

  /** Its steps were fitted when they were written as JSON. @hidden */
  restore(): void {
    this.#fitted = true;
  }

  [INSPECT](): string {
    return `Pipeline: ${this.describe()}${this.#fitted ? ', fitted' : ''}`;
  }

  /** The steps that act in `transform`. @hidden */
  override inner(): readonly AnyTransformer[] {
    return this.steps.flatMap(([, step]) => (step instanceof Resampler ? [] : [step]));
  }
}

function namedSteps(steps: unknown): (readonly [string, PipelineStep])[] {
  const subject = 'The steps of Pipeline';
  if (!Array.isArray(steps) || steps.length === 0) {
    throw new InvalidOptionError(sentence(subject, 'be a list of at least one transformer', steps));
  }
  const named = steps.map((each) => (Array.isArray(each) ? each : [undefined, each]));
  const kinds = named.map(([, step]) => {
    if (step instanceof Resampler) return step.name;
    if (isTransformer(step)) return stepName(step);
    const way = isModel(step) ? 'Pass the model as `model`, and the steps before it as `preprocessing`.' : undefined;
    throw new InvalidOptionError(sentence(subject, 'have `fit` and `transform`', phrase(show(step)), way));
  });
  return named.flatMap(([name, step], at) => {
    const own = typeof name === 'string' && name !== '' ? name : automaticName(kinds, at);
    if (name !== undefined && own !== name) {
      throw new InvalidOptionError(sentence('The name of a step of Pipeline', 'be a text', name));
    }
    if (named.some(([other], place) => place < at && other !== undefined && other === name)) {
      throw new InvalidOptionError(sentence(subject, 'have different names', phrase(`${show(name)} twice`)));
    }
    // Steps of a pipeline within act as if they stood here: else a step that resamples would have no effect in it.
    if (step instanceof Pipeline) return step.steps.map(([inner, each]) => [`${own}__${inner}`, each] as const);
    return [[own, step] as const];
  });
}

const isModel = (value: unknown) => typeof (value as { predict?: unknown } | null)?.predict === 'function';

/** `standardscaler`, and `standardscaler-2` for the second of two. */
function automaticName(kinds: readonly string[], at: number): string {
  const name = kinds[at].toLowerCase();
  const same = kinds.filter((kind) => kind === kinds[at]).length;
  return same === 1 ? name : `${name}-${kinds.slice(0, at + 1).filter((kind) => kind === kinds[at]).length}`;
}
