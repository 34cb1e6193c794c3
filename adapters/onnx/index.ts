import { cleanUpAll, cleanupOnError } from '../../src/core/cleanup.js';
import { AdapterError, InvalidOptionError, phrase, sentence, show } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { logistic } from '../../src/core/numbers.js';
import { product } from '../../src/data/dense.js';
import type { Label } from '../../src/data/labels.js';
import { hasOnnxShape } from '../../src/data/modelShapes.js';
import type { Rows } from '../../src/data/rows.js';
import { rowsOfTargets } from '../../src/data/targets.js';
import type {
  AdapterCapabilities,
  FrameworkAdapter,
  LabelFacts,
  Predictions,
} from '../../src/runner/frameworkAdapter.js';
import { classOf } from '../inputs.js';
import { type LoadedModel, OnnxFile, type OnnxPort } from './onnxFile.js';
import { readOnnxModel } from './onnxModel.js';
import { type OnnxSettings, onnxOptions } from './options.js';
import { chosenOutput, notFinite, type OutputRows, outputError, outputRows, wrongOutput } from './outputs.js';
import { type OnnxImports, openRuntime, runtimeImports, runtimeOf } from './runtime.js';

export { OnnxEmbedding } from './onnxEmbedding.js';
export { type OnnxModel, onnxModel } from './onnxModel.js';
export type { OnnxEmbeddingOptions, OnnxModelOptions } from './options.js';

/** Options of `createOnnxAdapter`. */
export interface OnnxAdapterOptions {
  /** How the runtimes are loaded, by the name of their package. */
  readonly imports?: Partial<OnnxImports>;
}

class FrozenModel {
  constructor(
    readonly file: OnnxFile,
    readonly settings: OnnxSettings,
  ) {}
}

const capabilities = (gives: OnnxSettings['gives']): AdapterCapabilities => ({
  trains: false,
  epochs: false,
  probabilities: gives !== 'labels',
  labelsFromProbabilities: true,
  saves: false,
  why: 'an ONNX model can only predict',
});

/**
 * Makes an adapter for ONNX models. A file is loaded once for all folds, and released when the run ends, also by an error.
 *
 * @example
 * const own = createOnnxAdapter({ imports: { 'onnxruntime-node': () => import('onnxruntime-node') } });
 * console.log(own.name, own.capabilities.trains);
 */
export function createOnnxAdapter({ imports }: OnnxAdapterOptions = {}): FrameworkAdapter {
  const packages: OnnxImports = { ...runtimeImports, ...imports };

  const under = (engine: Readonly<Record<string, unknown>>, files: Files, gives?: OnnxSettings['gives']) => {
    const adapter: FrameworkAdapter<FrozenModel> = {
      name: 'onnx',
      capabilities: capabilities(gives),
      matches: (model) => model instanceof FrozenModel || hasOnnxShape(model),
      async open(options, model) {
        const { runtime, ort } = onnxOptions.resolve(options);
        const opened: Files = new Set();
        const close = () => cleanUpAll(Array.from(opened, releaseOf));
        if (model === undefined) {
          const { info } = ort ? runtimeOf(ort) : await openRuntime(runtime, packages);
          return { info, adapter: under(options, opened), close };
        }
        return cleanupOnError(async () => {
          const { settings, held } = await openFile(model, options, opened);
          const { info, about, rowsAtATime } = held.model;
          const warnings =
            rowsAtATime === 1 ? ['The ONNX model takes one row at a time, so rows are predicted one by one.'] : [];
          return { info, about, warnings, adapter: under(options, opened, settings.gives), close };
        }, close);
      },
      async build(source, ctx) {
        const model = typeof source === 'function' ? await source(ctx) : source;
        if (model instanceof FrozenModel) return model;
        const { settings, held } = await openFile(model, engine, files);
        checkSettings(settings, ctx);
        return new FrozenModel(held.file, settings);
      },
      fit() {
        throw new AdapterError('An ONNX model can only predict. Got training. Leave out the options of training.', {
          code: 'cannot_train',
        });
      },
      // Loads the file again where the run that held it is over, for an ensemble.
      predict: ({ file, settings }, X, facts) => file.use((model) => predict(model, X, facts, settings)),
      borrowed: () => true,
    };
    return adapter as FrameworkAdapter;
  };

  async function openFile(model: unknown, engine: Readonly<Record<string, unknown>>, files: Files) {
    const hold = async (file: OnnxFile, source: unknown, key = '', ort?: object) => {
      const opened: Opened = { source, key, ort, held: file.hold().then((hold) => ({ ...hold, file })) };
      files.add(opened);
      await opened.held.catch((error) => {
        files.delete(opened);
        throw error;
      });
      return opened.held;
    };
    if (model instanceof FrozenModel) return { settings: model.settings, held: await hold(model.file, model.file) };
    const { source, settings } = readOnnxModel(model, engine);
    const place = source instanceof URL ? String(source) : source;
    const { output, runtime, sessionOptions, ort } = settings;
    const key = JSON.stringify([output, runtime, sessionOptions]);
    const known = [...files].find((each) => each.source === place && each.key === key && each.ort === ort);
    const held = known?.held ?? hold(new OnnxFile(source, settings, packages), place, key, ort);
    return { settings, held: await held };
  }
  return under({}, new Set());
}

interface Opened {
  readonly source: unknown;
  readonly key: string;
  readonly ort?: object | undefined;
  readonly held: Promise<Awaited<ReturnType<OnnxFile['hold']>> & { readonly file: OnnxFile }>;
}
type Files = Set<Opened>;

function releaseOf({ held }: Opened): () => Promise<void> {
  return async () => (await held).release();
}

/**
 * The adapter of ONNX files, which predict and are not trained: `model: onnxModel(file, options)`. It needs onnxruntime-node, or
 * onnxruntime-web in a page.
 *
 * @example
 * import { chestDrawings } from './node_modules/cvkit/models/scripts/chestDrawings.mjs';
 * const { X, y } = chestDrawings(randomSource(1), { n: 100 });
 * const file = 'node_modules/cvkit/models/trained/chest-drawings-onnx/model.onnx';
 * const native = new UniversalCVRunner({ cvSplitter, adapterOptions: { runtime: 'node' }, verbose: 0 });
 * const results = await native.run({ model: onnxModel(file, { gives: 'logits' }), data: [X, y] });
 * console.log(results.meanScores.roc_auc);
 */
export const onnxAdapter: FrameworkAdapter = createOnnxAdapter();

/** Probabilities `[n, 1]` of the positive class or `[n, classes]`, labels, numbers for a regression, or risks and survival. */
async function predict(model: LoadedModel, X: Rows, facts: LabelFacts, settings: OnnxSettings): Promise<Predictions> {
  const port = chosenOutput(model, settings.output, settings.gives === 'labels' ? 'labels' : 'numbers');
  if (settings.gives === 'logits') refuseProbabilities(model, port);
  const found = await outputRows(model, port, X, settings);
  if (settings.gives === 'labels') return { values: labels(port, found, facts) };
  const width = product(found.rowShape);
  const data = finite(port, found, width);
  if (facts.task === 'regression') {
    const targets = facts.classes.length;
    const must = targets > 0 ? `be ${targets} numbers per row` : 'be one number per row';
    if (width !== (targets || 1)) throw wrongOutput(port, must, `${width} per row`);
    return { values: targets > 0 ? rowsOfTargets(data, width) : data };
  }
  if (facts.task === 'survival') return timed(port, data, width, settings.times);
  if (settings.gives === 'logits') refuseLikeProbabilities(data, width, facts);
  const columns = facts.task === 'multilabel' ? undefined : columnClasses(model, width, facts, settings);
  checkWidth(port, width, facts, found);
  const fromLogits = () => (facts.task !== 'multilabel' && width > 1 ? softmaxOf(data, width) : data.map(logistic));
  const probabilities = settings.gives === 'logits' ? fromLogits() : stated(port, data, width, facts);
  return { probabilities: { data: probabilities, shape: [X.length, width] }, ...(columns ? { classes: columns } : {}) };
}

/** Survival at `times`, else one column of risks. */
function timed(port: OnnxPort, data: Float64Array, width: number, times?: readonly number[]): Predictions {
  const wanted = times?.length ?? 1;
  if (width !== wanted) {
    const way = times ? undefined : 'Pass `times` if they are probabilities of no event.';
    const must = times ? `have ${wanted} columns, survival at each of \`times\`` : 'be one column, a risk';
    throw wrongOutput(port, must, `${width} per row`, way);
  }
  if (!times) return { risk: data };
  const n = data.length / width;
  const risk = Float64Array.from({ length: n }, (_, row) => 1 - data[(row + 1) * width - 1]);
  return { risk, survival: { data, shape: [n, width], times } };
}

function checkSettings({ gives, classes, times }: OnnxSettings, { task }: Pick<LabelFacts, 'task'>): void {
  if (times !== undefined && task !== 'survival') {
    throw idleOption('`times`', 'y has no time and event per row. Leave it out');
  }
  if (task === 'regression' || task === 'survival') {
    const idle = gives === undefined ? (classes === undefined ? undefined : 'classes') : 'gives';
    if (idle === undefined) return;
    const why = {
      regression: "y holds numbers, so the task is a regression. Leave it out, or pass task: 'classification'",
      survival: 'y holds outcomes by time, for which the output is a risk, or survival at `times`. Leave it out',
    };
    throw idleOption(`\`${idle}\``, why[task]);
  }
  if (gives === undefined) {
    const subject = 'The `gives` option of onnxModel';
    const must = "say what the output holds: 'probabilities', 'logits' or 'labels'";
    const way = "Pass task: 'regression' instead if y is a measurement.";
    throw new InvalidOptionError(sentence(subject, must, phrase('nothing'), way), { code: 'missing_option' });
  }
  if (classes !== undefined && (task === 'multilabel' || gives === 'labels')) {
    const why = gives === 'labels' ? 'the model gives labels themselves' : 'y has several labels, in its own order';
    throw idleOption('`classes`', `${why}. Leave it out`);
  }
}

const idleOption = (name: string, why: string) =>
  new InvalidOptionError(`The ${name} option of onnxModel has no effect: ${why}.`, { code: 'idle_option' });

/** Softmax of probabilities would look plausible and be wrong: the file may show what they are. */
function refuseProbabilities({ probabilitiesBy }: LoadedModel, { name }: OnnxPort): void {
  const why = probabilitiesBy.get(name);
  if (why !== undefined) throw notLogits(`'logits' for '${nameText(name)}', which comes from ${why}`);
}

const notLogits = (got: string) =>
  new InvalidOptionError(
    sentence('The `gives` option of onnxModel', "be 'probabilities' for an output that holds them", phrase(got)),
  );

/** Rows below which numbers between 0 and 1 may be chance. */
const FEW = 20;

function refuseLikeProbabilities(data: Float64Array, width: number, { task }: LabelFacts): void {
  const rows = data.length / width;
  if (rows < FEW || data.some((value) => value < 0 || value > 1)) return;
  for (let row = 0; width > 1 && task !== 'multilabel' && row < rows; row++) {
    const total = data.subarray(row * width, (row + 1) * width).reduce((sum, p) => sum + p, 0);
    if (Math.abs(total - 1) > ROUNDING) return;
  }
  throw notLogits(
    `'logits' for numbers that all lie from 0 to 1${width > 1 && task !== 'multilabel' ? ', with a sum of 1 in each row' : ''}`,
  );
}

function columnClasses(
  model: LoadedModel,
  width: number,
  { classes }: LabelFacts,
  { classes: own }: OnnxSettings,
): readonly Label[] | undefined {
  if (width === 1) {
    if (own === undefined) return undefined;
    if (own.length === 1 && classes.includes(own[0])) return [own[0]];
    const must = 'be the one class of y whose probability the one column of the output holds';
    const got = phrase(own.length === 1 ? 'another label' : `${own.length} labels`);
    throw new InvalidOptionError(sentence(OPTION, must, got, 'Leave it out for P(positive).'));
  }
  const order = own ? Array.from(own) : model.classes;
  if (own && model.classes) refuseOtherOrder(Array.from(own), model.classes);
  if (order) return inWordsOfY(order, classes, own ? OPTION : 'The classes in the ONNX model');
  // Labels 0, 1, 2, ... and false, true are places themselves.
  if (classes.every((label, at) => typeof label !== 'string' && Number(label) === at)) return classes;
  const must = 'name the class of each column of the output, because neither the file nor labels 0, 1, 2, ... tell it';
  const way = `Pass the ${classes.length} labels of y in the order of the columns.`;
  throw new InvalidOptionError(sentence(OPTION, must, phrase('nothing'), way), { code: 'missing_option' });
}

const OPTION = 'The `classes` option of onnxModel';

function refuseOtherOrder(own: readonly Label[], known: readonly Label[]): void {
  const areSame = own.length === known.length && own.every((label) => known.includes(label));
  if (!areSame || own.every((label, at) => label === known[at])) return;
  const list = (labels: readonly Label[]) => labels.slice(0, MOST_CLASSES).map(show).join(', ');
  const must = `be in the order that the file has, ${list(known)}`;
  throw new InvalidOptionError(sentence(OPTION, must, phrase(list(own)), 'Leave it out.'));
}

/** Labels as y has them: 0 and 1 may stand for false and true. */
function inWordsOfY(own: readonly Label[], classes: readonly Label[], subject: string): readonly Label[] {
  const found = own.map((label) => classOf(label, classes));
  if (found.length === classes.length && new Set(found).size === classes.length && !found.includes(undefined)) {
    return found as Label[];
  }
  const must = `be the ${classes.length} classes of y`;
  const got = phrase(own.slice(0, MOST_CLASSES).map(show).join(', ') + (own.length > MOST_CLASSES ? ', ...' : ''));
  const way = 'Pass `classes`: the labels of y in the order of the columns.';
  throw new InvalidOptionError(sentence(subject, must, got, way), { code: 'unknown_label' });
}

const MOST_CLASSES = 8;

function checkWidth(port: OnnxPort, width: number, { task, classes }: LabelFacts, { rowShape }: OutputRows): void {
  if (width === classes.length || (task === 'binary' && width === 1)) return;
  const wanted =
    task === 'binary' ? 'one column, P(positive), or two' : `${classes.length} columns, one for each class`;
  throw wrongOutput(port, `have ${wanted}`, `rows of [${rowShape.join(', ')}]`);
}

function finite(port: OnnxPort, { data }: OutputRows, width: number): Float64Array {
  const numbers = data instanceof Float64Array ? data : Float64Array.from(data as ArrayLike<number>, Number);
  const bad = numbers.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return numbers;
  throw notFinite(port, numbers[bad], Math.floor(bad / width));
}

/** Sums of rounded numbers, of 16-bit floats say, miss 1 by this much. */
const ROUNDING = 1e-2;

function stated(port: OnnxPort, data: Float64Array, width: number, { task }: LabelFacts): Float64Array {
  const outside = data.findIndex((p) => p < -1e-6 || p > 1 + 1e-6);
  if (outside >= 0) throw notProbabilities(port, Math.floor(outside / width), 'a number outside of 0 to 1');
  if (task === 'multilabel' || width === 1) return data;
  const scaled = data.slice();
  for (let from = 0; from < data.length; from += width) {
    const total = data.subarray(from, from + width).reduce((sum, p) => sum + p, 0);
    if (Math.abs(total - 1) > ROUNDING) throw notProbabilities(port, from / width, `a sum of ${total.toPrecision(4)}`);
    for (let at = from; at < from + width; at++) scaled[at] /= total;
  }
  return scaled;
}

function notProbabilities(port: OnnxPort, row: number, got: string): AdapterError {
  const must = 'hold probabilities, as `gives` says';
  const way = "Pass gives: 'logits' if it holds logits; columns that do not sum to 1 need a y of several labels.";
  return outputError('invalid_probabilities', port, must, `${got} in row ${row} of the rows to predict`, way, row);
}

function softmaxOf(data: Float64Array, width: number): Float64Array {
  const out = new Float64Array(data.length);
  for (let from = 0; from < data.length; from += width) {
    const row = data.subarray(from, from + width);
    const most = row.reduce((a, b) => Math.max(a, b));
    let total = 0;
    for (let at = 0; at < width; at++) total += out[from + at] = Math.exp(row[at] - most);
    for (let at = 0; at < width; at++) out[from + at] /= total;
  }
  return out;
}

function labels(port: OnnxPort, { data, rowShape }: OutputRows, facts: LabelFacts): (Label | number[])[] {
  const width = product(rowShape);
  const plain = Array.from(data, (value) => (typeof value === 'bigint' ? Number(value) : value));
  if (facts.task === 'multilabel') {
    const rows = { length: plain.length / width };
    return Array.from(rows, (_, row) => plain.slice(row * width, (row + 1) * width) as number[]);
  }
  if (width !== 1) throw wrongOutput(port, 'be one label per row', `${width} per row`);
  const { classes } = facts;
  return plain.map((value, row) => {
    const label = classOf(value, classes);
    if (label !== undefined) return label;
    const subject = `The label that the ONNX model gives for row ${row} of the rows to predict`;
    const must = `be one of the ${classes.length} classes of y`;
    const got = phrase(typeof value === 'string' ? 'another text' : 'another number');
    throw new AdapterError(sentence(subject, must, got), { code: 'unknown_label', row });
  });
}
