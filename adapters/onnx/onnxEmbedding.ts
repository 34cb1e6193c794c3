import { sha256 } from '#io';
import { cleanupOnError } from '../../src/core/cleanup.js';
import { InvalidDataError, InvalidOptionError, phrase, sentence, show } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { checkedShape, fields, leaf, orNull, text } from '../../src/core/shape.js';
import { VERSION } from '../../src/core/version.js';
import { product } from '../../src/data/dense.js';
import { rowNumbers } from '../../src/data/labels.js';
import { type InputRows, type Rows, rowsOf } from '../../src/data/rows.js';
import {
  addedTransformers,
  type Changing,
  FixedTransformer,
  inStep,
  optionsWith,
  type StepParams,
  type TransformerJSON,
} from '../../src/preprocessing/transformer.js';
import { type LoadedModel, OnnxFile, type OnnxSource } from './onnxFile.js';
import { onnxModel } from './onnxModel.js';
import { type OnnxEmbeddingOptions, onnxEmbeddingOptions } from './options.js';
import { chosenOutput, notFinite, outputRows } from './outputs.js';

interface Vector {
  readonly data: Float32Array;
  readonly rowShape: readonly number[];
}

/**
 * The vectors that a frozen ONNX network makes of rows, as a step of a preparation: a model that is trained in each fold
 * takes them in place of images. It learns nothing from the rows. Each row is computed once and kept by its content, so
 * that folds, epochs and the check for near-duplicates share one pass over the images; one session serves all of them.
 *
 * The network may be the reason for scores that are too good, if it was trained on these rows: reports list it.
 *
 * @param source path or URL of an `.onnx` file, its bytes, or an `InferenceSession` of onnxruntime
 * @param options `output`: the tensor to take, an inner one too; without it, the only output
 * @throws {AdapterError} the source is none of these, or has no such tensor.
 * @example
 * import { chestDrawings } from './node_modules/cvkit/models/scripts/chestDrawings.mjs';
 * const { X, y } = chestDrawings(randomSource(1), { n: 100 });
 * const file = 'node_modules/cvkit/models/trained/chest-drawings-onnx/model.onnx';
 * const embedding = new OnnxEmbedding(file, { output: 'features' });
 * const results = await runner.run({ model, data: [X, y], preprocessing: [embedding, new StandardScaler()] });
 * console.log(results.meanScores.roc_auc);
 */
export class OnnxEmbedding extends FixedTransformer {
  static readonly options = onnxEmbeddingOptions;
  readonly name = 'OnnxEmbedding';
  readonly #source: OnnxSource;
  readonly #written: OnnxEmbeddingOptions;
  readonly #options: ReturnType<typeof onnxEmbeddingOptions.resolve>;
  readonly #file: OnnxFile;
  readonly #kept = new Map<string, Promise<Vector>>();
  #computed = 0;
  #columns: readonly string[] | undefined;
  #facts = '';
  /** Of the file: what was loaded, or what JSON says of it. */
  #sha256: string | undefined;

  constructor(source: OnnxSource, options: OnnxEmbeddingOptions = {}) {
    super();
    this.#source = onnxModel(source).onnx;
    this.#written = options;
    this.#options = onnxEmbeddingOptions.resolve(options);
    this.#file = new OnnxFile(source, this.#options);
  }

  /** The step that `toJSON` wrote. The file must still be the same one. */
  static fromJSON({ options, fitted }: TransformerJSON): OnnxEmbedding {
    const { source, isURL, ...written } = options as OnnxEmbeddingOptions & { source: string; isURL: boolean };
    const subject = 'The JSON of an OnnxEmbedding';
    const isPlace = () => typeof source === 'string' && (isURL === false || (isURL === true && URL.canParse(source)));
    checkedShape(leaf('name a file by `source` and `isURL`', isPlace), { source, isURL }, subject);
    const known = checkedShape<{ sha256: string } | null>(orNull(fields({ sha256: text })), fitted, subject);
    const embedding = new OnnxEmbedding(isURL ? new URL(source) : source, written);
    embedding.#sha256 = known?.sha256;
    return embedding;
  }

  get computed(): number {
    return this.#computed;
  }

  getFeatureNamesOut(): readonly string[] {
    if (this.#columns) return this.#columns;
    const must = 'be requested after rows were transformed';
    throw new InvalidOptionError(sentence('The names of embeddings', must, phrase('none yet, or no vectors')));
  }

  getParams(): ReturnType<typeof onnxEmbeddingOptions.resolve> & { readonly source: OnnxSource } {
    return { ...this.#options, source: this.#source };
  }

  /** Another one, which computes its rows itself. Also takes `source`. */
  withParams({ source, ...params }: StepParams, { path }: Pick<Changing, 'path'> = { path: [] }): this {
    const written = optionsWith(onnxEmbeddingOptions, this.#written, params);
    return inStep(path, () => new OnnxEmbedding((source ?? this.#source) as OnnxSource, written)) as this;
  }

  toJSON(): TransformerJSON {
    const isURL = this.#source instanceof URL;
    const invalid = isURL || typeof this.#source === 'string' ? this.#written.ort : this.#source;
    if (invalid) {
      const must = 'come from a path or URL, and have options of plain data';
      const subject = 'An OnnxEmbedding to be written as JSON';
      throw new InvalidOptionError(sentence(subject, must, phrase(show(invalid))), { code: 'not_plain' });
    }
    const options = { ...this.#written, source: String(this.#source), isURL };
    const fitted = this.#sha256 === undefined ? null : { sha256: this.#sha256 };
    return { transformer: this.name, adapter: 'onnx', cvkit: VERSION, options, fitted };
  }

  describe(): string {
    const { output } = this.#options;
    const of =
      typeof this.#source === 'string' || this.#source instanceof URL ? baseName(String(this.#source)) : 'a model';
    return `OnnxEmbedding(${of}${output === undefined ? '' : `, ${nameText(output)}`})`;
  }

  override frozenSteps(): readonly string[] {
    return [`${this.describe()}${this.#facts}`];
  }

  override async hold(): Promise<() => Promise<void>> {
    const { model, release } = await this.#file.hold();
    return cleanupOnError(async () => {
      this.#checkFile(model);
      return release;
    }, release);
  }

  transformRows(X: Rows): Promise<Rows> {
    return this.#file.use(async (model) => {
      this.#checkFile(model);
      const vectors: Vector[] = [];
      const block = X.window ?? this.#options.batchSize;
      for (let from = 0; from < X.length; from += block) {
        const length = Math.min(block, X.length - from);
        const rows = X.take(Int32Array.from({ length }, (_, at) => from + at));
        for (const vector of await this.#vectorsOf(model, await rows.toInputs(), length, from)) vectors.push(vector);
      }
      return this.#asRows(vectors);
    });
  }

  /** A file that has changed would give other vectors under the same name. */
  #checkFile({ about, info }: LoadedModel): void {
    const { sha256: found } = about;
    if (this.#sha256 !== undefined && found !== undefined && found !== this.#sha256) {
      const subject = `The file of ${this.describe()}`;
      const got = phrase('another one: its SHA-256 differs');
      throw new InvalidDataError(sentence(subject, 'be the one that was saved', got), { code: 'other_transformer' });
    }
    this.#sha256 ??= found;
    this.#facts = ` on ${info.backend}${found === undefined ? '' : `, SHA-256 ${found.slice(0, 12)}`}`;
  }

  async #vectorsOf(model: LoadedModel, inputs: readonly InputRows[], length: number, first: number): Promise<Vector[]> {
    if (!this.#options.cache) return this.#compute(model, inputs, rowNumbers(length), first);
    const keys = await keysOf(inputs, length);
    const places = new Map<string, number>();
    for (const [at, key] of keys.entries()) if (!this.#kept.has(key) && !places.has(key)) places.set(key, at);
    if (places.size > 0) {
      const computed = this.#compute(model, inputs, Int32Array.from(places.values()), first);
      // At once, so that another fold that asks for the same rows meanwhile waits for these.
      for (const [at, key] of [...places.keys()].entries()) {
        this.#kept.set(
          key,
          computed.then((vectors) => vectors[at]),
        );
      }
      computed.catch(() => {
        for (const key of places.keys()) this.#kept.delete(key);
      });
    }
    return Promise.all(keys.map((key) => this.#kept.get(key) as Promise<Vector>));
  }

  async #compute(
    model: LoadedModel,
    inputs: readonly InputRows[],
    places: Int32Array,
    first: number,
  ): Promise<Vector[]> {
    const port = chosenOutput(model, this.#options.output, 'numbers');
    const some = inputs.map(({ name, data, shape }) => [name, { data, shape: [...shape] }] as const);
    const [[name, only]] = some;
    const rows = rowsOf(name === undefined ? only : Object.fromEntries(some)).take(places);
    const { data, rowShape } = await outputRows(model, port, rows, {
      ...this.#options,
      rowAt: (row) => first + places[row],
    });
    const floats = Float32Array.from(data as ArrayLike<number>, Number);
    const bad = floats.findIndex((value) => !Number.isFinite(value));
    const width = product(rowShape);
    if (bad >= 0) throw notFinite(port, floats[bad], first + places[Math.floor(bad / width)]);
    this.#computed += places.length;
    return Array.from(places, (_, at) => ({ data: floats.subarray(at * width, (at + 1) * width), rowShape }));
  }

  #asRows(vectors: readonly Vector[]): Rows {
    const [{ rowShape }] = vectors;
    const width = product(rowShape);
    const data = new Float32Array(vectors.length * width);
    vectors.forEach((vector, row) => void data.set(vector.data, row * width));
    const shape = [vectors.length, ...(rowShape.length === 0 ? [1] : rowShape)];
    if (shape.length === 2) this.#columns ??= Array.from({ length: width }, (_, at) => `embedding_${at}`);
    return rowsOf({ data, shape }, 'X', shape.length === 2 ? this.#columns : undefined);
  }
}

addedTransformers.set('OnnxEmbedding', (json) => OnnxEmbedding.fromJSON(json));

const baseName = (path: string) => nameText(path.split(/[?#]/, 1)[0].replace(/^.*[/\\]/, '') || 'a model');

async function keysOf(inputs: readonly InputRows[], length: number): Promise<string[]> {
  const encoder = new TextEncoder();
  const keys: string[] = [];
  for (let row = 0; row < length; row++) {
    const hash = await sha256();
    for (const { name = '', data, shape } of inputs) {
      const width = product(shape.slice(1));
      const cells = data.subarray(row * width, (row + 1) * width);
      hash.update(encoder.encode(`${name}\n${shape.slice(1)}\n${data.constructor.name}\n`));
      hash.update(new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength));
    }
    keys.push(hash.digest());
  }
  return keys;
}
