// Validate a frozen ONNX classifier of images, then train a head on its features.
import { CVKitValidator, randomSource } from 'cvkit';
import { OnnxEmbedding, onnxModel } from 'cvkit/adapters/onnx';
import { LogisticRegression } from 'cvkit/estimators';
import { StandardScaler } from 'cvkit/preprocessing';
import { chestDrawings } from './node_modules/cvkit/models/scripts/chestDrawings.mjs';

const file = 'node_modules/cvkit/models/trained/chest-drawings-onnx/model.onnx';
const { X, y } = chestDrawings(randomSource(1), { n: 100 }); // the images of the task
const validator = new CVKitValidator({ metrics: ['roc_auc'], independentRows: true });
const frozen = await validator.validate({
  model: onnxModel(file, { gives: 'logits', classes: [0, 1] }),
  X,
  y,
  verbose: 0,
});
console.log(frozen.estimates.roc_auc);

const head = await validator.validate({
  model: () => new LogisticRegression(),
  X,
  y,
  preprocessing: [new OnnxEmbedding(file, { output: 'features' }), new StandardScaler()],
  verbose: 0,
});
console.log(head.estimates.roc_auc);
