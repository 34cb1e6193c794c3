/** What a result says of the model: its name, its training, its choice, and the software. */
import { nameText } from '../../../core/foreignText.js';
import { counted, wholeNumber } from '../../../core/format.js';
import { engineText } from '../../../core/summaryText.js';
import { combine, notReported, type StatementBuilder } from '../statement.js';
import { completed, isEvaluation, past, range, trainedHere } from './folds.js';

const GIVEN = 'predictions were given, and the run saw no model';

export const model: StatementBuilder = (result) => {
  const { manifest: m } = result;
  if (isEvaluation(result)) return notReported(GIVEN);
  const name = m.model === null ? '' : ` ${nameText(m.model)}`;
  // Of a model that never predicted nothing was seen.
  const past =
    completed(result).length === 0
      ? ''
      : m.fixedModel !== null
        ? ` It is the same in every fold: ${nameText(m.fixedModel, 300)}.`
        : m.trainedBefore !== null
          ? ` It may have been trained before the run: ${nameText(m.trainedBefore, 300)}.`
          : '';
  return {
    text: `The model${name}, through the adapter ${nameText(m.adapter)}.${past}`,
    where: [
      'manifest.adapter',
      ...(m.model === null ? [] : ['manifest.model']),
      ...(past === '' ? [] : [m.fixedModel === null ? 'manifest.trainedBefore' : 'manifest.fixedModel']),
    ],
    remaining: 'the structure of the model and why it was chosen',
  };
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
  if (m.epochs === null) {
    return { text: `${times}.`, where: ['manifest.modelsTrained'], remaining };
  }
  const stopped = done.filter(({ stoppedEarly }) => stoppedEarly).length;
  const tuned = (name: string) => m.tuned?.includes(name) === true;
  const settings = m.training ? [m.training.optimizer, m.training.lossFn].map((each) => nameText(each)) : [];
  const batches = tuned('batchSize') || m.batchSize === null ? [] : [`batches of ${wholeNumber(m.batchSize)}`];
  return {
    text: `${[`${times}: ${epochsText(done.map(({ epochs }) => epochs))}`, ...settings, ...batches].join(', ')}${stopped > 0 ? `; ${counted(stopped, 'fold')} stopped early` : ''}.`,
    where: [
      'manifest.modelsTrained',
      'foldDetails',
      ...(m.training ? ['manifest.training'] : []),
      ...(batches.length > 0 ? ['manifest.batchSize'] : []),
    ],
    remaining,
  };
};

const epochsText = (epochs: readonly number[]) => `${range(epochs)} ${range(epochs) === '1' ? 'epoch' : 'epochs'}`;

export const initialisation: StatementBuilder = (result) => {
  const { manifest: m } = result;
  if (isEvaluation(result)) return notReported(GIVEN);
  if (completed(result).length === 0) return notReported('initial weights, and whether the model uses the seed');
  if (m.fixedModel !== null) {
    return {
      text: `The run saw no training that begins anew: the model is the same in every fold (${nameText(m.fixedModel, 300)}).`,
      where: ['manifest.fixedModel'],
      remaining: 'how the model was made',
    };
  }
  const before =
    m.trainedBefore === null
      ? ''
      : ` Every fold began with what was there before the run (${nameText(m.trainedBefore, 300)}).`;
  return {
    text: `Seeds for training: ${nameText(String(m.randomState))} for the run, and one for each fold in its details.${before}`,
    where: ['manifest.randomState', 'foldDetails', ...(before === '' ? [] : ['manifest.trainedBefore'])],
    remaining: 'initial weights, and whether the model uses the seed',
  };
};

export const selection: StatementBuilder = (result) => {
  const { manifest: m, foldDetails } = result;
  if (isEvaluation(result)) return notReported(GIVEN);
  const kept = foldDetails.filter(({ keptEpoch }) => keptEpoch !== null).length;
  const names = m.tuned ?? [];
  const sentences = [
    ...(names.length > 0
      ? [`A search within the training rows of each fold chose ${names.map((name) => nameText(name)).join(', ')}.`]
      : []),
    ...(kept > 0 ? [`${counted(kept, 'fold')} kept the weights of a chosen epoch.`] : []),
  ];
  const remaining = 'choices made before the run or inside the model';
  if (sentences.length === 0) return notReported(m.tuned ? remaining : `${remaining} (the run itself made no search)`);
  return {
    text: sentences.join(' '),
    where: [...(names.length > 0 ? ['manifest.tuned'] : []), ...(kept > 0 ? ['foldDetails'] : [])],
    remaining,
  };
};

export const ensembles: StatementBuilder = (result) => {
  if (isEvaluation(result)) return notReported(GIVEN);
  if (completed(result).length === 0) return notReported('ensembles: no fold gave a result');
  return {
    text: 'The run combined no models: every prediction that is scored comes from one.',
    where: ['foldDetails'],
    remaining: 'whether the model itself combines several',
  };
};

export const cutOffs: StatementBuilder = (result) => {
  const { adjustment, labels, task } = result.manifest;
  if (task === 'regression') return notReported('cut-offs, if any: the model predicts numbers');
  if (adjustment !== null) {
    return {
      text: `Predictions: ${nameText(adjustment, 300)}.`,
      where: ['manifest.adjustment'],
      remaining: 'why this cut-off',
    };
  }
  const from = isEvaluation(result)
    ? GIVEN
    : 'the run chose none; labels are those of the model, or follow from its probabilities';
  if (labels === null) return notReported(`the cut-off and its reason: ${from}`);
  return {
    text: `The run chose no cut-off. Labels: ${nameText(labels, 300)}.`,
    where: ['manifest.labels'],
    remaining: 'the cut-off and its reason',
  };
};

export const fullModel: StatementBuilder = (result) => {
  const { refitted } = result;
  if (isEvaluation(result)) return notReported(`the full model: ${GIVEN}`);
  if (!refitted) return notReported('the full model: the run kept none trained on all rows (`refit: true` does)');
  const kept = {
    text: `The result holds the model after its training on all rows. ${nameText(refitted.note, 600)}`,
    where: ['refitted.note'],
    remaining: 'how others get the model',
  };
  return combine([kept, past(result)]);
};

export const software: StatementBuilder = (result) => {
  const { cvkit, adapter, engine } = result.manifest;
  const by = isEvaluation(result) ? [] : [`adapter ${nameText(adapter)}`];
  const facts = [...by, ...engineText(engine)];
  return {
    text: `cvkit ${nameText(cvkit)}${facts.length > 0 ? `; ${facts.join(', ')}` : ''}.`,
    where: [
      'manifest.cvkit',
      ...(by.length > 0 ? ['manifest.adapter'] : []),
      ...(Object.keys(engine).length > 0 ? ['manifest.engine'] : []),
    ],
    remaining: 'versions of other libraries, and the hardware',
  };
};

export const compute: StatementBuilder = (result) => {
  const { seconds, modelsTrained } = result.manifest;
  if (isEvaluation(result)) return notReported(GIVEN);
  const trained =
    trainedHere(result) && completed(result).length > 0
      ? ` ${counted(modelsTrained, 'model')} trained, those for intervals not counted.`
      : '';
  return {
    text: `The run took ${seconds.toFixed(1)} s, checks and intervals included.${trained}`,
    where: ['manifest.seconds', ...(trained === '' ? [] : ['manifest.modelsTrained'])],
    remaining: 'hardware and memory',
  };
};
