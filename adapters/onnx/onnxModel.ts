import { AdapterError, InvalidOptionError, phrase, sentence, show } from '../../src/core/errors.js';
import { isSession, type OnnxSource } from './onnxFile.js';
import { type OnnxModelOptions, onnxOptions } from './options.js';

/** A frozen ONNX model, as `model` takes it: where it comes from and what its output holds. */
export interface OnnxModel extends OnnxModelOptions {
  /** Path or URL of an `.onnx` file, its bytes, or a session that is open. */
  readonly onnx: OnnxSource;
}

/**
 * A frozen ONNX model to be cross-validated: it predicts and is not trained, so that folds show the spread of its
 * performance. It is loaded once for a run and released after it; a session that you opened stays open.
 *
 * Names, shapes and types of its inputs are read from the file; images are given as `[height, width]` or `[height, width,
 * channels]`, and channels move to where the model takes them. What its output holds is never guessed: say `gives`.
 * `classes`, `output` and the rest may be left out where the file or y leaves no doubt.
 *
 * @param source path or URL of an `.onnx` file, its bytes, or an `InferenceSession` of onnxruntime
 * @throws {AdapterError} the source is none of these.
 * @throws {InvalidOptionError} an option is unknown or out of range.
 * @example
 * import { chestDrawings } from './node_modules/cvkit/models/scripts/chestDrawings.mjs';
 * const { X, y } = chestDrawings(randomSource(1), { n: 100 });
 * const file = 'node_modules/cvkit/models/trained/chest-drawings-onnx/model.onnx';
 * const frozen = onnxModel(file, { gives: 'logits', classes: [0, 1] });
 * const results = await runner.run({ model: frozen, data: [X, y] });
 * console.log(results.meanScores.roc_auc);
 */
export function onnxModel(source: OnnxSource, options: OnnxModelOptions = {}): OnnxModel {
  const isSource =
    (typeof source === 'string' && source !== '') ||
    source instanceof URL ||
    source instanceof Uint8Array ||
    source instanceof ArrayBuffer ||
    isSession(source);
  if (!isSource) {
    const must = 'be the path or URL of an .onnx file, its bytes, or a session of onnxruntime';
    throw new AdapterError(sentence('The source of onnxModel', must, phrase(show(source))), { code: 'invalid_model' });
  }
  onnxOptions.resolve(options);
  return Object.freeze({ ...options, onnx: source });
}

/** The source and the settings of a model in any of its forms. `engine`: `adapterOptions` of the run. */
export function readOnnxModel(model: unknown, engine: Readonly<Record<string, unknown>>) {
  const { onnx, ...own } = isOnnxModel(model) ? model : { onnx: model as OnnxSource };
  const twice = Object.keys(own).find(
    (name) => (own as Record<string, unknown>)[name] !== undefined && engine[name] !== undefined,
  );
  if (twice !== undefined) {
    const subject = `The \`${twice}\` option of an ONNX model`;
    const got = phrase('both by onnxModel and in adapterOptions');
    throw new InvalidOptionError(sentence(subject, 'be given once', got), { code: 'duplicate_option' });
  }
  return { source: onnxModel(onnx).onnx, settings: onnxOptions.resolve({ ...engine, ...own }) };
}

const isOnnxModel = (model: unknown): model is OnnxModel =>
  typeof model === 'object' && model !== null && 'onnx' in model && !isSession(model);
