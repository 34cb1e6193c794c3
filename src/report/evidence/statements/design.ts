/** What a result says of the design: folds, sets, seeds, and the search. */
import { nameText } from '../../../core/foreignText.js';
import { counted, wholeNumber } from '../../../core/format.js';
import { combine, notReported, type StatementBuilder, stated } from '../statement.js';
import { completed, figures, isEvaluation, past, range, torn } from './folds.js';

export const partitions: StatementBuilder = ({ manifest: m, foldDetails }) => {
  if (foldDetails.length === 0) return notReported('how rows were divided: no fold was run');
  if (m.method === 'given test set') {
    const [fold] = foldDetails;
    if (fold.nTrain === 0) {
      const text = `A saved model and a test set of ${counted(fold.nTest, 'row')} were given; the run trained nothing.`;
      return stated(text, ['manifest.method', 'foldDetails[0].nTest'], 'the rows that the model was trained on');
    }
    return stated(
      `A training set of ${counted(fold.nTrain, 'row')} and a test set of ${counted(fold.nTest, 'row')} were given; the run divided nothing.`,
      ['manifest.method', 'foldDetails[0].nTrain', 'foldDetails[0].nTest'],
      'how the two sets came about: the run was given both',
    );
  }
  const tested = range(foldDetails.map(({ nTest }) => nTest));
  if (m.method === 'given predictions') {
    const remaining = 'how rows were divided into training and test rows: predictions were given';
    if (m.nSplits === 1) return notReported(remaining);
    const text = `Predictions of ${counted(m.nSplits, 'fold')} were given; each fold tests ${tested} rows.`;
    return stated(text, ['manifest.nSplits', 'foldDetails'], remaining);
  }
  const some =
    m.foldsRun === m.nSplits ? '' : `, of which ${m.foldsRun === 1 ? '1 was' : `${wholeNumber(m.foldsRun)} were`} run`;
  const repeats = m.repeats > 1 ? ` in ${counted(m.repeats, 'repeat')}` : '';
  const trained = range(foldDetails.map(({ nTrain }) => nTrain));
  return stated(
    `${nameText(m.design, 300)}: ${counted(m.nSplits, 'fold')}${repeats}${some}, each with ${trained} training and ${tested} test rows; fingerprint of the folds ${m.foldFingerprint}.`,
    [
      'manifest.design',
      'manifest.nSplits',
      some && 'manifest.foldsRun',
      repeats && 'manifest.repeats',
      'foldDetails',
      'manifest.foldFingerprint',
    ],
  );
};

/** Cross-validation, which is testing on the data of the development. */
export const internalTesting: StatementBuilder = figures((result) => {
  const { method, fixedModel, splitter } = result.manifest;
  if (method === 'given test set') return notReported('internal testing: this run used one test set that was given');
  if (method === 'given predictions') return notReported('what kind of testing the predictions come from');
  const done = completed(result).length;
  if (done === 0) return notReported('internal testing: no fold gave a result');
  const [by, folds] = [nameText(splitter), counted(done, 'fold')];
  if (fixedModel !== null) {
    return stated(
      `One model, the same in every fold, was tested on the test rows of ${folds} by ${by}.`,
      ['manifest.splitter', 'manifest.fixedModel', 'foldDetails'],
      'what kind of testing this is',
    );
  }
  return stated(
    `Internal testing by ${by}: ${folds}, each tested on rows that its model was not given for training in this run.`,
    ['manifest.splitter', 'foldDetails'],
  );
});

/** A test set that was given; nobody here can know where it comes from. */
export const externalTesting: StatementBuilder = (result) => {
  if (isEvaluation(result)) return notReported('external testing: where the rows of the predictions come from');
  if (result.manifest.method !== 'given test set') {
    return notReported('external testing: this run had no test set of its own');
  }
  const [fold] = completed(result);
  if (!fold) return notReported('external testing: the run gave no result');
  const tested = stated(
    `Tested on a test set that was given (${counted(fold.nTest, 'row')}); whether it is external is for the author to say.`,
    ['manifest.method', 'foldDetails[0].nTest'],
    'where the test set comes from',
  );
  return combine([tested, past(result), torn(result)]);
};

/** The same question asked of the difference between both sets. */
export const onlyTestSet =
  (statement: StatementBuilder): StatementBuilder =>
  (result) =>
    result.manifest.method === 'given test set'
      ? statement(result)
      : notReported(
          isEvaluation(result)
            ? 'a comparison with the development data, which the run did not see'
            : 'this run had no separate evaluation set to compare with the development data',
        );

export const seeds: StatementBuilder = ({ manifest: { randomState, method } }) =>
  method === 'given predictions'
    ? notReported('the seeds of folds and of training: predictions were given')
    : stated(`The seed of the run is ${nameText(String(randomState))}; that of each fold stands in its details.`, [
        'manifest.randomState',
        'foldDetails',
      ]);

export const robustness: StatementBuilder = ({ manifest: { repeats, verifiedFolds } }) => {
  const verified = verifiedFolds?.length ?? 0;
  return stated(
    [
      repeats > 1 && `The cross-validation was repeated: ${counted(repeats, 'repeat')}.`,
      verified > 0 && `${counted(verified, 'fold')} trained again after all others gave the same predictions.`,
    ],
    [repeats > 1 && 'manifest.repeats', verified > 0 && 'manifest.verifiedFolds'],
    'further analyses of robustness, for example on changed inputs',
  );
};

/** What a run cannot tell without these; the hint names the function that makes them. */
export const subgroups: StatementBuilder = () =>
  notReported('results by subgroup, which this result does not hold (`subgroupTable` of cvkit/stats makes them)');
