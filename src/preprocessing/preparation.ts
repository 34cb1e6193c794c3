import { cleanUpAll, cleanupOnError } from '../core/cleanup.js';
import {
  AdapterError,
  InvalidDataError,
  InvalidOptionError,
  invalidData,
  phrase,
  sentence,
  show,
  threw,
} from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { withRowNumbers } from '../core/withRowNumbers.js';
import type { Labels } from '../data/labels.js';
import { blocksOf, mapParts } from '../data/rowKinds.js';
import type { Rows } from '../data/rows.js';
import { isMissing } from '../data/tableColumns.js';
import { ByInput } from './byInput.js';
import type { ModulesOption } from './functionTransformer.js';
import { type InputSteps, Pipeline, type PipelineStep } from './pipeline.js';
import { Resampler } from './resampler.js';
import { type AnyTransformer, copyOf, describedAs, stepToJSON, transformStep, transformSteps } from './step.js';
import { type RowsLike, readColumns, Stage, type Table, whenRead } from './table.js';
import { type StepParams, Transformer } from './transformer.js';
import { transformerFromJSON } from './transformerFromJSON.js';
import { partition, SHARING } from './withParams.js';

export interface FittedPreparation {
  /** The fitted transformer, for the caller: the one that was given, or a `Pipeline` of several. */
  readonly step: AnyTransformer;
  /** The rows, prepared when they are read. `numbers`: of the rows in the data, for messages; left out, they tell places. */
  through(X: Rows, numbers?: Int32Array): Rows;
}

export interface PreparedRows {
  readonly prepared: FittedPreparation;
  readonly X: Rows;
  /** Where rows were resampled: for each row of X, the place of the given row whose label and weight it has. */
  readonly rows: Int32Array | undefined;
}

/** The caller's transformers are never fitted: each fold has copies. */
export interface Preparation {
  readonly described: string;
  /** Steps that the caller declares to use statistics of other rows than those of the fold. */
  readonly globalSteps: readonly string[];
  readonly learns: boolean;
  frozen(): readonly string[];
  /** Names of the steps, which parameters such as `scale__withMean` begin with; undefined where a function chooses them. */
  readonly stepNames: readonly string[] | undefined;
  /** They are the steps of a model that is a Pipeline: each fold has those of its own. */
  readonly ofModel?: true;
  /** With parameters of a trial: those of steps, which have `__` in their names; a function that chooses the steps takes all. */
  withParams(params: StepParams): Preparation;
  /** Throws where steps are for inputs that X has not. */
  checkInputs(X: Rows): void;
  readonly resamplers: readonly string[];
  readonly imputers: readonly string[];
  hold(): Promise<() => Promise<void>>;
  /** The rows as vectors that tell which are alike, where the first steps end in a frozen network and learn nothing. */
  embedded(X: Rows): Rows | undefined;
  /** Fits copies of the steps. `seed`: of what is drawn; `weight`: of each row; `places`: of the rows in the data, for messages. */
  fit(
    X: Rows,
    y: Labels,
    fitting: { readonly seed: number; readonly weight: Float64Array | undefined; readonly places?: Int32Array },
  ): Promise<PreparedRows>;
  load(json: unknown): FittedPreparation;
  /** The steps before they are fitted, as plain data. Throws where a step is a function or a class of the caller. */
  toJSON(): unknown;
}

/** One transformer, a step that resamples, or a list of them, with names where they matter; a record: by the name of the input. */
export type PreprocessingOption =
  | PipelineStep
  | InputSteps
  | readonly (PipelineStep | InputSteps | readonly [name: string, step: PipelineStep | InputSteps])[];

// biome-ignore lint/suspicious/noExplicitAny: values of the caller's own parameters
export type PreprocessingFunction = (params: any) => PreprocessingOption;

/** Reads the option. `byParams`: it may be a function of the parameters of a trial. Else that is an {@link InvalidOptionError}. */
export function preparationOf(
  option: PreprocessingOption | PreprocessingFunction,
  { byParams = false }: { readonly byParams?: boolean } = {},
): Preparation {
  if (typeof option === 'function') {
    if (byParams) return chosenByParams(option);
    const way = 'A function of the parameters of a trial is for runWithHyperparameterTuning.';
    throw new InvalidOptionError(sentence(SUBJECT, 'be a transformer or a list of them', option, way));
  }
  const isList = Array.isArray(option);
  const alone = !isList && !(option instanceof Pipeline || option instanceof Resampler);
  const pipeline = option instanceof Pipeline ? option : new Pipeline(isList ? option : [option as PipelineStep]);
  if (pipeline.model) {
    const got = phrase(`the model '${nameText(pipeline.model[0])}' at the end`);
    throw new InvalidOptionError(sentence(SUBJECT, 'hold transformers alone', got, 'Pass it as `model`.'));
  }
  return preparationBy(pipeline, alone);
}

const SUBJECT = 'The `preprocessing` option';

/** The steps of a pipeline with a model at its end. Where folds run elsewhere, the module of the model brings them. */
export const preparationOfModel = (pipeline: Pipeline): Preparation => ({
  ...preparationBy(pipeline.parts({}).steps, false),
  stepNames: pipeline.stepNames(),
  ofModel: true,
  toJSON: () => undefined,
});

/** `alone`: its one step was given as it is. */
function preparationBy(pipeline: Pipeline, alone: boolean): Preparation {
  const [[, first]] = pipeline.steps;
  // Names of parameters begin with those of the inputs.
  const named = alone && first instanceof ByInput ? first : pipeline;
  return {
    stepNames: named.stepNames(),
    withParams(params) {
      const [ofSteps] = partition(params);
      if (ofSteps.length === 0) return this;
      const changed = named.withParams(Object.fromEntries(ofSteps), SHARING);
      return preparationBy(changed instanceof Pipeline ? changed : new Pipeline([changed]), alone);
    },
    checkInputs(X) {
      if (first instanceof ByInput) first.partsOf(X);
    },
    described: pipeline.describe(),
    globalSteps: pipeline.globalSteps(),
    learns: pipeline.learns,
    frozen: () => pipeline.frozenSteps(),
    resamplers: pipeline.resamplers(),
    imputers: pipeline.imputers(),
    hold: () => holdAll(pipeline),
    embedded(X) {
      const steps = pipeline.inner();
      const at = steps.findIndex((step) => step instanceof Transformer && step.frozenSteps().length > 0);
      const leading = steps.slice(0, at + 1);
      // Several inputs have no vectors of one scale.
      const isRowwise = leading.every(
        (step) => step instanceof Transformer && step.transformRows && !step.learns && !(step instanceof ByInput),
      );
      if (leading.length === 0 || !isRowwise) return undefined;
      return rowsThrough(leading, X);
    },
    async fit(X, y, fitting) {
      const copy = (await copyOf(pipeline)) as Pipeline;
      const fitted = copy.fitStage(new Stage({ rows: X }), y, fitting);
      const { stage, rows } = await fitted.catch((error) => refusedBy(error, X, fitting.places));
      const like = stage.rows();
      checkFeatures(copy, like);
      const prepared = fittedPreparation(alone ? (copy.steps[0][1] as AnyTransformer) : copy, like);
      // What is still to be read is looked at then.
      if (like.kind === 'source' && rows === undefined) return { prepared, X: prepared.through(X), rows };
      await checkPrepared(copy.inner(), X, stage, { rows, places: fitting.places });
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
    ...UNKNOWN,
    described: 'steps that a function of the parameters chooses',
    learns: true,
    withParams(params) {
      let chosen: unknown;
      try {
        chosen = choose(params);
      } catch (error) {
        threw('The function of `preprocessing`', 'give the steps for the parameters', 'preprocessing_failed')(error);
      }
      const isStep = typeof chosen === 'object' && chosen !== null && !('then' in chosen);
      if (isStep) return preparationOf(chosen as PreprocessingOption);
      const subject = 'What the function of `preprocessing` gives';
      const must = 'be a transformer or a list of them';
      throw new AdapterError(sentence(subject, must, chosen), { code: 'preprocessing_failed' });
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

/** What is known of steps that are not there yet. */
const UNKNOWN = {
  globalSteps: [],
  stepNames: undefined,
  checkInputs: () => undefined,
  frozen: () => [],
  resamplers: [],
  imputers: [],
  hold: async () => async () => undefined,
  embedded: () => undefined,
};

export const loadingPreparation = (modules: ModulesOption): Preparation => ({
  ...UNKNOWN,
  described: '',
  learns: false,
  withParams: () => loadingPreparation(modules),
  fit: () => Promise.reject(new Error('a preparation that is loaded is fitted')),
  load: (json) => fittedPreparation(transformerFromJSON(json, modules) as AnyTransformer, undefined),
  toJSON: () => null,
});

/** Of a run that is still here: the modules that its steps name are the caller's. */
const load = loadingPreparation({ modules: 'allow' }).load;

const fittedPreparation = (step: AnyTransformer, like: RowsLike | undefined): FittedPreparation => ({
  step,
  through: (X, numbers) => rowsThrough(step instanceof Pipeline ? step.inner() : [step], X, like, numbers),
});

async function holdAll(pipeline: Pipeline): Promise<() => Promise<void>> {
  const held: (() => Promise<void>)[] = [];
  const close = () => cleanUpAll(held);
  const hold = async (steps: ReturnType<Transformer['inner']>) => {
    for (const step of steps) {
      if (!(step instanceof Transformer)) continue;
      if (step.hold) held.push(await step.hold());
      await hold(step.inner());
    }
  };
  await cleanupOnError(() => hold(pipeline.inner()), close);
  return close;
}

/** The rows after fitted steps, prepared when they are read. `like`: rows that have been through the steps, where there are any. */
const rowsThrough = (
  steps: readonly AnyTransformer[],
  X: Rows,
  like: RowsLike = { kind: 'dense', rowShape: undefined, featureNames: undefined },
  numbers?: Int32Array,
): Rows => {
  const prepare = async (rows: Rows) => {
    const after = transformSteps(steps, new Stage({ rows }), true);
    const stage = await after.catch((error) => refusedBy(error, rows, undefined));
    await checkPrepared(steps, rows, stage);
    return stage.rows();
  };
  const prepareAt = (rows: Rows, places?: Int32Array) =>
    places ? withRowNumbers(places, () => prepare(rows), numbers !== undefined) : prepare(rows);
  return whenRead(X, like, prepareAt, numbers);
};

/** Rows without a column tell a model nothing, and some models train on them all the same. */
function checkFeatures(fitted: Pipeline, after: Pick<Rows, 'rowShape' | 'parts'>): void {
  if (!Object.values(after.parts ?? [after]).some(({ rowShape }) => rowShape?.includes(0))) return;
  const choices = fitted.matchedNothing();
  let [got, way] = [`none from ${fitted.describe()}`, 'Mend the step that leaves out all columns.'];
  if (choices.length > 0) {
    got = `none: in ColumnTransformer no column was matched by ${choices.join(', ')}`;
    way = "Choose columns that X has, or pass remainder: 'passthrough'.";
  }
  throw invalidData('no_features', 'The prepared rows', 'have at least one column', got, way);
}

// Finds what a step broke: a row of X without missing cells must reach the model without missing cells, and one without
// infinite numbers without those. A step in between may leave a hole that a later one fills.

type Fault = 'missing' | 'infinite';

/** Rows with such cells, by their place, each with the column of its first cell of each fault; null where rows are no table. */
type InvalidRows = Map<number, Partial<Record<Fault, { readonly column: string | null }>>>;

function noteCells(
  found: InvalidRows,
  cells: ArrayLike<unknown>,
  column: string | null,
  rowOf: (at: number) => number,
) {
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at];
    // A finite number less itself is 0, and nearly all cells are finite numbers.
    if (typeof cell === 'number' && cell - cell === 0) continue;
    const isInfinite = cell === Infinity || cell === -Infinity;
    if (!isInfinite && !isMissing(cell)) continue;
    const faults = found.get(rowOf(at)) ?? {};
    faults[isInfinite ? 'infinite' : 'missing'] ??= { column };
    found.set(rowOf(at), faults);
  }
}

async function invalidRows(stage: Stage): Promise<InvalidRows> {
  const found: InvalidRows = new Map();
  if (stage.isFinite) return found;
  const noteTable = ({ columns, names }: Table, from = 0) => {
    for (const [at, column] of columns.entries()) noteCells(found, column, names[at], (row) => from + row);
  };
  if (stage.known) {
    noteTable(stage.known);
    return found;
  }
  // Block by block: images need not be in memory twice.
  const rows = stage.rows();
  for (const [input, part] of Object.entries(rows.parts ?? {})) {
    for (const [row, faults] of await invalidRows(new Stage({ rows: part }))) {
      found.set(row, { ...mapParts(faults, ({ column }) => ({ column: column ?? input })), ...found.get(row) });
    }
  }
  if (rows.parts) return found;
  for (const block of blocksOf(rows)) {
    const part = rows.take(block);
    if (part.rowShape?.length === 1) noteTable(await readColumns(part), block[0]);
    else {
      const { data } = await part.toDense();
      noteCells(found, data, null, (at) => block[0] + Math.floor((at * part.length) / data.length));
    }
  }
  return found;
}

/**
 * Throws {@link AdapterError} that names the step, the column and the row where a row became worse on its way, and
 * {@link InvalidDataError} where X itself holds an infinite number, which is the likelier cause.
 *
 * @param rows for each row that reaches the model its place in X, where they were resampled
 * @param places for each row of X its place in the data, for messages
 */
async function checkPrepared(
  steps: readonly AnyTransformer[],
  X: Rows,
  after: Stage,
  { rows, places }: { readonly rows?: Int32Array; readonly places?: Int32Array } = {},
): Promise<void> {
  const found = await worsened(steps, X, after, rows);
  if (found) throw (await infiniteIn(X, places)) ?? (await brokenBy(steps, X, found));
}

interface Worse {
  readonly row: number;
  readonly fault: Fault;
  readonly column: string | null;
}

async function worsened(
  steps: readonly AnyTransformer[],
  X: Rows,
  after: Stage,
  rows?: Int32Array,
): Promise<Worse | undefined> {
  const invalid = await invalidRows(after);
  if (invalid.size === 0) return undefined;
  const places = Array.from(invalid.keys(), (row) => (rows ? rows[row] : row));
  const before = await invalidRows(new Stage({ rows: X.take(Int32Array.from(places)) }));
  const wanted = steps.some((step) => step.makesMissing === true);
  for (const [at, { infinite, missing }] of Array.from(invalid.values()).entries()) {
    if (infinite && !before.get(at)?.infinite) return { row: places[at], fault: 'infinite', ...infinite };
    if (missing && !wanted && !before.get(at)?.missing) return { row: places[at], fault: 'missing', ...missing };
  }
  return undefined;
}

const WORDS = {
  missing: {
    noun: 'missing cell',
    got: 'NaN, null or undefined',
    way: 'Mend the step, or let a SimpleImputer after it fill such cells.',
  },
  infinite: { noun: 'infinite number', got: 'an infinite number', way: 'Mend the step.' },
};

/** An infinite number in one row of X breaks what is learnt from all of them, so that other rows become worse. */
async function infiniteIn(X: Rows, places: Int32Array | undefined): Promise<InvalidDataError | undefined> {
  for (const [row, { infinite }] of await invalidRows(new Stage({ rows: X }))) {
    if (!infinite) continue;
    const where = infinite.column === null ? '' : `, column ${show(infinite.column)},`;
    const of = places ? 'X' : `the ${X.length} rows that are prepared`;
    const subject = `Row ${places ? places[row] : row}${where} of ${of}`;
    const way = 'Write null for what is not known, and fill it by a SimpleImputer.';
    return invalidData('not_finite', subject, 'hold finite numbers', 'an infinite number', way);
  }
  return undefined;
}

/** A step refused the rows. Of an infinite number in X the row is told; the step knows its column alone. */
async function refusedBy(error: unknown, X: Rows, places: Int32Array | undefined): Promise<never> {
  const isInfinite = error instanceof InvalidDataError && error.code === 'infinite_cells';
  throw (isInfinite && (await infiniteIn(X, places))) || error;
}

/** Names the first step after which some rows are worse; what a later step mended does not count. */
async function brokenBy(steps: readonly AnyTransformer[], X: Rows, atEnd: Worse): Promise<AdapterError> {
  let at = new Stage({ rows: X });
  let first: (Worse & { readonly by: string }) | undefined;
  for (const step of steps) {
    at = await transformStep(step, at);
    const found = await worsened(steps, X, at);
    first = found && (first ?? { ...found, by: nameText(describedAs(step)) });
  }
  const { row, fault, column, by } = first ?? { ...atEnd, by: 'the preparation' };
  const { noun, got, way } = WORDS[fault];
  const place = column === null ? '' : ` in the column ${show(column)}`;
  const text = phrase(`${got}${place}, in row ${row} of the ${X.length} that it was given`);
  return new AdapterError(sentence(`What ${by} gives`, `have no ${noun} in a row that had none`, text, way), {
    code: fault === 'missing' ? 'made_missing' : 'made_infinite',
    row,
  });
}
