import { InvalidOptionError, phrase, sentence, show } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isClass, MAKE_ONE } from '../core/isClass.js';
import { isPlainObject } from '../core/options.js';
import { INSPECT } from '../core/summaryText.js';
import { VERSION } from '../core/version.js';
import { gather, type Labels, type LabelsInput } from '../data/labels.js';
import { isModelShape } from '../data/modelShapes.js';
import { mapParts } from '../data/rowKinds.js';
import { type FitRows, type Rows, type RowsInput, rowsOf } from '../data/rows.js';
import { weightsOf } from '../data/sideData.js';
import { ByInput } from './byInput.js';
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
import { CLONING, modelWith, paramsByStep, partition, refuseOwn, SHARING, stepWith } from './withParams.js';

/** A transformer, one of the caller included, or a step that resamples training rows. */
export type PipelineStep = AnyTransformer | Resampler;

/** Steps for each of several inputs by its name, such as `{ table: tabular(), image: new Resize({ size: 64 }) }`. */
export type InputSteps = Readonly<
  Record<string, PipelineStep | readonly (PipelineStep | readonly [name: string, step: PipelineStep])[]>
>;

/** The model at the end of a {@link Pipeline}, as the `model` option of `run` takes it: an instance, or a factory `(ctx) => model`. */
export type PipelineModel = object | ((ctx: never) => unknown);

/** Steps, and perhaps a model behind them, each with a name where that matters. */
export type PipelineSteps = readonly (
  | PipelineStep
  | InputSteps
  | PipelineModel
  | readonly [name: string, PipelineStep | InputSteps | PipelineModel]
)[];

/**
 * Steps that act one after the other: each is fitted to what the steps before it made of the training rows. Steps that
 * resample act in `fit` alone. A record has steps for each of several inputs. Names are those of the classes in lower case unless
 * they are given, as in scikit-learn's `make_pipeline`. With a model as its last step it is a model itself: pass it as `model`,
 * or let a factory give it. Then the steps are its `preprocessing`, fitted in each fold on the training rows.
 *
 * @example
 * const prepared = new Pipeline([['fill', new SimpleImputer({ strategy: 'median' })], ['scale', new StandardScaler()]]);
 * const results = await runner.run({ model, data: [X, y], preprocessing: prepared });
 * console.log(results.meanScores.roc_auc);
 *
 * const whole = new Pipeline([new StandardScaler(), new LogisticRegression()]); // with a model as its last step
 * console.log((await runner.run({ model: whole, data: [X, y] })).meanScores.roc_auc);
 */
export class Pipeline extends Transformer {
  readonly name = 'Pipeline';
  /** The steps with their names, in order, without the model. */
  readonly steps: readonly (readonly [name: string, step: PipelineStep])[];
  /** The model at the end with its name; null where there is none. */
  readonly model: readonly [name: string, model: PipelineModel] | null;
  #fitted = false;

  /** @throws {InvalidOptionError} no steps, something that is none, or a model that is not the last step. */
  constructor(steps: PipelineSteps) {
    super();
    const named = namedSteps(steps);
    this.steps = Object.freeze(named.steps);
    this.model = named.model;
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

  getParams(): { readonly steps: PipelineSteps } {
    return { steps: this.#all() };
  }

  /** Steps are copied; a model at the end is the same one: each fold copies it. */
  clone(): this {
    const subject = 'A step of a Pipeline that is cloned';
    const steps = this.steps.map(([name, step]) => [name, cloneOf(step, subject)] as const);
    return new Pipeline(this.#all(steps)) as this;
  }

  #all(steps: Pipeline['steps'] = this.steps, model = this.model): PipelineSteps {
    return model ? [...steps, model] : steps;
  }

  withParams(params: StepParams, changing: Changing = CLONING): this {
    const names = this.stepNames();
    const { own, within } = inStep(changing.path, () => paramsByStep(names, params));
    refuseOwn(this.name, own, names, changing.path);
    const steps = this.steps.map(
      ([name, step]) => [name, stepWith(step, name, within.get(name), changing) as PipelineStep] as const,
    );
    const [name, model] = this.model ?? [];
    const ofModel = name === undefined ? undefined : within.get(name);
    const changed = ofModel
      ? ([name as string, modelWith(model as object, name as string, ofModel)] as const)
      : this.model;
    return new Pipeline(this.#all(steps, changed)) as this;
  }

  /** Names of the steps and of the model. @hidden */
  stepNames(): string[] {
    return [...this.steps, ...(this.model ? [this.model] : [])].map(([name]) => name);
  }

  /** The steps alone, and the model, with parameters of a trial. @hidden */
  parts(params: StepParams): { readonly steps: Pipeline; readonly model: PipelineModel } {
    const [ofSteps] = partition(params);
    const { steps, model } = this.withParams(Object.fromEntries(ofSteps), SHARING);
    return { steps: new Pipeline(steps), model: (model as ModelPipeline['model'])[1] };
  }

  /** The same steps before another model. @hidden */
  withModel(model: PipelineModel): Pipeline {
    return new Pipeline(this.#all(this.steps, [(this.model as ModelPipeline['model'])[0], model]));
  }

  override async copy(each: CopyStep): Promise<Transformer> {
    const copies: [string, PipelineStep][] = [];
    for (const [name, step] of this.steps) copies.push([name, await each(step)]);
    return new Pipeline(this.#all(copies));
  }

  toJSON(): TransformerJSON {
    this.#refuseModel(
      'be steps alone to be written as JSON',
      "Save fitted ones: `keepModels: 'save'`, or `refit` and `refitted.save(place)`.",
    );
    const steps = this.steps.map(([name, step]) => [name, stepToJSON(step)]);
    return { transformer: this.name, cvkit: VERSION, options: { steps }, fitted: this.#fitted };
  }

  describe(): string {
    const steps = this.steps.map(([, step]) => describedAs(step));
    return [...steps, ...(this.model ? [modelName(this.model[1])] : [])].join(', ');
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

  override async fitTable(table: Table, y?: Labels, weight?: Float64Array): Promise<void> {
    await this.fitStage(new Stage({ table }), y, { weight });
  }

  override async fitTransformTable(table: Table, y?: Labels, weight?: Float64Array): Promise<Table> {
    const { stage, rows } = await this.fitStage(new Stage({ table }), y, { weight });
    // Steps that resample act in `fit` alone.
    return rows ? this.transformTable(table) : stage.table();
  }

  override async transformTable(table: Table): Promise<Table> {
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
    this.#refuseModel('be steps alone to be fitted by itself', 'Pass it as `model` to run, validate or fitValidate.');
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

  #refuseModel(must: string, way: string): void {
    if (!this.model) return;
    const got = phrase(`one that ends in the model '${nameText(this.model[0])}'`);
    throw new InvalidOptionError(sentence('A Pipeline', must, got, way), { code: 'model_at_end' });
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

/** A {@link Pipeline} with a model at its end. */
export type ModelPipeline = Pipeline & { readonly model: NonNullable<Pipeline['model']> };

interface NamedSteps {
  readonly steps: (readonly [string, PipelineStep])[];
  readonly model: Pipeline['model'];
}

function namedSteps(steps: unknown): NamedSteps {
  const subject = 'The steps of Pipeline';
  const entries: unknown[] = Array.isArray(steps) ? steps : [];
  const named: readonly (readonly [unknown, unknown])[] = entries.map((each) =>
    Array.isArray(each) ? [each[0], stepOf(each[1])] : [undefined, stepOf(each)],
  );
  const classStep = named.map(([, step]) => step).find(isClass);
  if (classStep) {
    throw new InvalidOptionError(sentence(subject, 'be objects', classStep, MAKE_ONE));
  }
  const last = named.at(-1)?.[1];
  const model = isModel(last) || (named.length > 1 && isObject(last)) ? last : undefined;
  if (named.length === (model ? 1 : 0)) {
    const way = model ? 'Pass the model as `model`.' : undefined;
    const got = model ? phrase('a model alone') : steps;
    throw new InvalidOptionError(sentence(subject, 'be a list of at least one transformer', got, way));
  }
  const kinds = named.map(([, step], at) => {
    if (step instanceof Resampler) return step.name;
    const isLast = at === named.length - 1;
    if (model && isLast) return modelName(model);
    if (isTransformer(step) && (isLast || !(step instanceof Pipeline && step.model))) return stepName(step);
    const isEarly = isModel(step) || isTransformer(step);
    const [must, got] = isEarly
      ? ['hold a model at the end alone', 'one before the end']
      : ['have `fit` and `transform`', show(step)];
    throw new InvalidOptionError(sentence(subject, must, phrase(got)));
  });
  const entriesOf = ([name, step]: readonly [unknown, unknown], at: number) => {
    const own = typeof name === 'string' && name !== '' ? name : automaticName(kinds, at);
    if (name !== undefined && own !== name) {
      throw new InvalidOptionError(sentence('The name of a step of Pipeline', 'be a text', name));
    }
    if (named.some(([other], place) => place < at && other !== undefined && other === name)) {
      throw new InvalidOptionError(sentence(subject, 'have different names', phrase(`${show(name)} twice`)));
    }
    // Steps of a pipeline within act as if they stood here: else a step that resamples would have no effect in it.
    const within = step instanceof Pipeline ? [...step.steps, ...(step.model ? [step.model] : [])] : undefined;
    return within?.map(([inner, each]) => [`${own}__${inner}`, each] as const) ?? [[own, step] as const];
  };
  const all = named.flatMap(entriesOf);
  const end = model || (last instanceof Pipeline && last.model) ? all.pop() : undefined;
  return { steps: all as (readonly [string, PipelineStep])[], model: (end as Pipeline['model']) ?? null };
}

/** A record of steps as the step that it stands for. */
function stepOf(value: unknown): unknown {
  const isStep = (each: unknown) => Array.isArray(each) || each instanceof Resampler || isTransformer(each);
  if (!isPlainObject(value) || isTransformer(value) || !Object.values(value).some(isStep)) return value;
  const pipelineOf = (own: unknown, input: string) =>
    own instanceof Pipeline
      ? own
      : inStep([input], () => new Pipeline(Array.isArray(own) ? own : [own as PipelineStep]));
  return new ByInput(mapParts(value, pipelineOf));
}

/** What an adapter of the caller may know as a model: the run refuses what none knows. */
const isObject = (value: unknown): value is object =>
  value instanceof Object && !('transform' in value || value instanceof Resampler || Array.isArray(value));

/** What may stand at the end of a pipeline. What can transform, too, is a step. */
const isModel = (value: unknown): value is PipelineModel =>
  !isTransformer(value) && (typeof value === 'function' || isModelShape(value));

function modelName(model: PipelineModel): string {
  const name = typeof model === 'function' ? '' : model.constructor?.name;
  return name && name !== 'Object' ? name : 'model';
}

/** `standardscaler`, and `standardscaler-2` for the second of two. */
function automaticName(kinds: readonly string[], at: number): string {
  const name = kinds[at].toLowerCase();
  const same = kinds.filter((kind) => kind === kinds[at]).length;
  return same === 1 ? name : `${name}-${kinds.slice(0, at + 1).filter((kind) => kind === kinds[at]).length}`;
}
