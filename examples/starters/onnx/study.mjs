/** A frozen ONNX model on pictures in folders: nothing is trained, the threshold alone is chosen in each fold. */
import { CVKitValidator } from 'cvkit';
import { onnxModel } from 'cvkit/adapters/onnx';
import { readImages } from 'cvkit/node';
import { FunctionTransformer } from 'cvkit/preprocessing';

// A small model that comes with cvkit. Put your own file in its place.
const MODEL = 'node_modules/cvkit/models/trained/chest-drawings-onnx/model.onnx';

// images/normal/p01_1.png: the folder is the label, the name begins with the patient.
const images = await readImages('images', { labelsFrom: 'folder', groupsFrom: /(p\d+)_\d+\.png$/ });
console.log(images);

/** From 0 to 1, as the model was trained. */
function toUnit({ data, shape }) {
  return { data: data.map((value) => value / 255), shape };
}

const result = await new CVKitValidator({ metrics: ['roc_auc', 'sensitivity', 'specificity', 'brier'] }).validate({
  ...images,
  model: onnxModel(MODEL, { gives: 'logits', classes: ['normal', 'opacity'] }), // columns of its output
  preprocessing: new FunctionTransformer(toUnit),
  positiveLabel: 'opacity',
  threshold: { sensitivity: 0.9 },
});
console.log(result.summary());
await result.writeReport('report.html');
console.log('\nWrote report.html');
