/** What a result says of the model: its name, its training, its choice, and the software. */
import { nameText } from '../../../core/foreignText.js';
import { counted, wholeNumber } from '../../../core/format.js';
import { engineText } from '../../../core/summaryText.js';
import { combine, notReported, present, type StatementBuilder, stated } from '../statement.js';
import { completed, isEvaluation, past, range, trainedHere } from './folds.js';

const GIVEN = 'predictions were given, and the run saw no model';

export const model: StatementBuilder = (result) => {
  const { manifest: m } = result;
  if (isEvaluation(result)) return notReported(GIVEN);
  const name = m.model === null ? '' : ` ${nameText(m.model)}`;
  // Of a model that never predicted nothing was seen.
  const predicted = completed(result).length > 0;
  const before = m.fixedModel ?? m.trainedBefore;
  const kind = m.fixedModel === null ? 'may have been trained before the run' : 'is the same in every fold';
  return stated(
    [
      `The model${name}, through the adapter ${nameText(m.adapter)}.`,
      predicted && before !== null && `It ${kind}: ${nameText(before, 300)}.`,
    ],
    [
      'manifest.adapter',
      name && 'manifest.model',
      predicted && before !== null && (m.fixedModel === null ? 'manifest.trainedBefore' : 'manifest.fixedModel'),
    ],
    'the structure of the model and why it was chosen',
  );
};

export const training: StatementBuilder = (result) => {
  const { manifest: m } = result;
  if (isEvaluation(result)) return notReported(GIVEN);
  if (!trainedHere(result)) return notReported('how the model was trained: it is the same in every fold');
  const done = completed(result);
  if (done.length === 0) return notReported('how the models were trained: no fold gave a result');
  const unseen = m.fitNotSeen === null ? '' : '; whether training has an effect, which the run could not see';
  const remaining = `augmentation, class weights and settings inside the model, which the result does not record${unseen}`;
  const times = `${counted(m.modelsTrained, 'model')} trained, those for intervals not counted`;
  if (m.epochs === null) return stated(`${times}.`, ['manifest.modelsTrained'], remaining);
  const stopped = done.filter(({ stoppedEarly }) => stoppedEarly).length;
  const epochs = range(done.map((fold) => fold.epochs));
  const settings = m.training ? [m.training.optimizer, m.training.lossFn].map((each) => nameText(each)) : [];
  const batchSize = m.tuned?.includes('batchSize') ? null : m.batchSize;
  const parts = [
    `${times}: ${epochs} ${epochs === '1' ? 'epoch' : 'epochs'}`,
    ...settings,
    batchSize !== null && `batches of ${wholeNumber(batchSize)}`,
  ];
  return stated(
    `${present(parts).join(', ')}${stopped > 0 ? `; ${counted(stopped, 'fold')} stopped early` : ''}.`,
    [
      'manifest.modelsTrained',
      'foldDetails',
      m.training && 'manifest.training',
      batchSize !== null && 'manifest.batchSize',
    ],
    remaining,
  );
};

export const initialisation: StatementBuilder = (result) => {
  const { fixedModel, trainedBefore, randomState } = result.manifest;
  if (isEvaluation(result)) return notReported(GIVEN);
  const remaining = 'initial weights, and whether the model uses the seed';
  if (completed(result).length === 0) return notReported(remaining);
  if (fixedModel !== null) {
    return stated(
      `The run saw no training that begins anew: the model is the same in every fold (${nameText(fixedModel, 300)}).`,
      ['manifest.fixedModel'],
      'how the model was made',
    );
  }
  return stated(
    [
      `Seeds for training: ${nameText(String(randomState))} for the run, and one for each fold in its details.`,
      trainedBefore !== null &&
        `Every fold began with what was there before the run (${nameText(trainedBefore, 300)}).`,
    ],
    ['manifest.randomState', 'foldDetails', trainedBefore !== null && 'manifest.trainedBefore'],
    remaining,
  );
};

export const selection: StatementBuilder = (result) => {
  const { manifest: m, foldDetails } = result;
  if (isEvaluation(result)) return notReported(GIVEN);
  const kept = foldDetails.filter(({ keptEpoch }) => keptEpoch !== null).length;
  const names = (m.tuned ?? []).map((name) => nameText(name)).join(', ');
  const remaining = 'choices made before the run or inside the model';
  if (!names && kept === 0) return notReported(m.tuned ? remaining : `${remaining} (the run itself made no search)`);
  return stated(
    [
      names && `A search within the training rows of each fold chose ${names}.`,
      kept > 0 && `${counted(kept, 'fold')} kept the weights of a chosen epoch.`,
    ],
    [names && 'manifest.tuned', kept > 0 && 'foldDetails'],
    remaining,
  );
};

export const ensembles: StatementBuilder = (result) => {
  if (isEvaluation(result)) return notReported(GIVEN);
  if (completed(result).length === 0) return notReported('ensembles: no fold gave a result');
  return stated(
    'The run combined no models: every prediction that is scored comes from one.',
    ['foldDetails'],
    'whether the model itself combines several',
  );
};

export const cutOffs: StatementBuilder = (result) => {
  const { adjustment, labels, task } = result.manifest;
  if (task === 'regression') return notReported('cut-offs, if any: the model predicts numbers');
  if (task === 'survival') return notReported('cut-offs, if any: the model predicts risks over time');
  if (adjustment !== null) {
    return stated(`Predictions: ${nameText(adjustment, 300)}.`, ['manifest.adjustment'], 'why this cut-off');
  }
  const from = isEvaluation(result)
    ? GIVEN
    : 'the run chose none; labels are those of the model, or follow from its probabilities';
  if (labels === null) return notReported(`the cut-off and its reason: ${from}`);
  const text = `The run chose no cut-off. Labels: ${nameText(labels, 300)}.`;
  return stated(text, ['manifest.labels'], 'the cut-off and its reason');
};

export const fullModel: StatementBuilder = (result) => {
  const { refitted } = result;
  if (isEvaluation(result)) return notReported(`the full model: ${GIVEN}`);
  if (!refitted) return notReported('the full model: the run kept none trained on all rows (`refit: true` does)');
  const kept = stated(
    `The result holds the model after its training on all rows. ${nameText(refitted.note, 600)}`,
    ['refitted.note'],
    'how others get the model',
  );
  return combine([kept, past(result)]);
};

export const software: StatementBuilder = (result) => {
  const { cvkit, adapter, engine } = result.manifest;
  const by = !isEvaluation(result) && `adapter ${nameText(adapter)}`;
  const facts = present([by, ...engineText(engine)]);
  return stated(
    `cvkit ${nameText(cvkit)}${facts.length > 0 ? `; ${facts.join(', ')}` : ''}.`,
    ['manifest.cvkit', by && 'manifest.adapter', Object.keys(engine).length > 0 && 'manifest.engine'],
    'versions of other libraries, and the hardware',
  );
};

export const compute: StatementBuilder = (result) => {
  const { seconds, modelsTrained } = result.manifest;
  if (isEvaluation(result)) return notReported(GIVEN);
  const trained = trainedHere(result) && completed(result).length > 0;
  return stated(
    [
      `The run took ${seconds.toFixed(1)} s, checks and intervals included.`,
      trained && `${counted(modelsTrained, 'model')} trained, those for intervals not counted.`,
    ],
    ['manifest.seconds', trained && 'manifest.modelsTrained'],
    'hardware and memory',
  );
};
