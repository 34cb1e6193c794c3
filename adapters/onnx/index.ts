/** The adapter for ONNX models: frozen networks and classifiers of other tools, which predict and are not trained. */
import { cleanUpAll, cleanupOnError } from '../../src/core/cleanup.js';
import { AdapterError } from '../../src/core/errors.js';
import { looksLikeOnnx } from '../../src/data/modelShapes.js';
import type { AdapterCapabilities, FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import { OnnxFile, type OnnxSource } from './onnxFile.js';
import { readOnnxModel } from './onnxModel.js';
import { type OnnxSettings, onnxOptions } from './options.js';
import { checkSaid, predict } from './predict.js';
import { defaultImports, type OnnxImports, openRuntime, runtimeOf } from './runtime.js';

export { OnnxEmbedding } from './onnxEmbedding.js';
export { type OnnxModel, onnxModel } from './onnxModel.js';
export type { OnnxEmbeddingOptions, OnnxModelOptions } from './options.js';

export interface OnnxAdapterOptions {
  /** How the runtimes are loaded, by the name of their package. */
  readonly imports?: Partial<OnnxImports>;
}

/** The model of a fold: the file that all folds share, and what was said of it. */
class FrozenModel {
  readonly file: OnnxFile;
  readonly settings: OnnxSettings;

  constructor(file: OnnxFile, settings: OnnxSettings) {
    this.file = file;
    this.settings = settings;
  }
}

const capabilities = (gives: OnnxSettings['gives']): AdapterCapabilities => ({
  trains: false,
  epochs: false,
  probabilities: gives !== 'labels',
  labelsFromProbabilities: true,
  saves: false,
  why: 'an ONNX model can only predict',
});

/** Makes an adapter for ONNX models. A file is loaded once for all folds, and released when the run ends, also by an error. */
export function createOnnxAdapter({ imports }: OnnxAdapterOptions = {}): FrameworkAdapter {
  const packages: OnnxImports = { ...defaultImports, ...imports };

  /** The adapter under the options of one session. `files`: those of the session, by what tells them apart. */
  const under = (engine: Readonly<Record<string, unknown>>, files: Files, gives?: OnnxSettings['gives']) => {
    const adapter: FrameworkAdapter<FrozenModel> = {
      name: 'onnx',
      capabilities: capabilities(gives),
      matches: (model) => model instanceof FrozenModel || looksLikeOnnx(model),
      async open(options, model) {
        const { runtime, ort } = onnxOptions.resolve(options);
        const opened: Files = new Map();
        const close = () => cleanUpAll([...opened.values()].map((held) => async () => (await held).release()));
        if (model === undefined) {
          const { info } = ort ? runtimeOf(ort) : await openRuntime(runtime, packages);
          return { info, adapter: under(options, opened), close };
        }
        return cleanupOnError(async () => {
          const { settings, held } = await openFile(model, options, opened);
          const { info, about, rowsAtATime } = (await held).model;
          const warnings =
            rowsAtATime === 1 ? ['The ONNX model takes one row at a time, so rows are predicted one by one.'] : [];
          return { info, about, warnings, adapter: under(options, opened, settings.gives), close };
        }, close);
      },
      async build(source, ctx) {
        const given = typeof source === 'function' ? await source(ctx) : source;
        if (given instanceof FrozenModel) return given;
        const { settings, held } = await openFile(given, engine, files);
        checkSaid(settings, ctx);
        return new FrozenModel((await held).file, settings);
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

  /** The file of a model, held by the session. */
  async function openFile(model: unknown, engine: Readonly<Record<string, unknown>>, files: Files) {
    if (model instanceof FrozenModel) {
      const { file, settings } = model;
      const held = file.hold().then((hold) => ({ ...hold, file }));
      await held;
      files.set(`kept ${numberOf(file)}`, held);
      return { settings, held };
    }
    const { source, settings } = readOnnxModel(model, engine);
    const key = keyOf(source, settings);
    const known = files.get(key);
    if (known) return { settings, held: known };
    const file = new OnnxFile(source, settings, packages);
    const held = file.hold().then((hold) => ({ ...hold, file }));
    files.set(key, held);
    await held.catch((error) => {
      files.delete(key);
      throw error;
    });
    return { settings, held };
  }
  return under({}, new Map());
}

type Files = Map<string, Promise<Awaited<ReturnType<OnnxFile['hold']>> & { readonly file: OnnxFile }>>;

/** Equal for models that can share a session. */
function keyOf(source: OnnxSource, { output, runtime, sessionOptions, ort }: OnnxSettings): string {
  const place = typeof source === 'string' || source instanceof URL ? String(source) : numberOf(source);
  return JSON.stringify([place, output, runtime, sessionOptions, ort && numberOf(ort)]);
}

const numbers = new WeakMap<object, number>();
let last = 0;

/** A number that stands for an object as long as it lives. */
function numberOf(object: object): number {
  const known = numbers.get(object) ?? ++last;
  numbers.set(object, known);
  return known;
}

/** The adapter with the runtimes that are installed. */
export const onnxAdapter: FrameworkAdapter = createOnnxAdapter();
