/** Runs in a page and in Node: a frozen ONNX classifier, and a model on the features of the same file. */
import { CVKitValidator, randomSource } from 'cvkit';
import { OnnxEmbedding, onnxModel } from 'cvkit/adapters/onnx';
import { LogisticRegression } from 'cvkit/estimators';
import { chestDrawings } from '../../models/scripts/chestDrawings.mjs';

/** @param {string} file Path or address of models/trained/chest-drawings-onnx. */
export async function outcome(file = '/model.onnx') {
  const { X, y } = chestDrawings(randomSource(7), { n: 60 });
  const validator = new CVKitValidator({ nSplits: 3, metrics: ['roc_auc'], returnConfidenceIntervals: false });
  const frozen = await validator.validate({ model: onnxModel(file, { gives: 'logits' }), X, y, verbose: 0 });
  const embedding = new OnnxEmbedding(file, { output: 'features' });
  const model = () => new LogisticRegression();
  const head = await validator.validate({ model, X, y, preprocessing: embedding, verbose: 0 });
  return {
    backend: frozen.manifest.engine.backend,
    frozen: frozen.outOfFold.yProba,
    head: head.outOfFold.yProba,
    computed: embedding.computed,
  };
}
