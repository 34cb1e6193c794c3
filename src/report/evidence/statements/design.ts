/** What a result says of the design: folds, sets, seeds, and the search. */
import { nameText } from '../../../core/foreignText.js';
import { counted, wholeNumber } from '../../../core/format.js';
import { combine, notReported, type StatementBuilder } from '../statement.js';
import { completed, isEvaluation, ofFolds, past, range, torn } from './folds.js';

const WHICH = 'how the two sets came about: the run was given both';

export const partitions: StatementBuilder = ({ manifest: m, foldDetails }) => {
  if (foldDetails.length === 0) return notReported('how rows were divided: no fold was run');
  if (m.method === 'given test set') {
    const [fold] = foldDetails;
    return {
      text: `A training set of ${counted(fold.nTrain, 'row')} and a test set of ${counted(fold.nTest, 'row')} were given; the run divided nothing.`,
      where: ['manifest.method', 'foldDetails[0].nTrain', 'foldDetails[0].nTest'],
      remaining: WHICH,
    };
  }
  if (m.method === 'given predictions') {
    const remaining = 'how rows were divided into training and test rows: predictions were given';
    if (m.nSplits === 1) return notReported(remaining);
    return {
      text: `Predictions of ${counted(m.nSplits, 'fold')} were given; each fold tests ${range(foldDetails.map(({ nTest }) => nTest))} rows.`,
      where: ['manifest.nSplits', 'foldDetails'],
      remaining,
    };
  }
  const some =
    m.foldsRun === m.nSplits ? '' : `, of which ${m.foldsRun === 1 ? '1 was' : `${wholeNumber(m.foldsRun)} were`} run`;
  const repeats = m.repeats > 1 ? ` in ${counted(m.repeats, 'repeat')}` : '';
  return {
    text: `${nameText(m.design, 300)}: ${counted(m.nSplits, 'fold')}${repeats}${some}, each with ${range(foldDetails.map(({ nTrain }) => nTrain))} training and ${range(foldDetails.map(({ nTest }) => nTest))} test rows; fingerprint of the folds ${m.foldFingerprint}.`,
    where: [
      'manifest.design',
      'manifest.nSplits',
      ...(some === '' ? [] : ['manifest.foldsRun']),
      ...(repeats === '' ? [] : ['manifest.repeats']),
      'foldDetails',
      'manifest.foldFingerprint',
    ],
  };
};

/** Cross-validation, which is testing on the data of the development. */
export const internalTesting: StatementBuilder = ofFolds((result) => {
  const { manifest: m } = result;
  if (m.method === 'given test set') return notReported('internal testing: this run used one test set that was given');
  if (m.method === 'given predictions') return notReported('what kind of testing the predictions come from');
  const done = completed(result).length;
  if (done === 0) return notReported('internal testing: no fold gave a result');
  if (m.fixedModel !== null) {
    return combine([
      {
        text: `One model, the same in every fold, was tested on the test rows of ${counted(done, 'fold')} by ${nameText(m.splitter)}.`,
        where: ['manifest.splitter', 'manifest.fixedModel', 'foldDetails'],
        remaining: 'what kind of testing this is',
      },
      past(result),
      torn(result),
    ]);
  }
  const tested = {
    text: `Internal testing by ${nameText(m.splitter)}: ${counted(done, 'fold')}, each tested on rows that its model was not given for training in this run.`,
    where: ['manifest.splitter', 'foldDetails'],
  };
  return combine([tested, past(result), torn(result)]);
});

/** A test set that was given; nobody here can know where it comes from. */
export const externalTesting: StatementBuilder = (result) => {
  if (isEvaluation(result)) return notReported('external testing: where the rows of the predictions come from');
  if (result.manifest.method !== 'given test set') {
    return notReported('external testing: this run had no test set of its own');
  }
  const [fold] = completed(result);
  if (!fold) return notReported('external testing: the run gave no result');
  const tested = {
    text: `Tested on a test set that was given (${counted(fold.nTest, 'row')}); whether it is external is for the author to say.`,
    where: ['manifest.method', 'foldDetails[0].nTest'],
    remaining: 'where the test set comes from',
  };
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
    : {
        text: `The seed of the run is ${nameText(String(randomState))}; that of each fold stands in its details.`,
        where: ['manifest.randomState', 'foldDetails'],
      };

export const robustness: StatementBuilder = ({ manifest: { repeats, verifiedFolds } }) => {
  const parts = [
    ...(repeats > 1 ? [`The cross-validation was repeated: ${counted(repeats, 'repeat')}.`] : []),
    ...(verifiedFolds !== null && verifiedFolds.length > 0
      ? [`${counted(verifiedFolds.length, 'fold')} trained again after all others gave the same predictions.`]
      : []),
  ];
  const remaining = 'further analyses of robustness, for example on changed inputs';
  if (parts.length === 0) return notReported(remaining);
  return {
    text: parts.join(' '),
    where: [
      ...(repeats > 1 ? ['manifest.repeats'] : []),
      ...(verifiedFolds !== null && verifiedFolds.length > 0 ? ['manifest.verifiedFolds'] : []),
    ],
    remaining,
  };
};

/** What a run cannot tell without these; the hint names the function that makes them. */
export const subgroups: StatementBuilder = () =>
  notReported('results by subgroup, which this result does not hold (`subgroupTable` of cvkit/stats makes them)');
