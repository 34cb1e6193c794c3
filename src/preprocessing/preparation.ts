/** The option `preprocessing` of a run: one transformer, or several that act one after the other. */
import { cleanUpAll, cleanupOnError } from '../core/cleanup.js';
import { AdapterError, InvalidOptionError, sentence, threw } from '../core/errors.js';
import type { Labels } from '../data/labels.js';
import type { Rows } from '../data/rows.js';
import { checkFeatures } from './checkFeatures.js';
import { checkPrepared, refusedBy } from './checkPrepared.js';
import { ColumnTransformer } from './columnTransformer.js';
import type { ModulesOption } from './functionTransformer.js';
import type { Params } from './params.js';
import { Pipeline, type PipelineStep } from './pipeline.js';
import { Resampler } from './resampler.js';
import { Stage } from './stage.js';
import { type AnyTransformer, copyOf, stepToJSON, transformSteps } from './step.js';
import { Transformer } from './transformer.js';
import { transformerFromJSON } from './transformerFromJSON.js';
import { whenRead } from './whenRead.js';
import { partition, SHARING } from './withParams.js';

/** A preparation that was fitted. */
export interface FittedPreparation {
  /** The fitted transformer, for the caller: the one that was given, or a `Pipeline` of several. */
  readonly step: AnyTransformer;
  /** The rows after it; they are prepared when they are read. */
  through(X: Rows): Rows;
}

/** What a model is trained on. */
export interface PreparedRows {
  readonly prepared: FittedPreparation;
  /** The rows, prepared and resampled. */
  readonly X: Rows;
  /** Where rows were resampled: for each row of X, the place of the given row whose label and weight it has. */
  readonly rows: Int32Array | undefined;
}

/** A preparation as a run needs it. The caller's transformers are never fitted: each fold has copies. */
export interface Preparation {
  /** The steps in words, for the summary. */
  readonly described: string;
  /** Steps that the caller declares to use statistics of other rows than those of the fold. */
  readonly globalSteps: readonly string[];
  /** A step learns from the rows that it is fitted on. */
  readonly learns: boolean;
  /** Networks that were trained elsewhere. */
  frozen(): readonly string[];
  /** Names of the steps, which parameters such as `scale__withMean` begin with; undefined where a function chooses them. */
  readonly stepNames: readonly string[] | undefined;
  /**
   * The preparation with parameters of a trial: those of steps, which have `__` in their names; a function that chooses the
   * steps takes all of them. Throws {@link InvalidOptionError} for a step or an option that is not there.
   */
  withParams(params: Params): Preparation;
  /** Steps that change how often each class is trained on. */
  readonly resamplers: readonly string[];
  /** Steps that fill missing cells, in words. */
  readonly imputers: readonly string[];
  /** Opens what the steps need while rows are prepared; gives what closes it. */
  hold(): Promise<() => Promise<void>>;
  /** The rows as vectors that tell which are alike, where the first steps end in a frozen network and learn nothing. */
  embedded(X: Rows): Rows | undefined;
  /**
   * Fits copies of the steps to these rows. `seed`: of what is drawn; `weight`: of each row, for steps that take it;
   * `places`: of the rows in the data, for messages.
   */
  fit(
    X: Rows,
    y: Labels,
    given: { readonly seed: number; readonly weight: Float64Array | undefined; readonly places?: Int32Array },
  ): Promise<PreparedRows>;
  /** A fitted preparation, from what `toJSON` of its step gave. */
  load(json: unknown): FittedPreparation;
  /** The steps before they are fitted, as plain data. Throws where a step is a function or a class of the caller. */
  toJSON(): unknown;
}

/** One transformer, a step that resamples, or a list of them, with names where they matter. */
export type PreprocessingOption =
  | PipelineStep
  | readonly (PipelineStep | readonly [name: string, step: PipelineStep])[];

/** Chooses the steps by the parameters of a trial. */
// biome-ignore lint/suspicious/noExplicitAny: values of the caller's own parameters
export type PreprocessingFunction = (params: any) => PreprocessingOption;

/** Reads the option. `byParams`: it may be a function of the parameters of a trial. Else that is an {@link InvalidOptionError}. */
export function preparationOf(
  given: PreprocessingOption | PreprocessingFunction,
  { byParams = false }: { readonly byParams?: boolean } = {},
): Preparation {
  if (typeof given === 'function') {
    if (byParams) return chosenByParams(given);
    const way = 'A function of the parameters of a trial is for runWithHyperparameterTuning.';
    throw new InvalidOptionError(sentence(SUBJECT, 'be a transformer or a list of them', given, way));
  }
  const isList = Array.isArray(given);
  const alone = !isList && !(given instanceof Pipeline || given instanceof Resampler);
  const pipeline = given instanceof Pipeline ? given : new Pipeline(isList ? given : [given as PipelineStep]);
  return preparationBy(pipeline, alone);
}

const SUBJECT = 'The `preprocessing` option';

/** `alone`: its one step was given as it is. */
function preparationBy(pipeline: Pipeline, alone: boolean): Preparation {
  return {
    stepNames: pipeline.steps.map(([name]) => name),
    withParams(params) {
      const [ofSteps] = partition(params);
      if (ofSteps.length === 0) return this;
      return preparationBy(pipeline.withParams(Object.fromEntries(ofSteps), SHARING), alone);
    },
    described: pipeline.describe(),
    globalSteps: pipeline.globalSteps(),
    learns: pipeline.learns,
    frozen: () => pipeline.frozenSteps(),
    resamplers: pipeline.resamplers(),
    imputers: pipeline.imputers(),
    hold: () => holdAll(pipeline),
    embedded(X) {
      const steps = pipeline.transformers();
      const at = steps.findIndex((step) => step instanceof Transformer && step.frozenSteps().length > 0);
      const leading = steps.slice(0, at + 1);
      if (!leading.every((step) => step instanceof Transformer && step.transformRows)) return undefined;
      if (leading.length === 0) return undefined;
      return rowsThrough(leading, X, { kind: 'dense', rowShape: undefined, featureNames: undefined });
    },
    async fit(X, y, given) {
      const copy = (await copyOf(pipeline)) as Pipeline;
      const fitted = copy.fitStage(new Stage({ rows: X }), y, given);
      const { stage, rows } = await fitted.catch((error) => refusedBy(error, X, given.places));
      const like = stage.rows();
      checkFeatures(copy, like);
      const prepared = fittedPreparation(alone ? (copy.steps[0][1] as AnyTransformer) : copy, like);
      // What is still to be read is looked at then.
      if (like.kind === 'source' && rows === undefined) return { prepared, X: prepared.through(X), rows };
      await checkPrepared(copy.transformers(), X, stage, { rows, places: given.places });
      return { prepared, X: like, rows };
    },
    load,
    toJSON: () => (alone ? stepToJSON(pipeline.steps[0][1] as AnyTransformer) : pipeline.toJSON()),
  };
}

/** A function that chooses the steps: nothing is known of them before it has the parameters of a trial. */
function chosenByParams(choose: PreprocessingFunction): Preparation {
  const unable = (must: string) => new InvalidOptionError(sentence(SUBJECT, must, choose), { code: 'not_plain' });
  return {
    described: 'steps that a function of the parameters chooses',
    globalSteps: [],
    learns: true,
    stepNames: undefined,
    frozen: () => [],
    resamplers: [],
    imputers: [],
    hold: async () => async () => undefined,
    embedded: () => undefined,
    withParams(params) {
      let chosen: unknown;
      try {
        chosen = choose(params);
      } catch (error) {
        threw('The function of `preprocessing`', 'give the steps for the parameters', 'preprocessing_failed')(error);
      }
      const isStep =
        typeof chosen === 'object' &&
        chosen !== null &&
        typeof (chosen as Partial<PromiseLike<unknown>>).then !== 'function';
      if (isStep) return preparationOf(chosen as PreprocessingOption);
      const subject = 'What the function of `preprocessing` gives';
      throw new AdapterError(sentence(subject, 'be a transformer or a list of them', chosen), {
        code: 'preprocessing_failed',
      });
    },
    fit: () => Promise.reject(unable('have the parameters of a trial before it is fitted')),
    load,
    toJSON() {
      throw unable('hold steps of cvkit/preprocessing to be written as JSON');
    },
  };
}

/** The preparation that `toJSON` told of, for this same run elsewhere: its modules are the caller's. */
export const preparationFrom = (json: unknown): Preparation =>
  preparationOf(transformerFromJSON(json, { modules: 'allow' }));

/** What loads preparations that were saved, whatever their steps. */
export const loadingPreparation = (asked: ModulesOption): Preparation => ({
  described: '',
  globalSteps: [],
  learns: false,
  stepNames: undefined,
  withParams: () => loadingPreparation(asked),
  frozen: () => [],
  resamplers: [],
  imputers: [],
  hold: async () => async () => undefined,
  embedded: () => undefined,
  fit: () => Promise.reject(new Error('a preparation that is loaded is fitted')),
  load: (json) => fittedPreparation(transformerFromJSON(json, asked) as AnyTransformer, undefined),
  toJSON: () => null,
});

/** Of a run that is still here: the modules that its steps name are the caller's. */
const load = loadingPreparation({ modules: 'allow' }).load;

/** `like`: prepared rows, for shape and names; left out where none are known yet. */
function fittedPreparation(
  step: AnyTransformer,
  like: Pick<Rows, 'kind' | 'rowShape' | 'featureNames'> | undefined,
): FittedPreparation {
  const steps = step instanceof Pipeline ? step.transformers() : [step];
  return {
    step,
    through: (X) => rowsThrough(steps, X, like ?? { kind: 'dense', rowShape: undefined, featureNames: undefined }),
  };
}

/** The steps that do something themselves, within pipelines and column transformers. */
function innermost(step: AnyTransformer): readonly AnyTransformer[] {
  if (step instanceof Pipeline) return step.transformers().flatMap(innermost);
  if (!(step instanceof ColumnTransformer)) return [step];
  return step.transformers.flatMap(([, inner]) => (typeof inner === 'string' ? [] : innermost(inner)));
}

/** Opens what the steps need; what was opened before a failure is closed again. */
async function holdAll(pipeline: Pipeline): Promise<() => Promise<void>> {
  const held: (() => Promise<void>)[] = [];
  const close = () => cleanUpAll(held);
  await cleanupOnError(async () => {
    for (const step of innermost(pipeline)) {
      if (step instanceof Transformer && step.hold) held.push(await step.hold());
    }
  }, close);
  return close;
}

/** The rows after fitted steps, prepared when they are read. `like`: rows that have been through the steps. */
const rowsThrough = (
  steps: readonly AnyTransformer[],
  X: Rows,
  like: Pick<Rows, 'kind' | 'rowShape' | 'featureNames'>,
): Rows =>
  whenRead(X, like, async (rows) => {
    const made = transformSteps(steps, new Stage({ rows }), true);
    const stage = await made.catch((error) => refusedBy(error, rows, undefined));
    await checkPrepared(steps, rows, stage);
    return stage.rows();
  });
