/** What a result says of the data: sizes, classes, hashes, missing values, and the preparation. */
import { nameText } from '../../../core/foreignText.js';
import { counted, points, wholeNumber } from '../../../core/format.js';
import { combine, notReported, type StatementBuilder } from '../statement.js';
import { completed, eachFold, isEvaluation, ofFolds, range, rowsAlone, trainedHere } from './folds.js';

/** Sentences of others are no longer than this. */
export const MESSAGE = 1000;

const CLASSES = 8;

const listed = (classes: readonly string[]): string =>
  `${classes.slice(0, CLASSES).join(', ')}${classes.length > CLASSES ? ` and ${counted(classes.length - CLASSES, 'more class', 'more classes')}` : ''}`;

export const sampleSize: StatementBuilder = (result) => {
  const { n, nGroups, independentRows, rowShape } = result.manifest;
  const patients =
    nGroups !== null
      ? ` of ${counted(nGroups, 'patient')} (different ids of \`patientIds\` or \`groups\`)`
      : independentRows
        ? ", each its own patient on the author's word"
        : '';
  const shape =
    rowShape === null
      ? ''
      : rowShape.length === 1
        ? `, ${counted(rowShape[0], 'feature')} each`
        : `, each ${rowShape.join(' x ')}`;
  return {
    text: `${counted(n, 'row')}${patients}${shape}.`,
    where: [
      'manifest.n',
      ...(nGroups !== null ? ['manifest.nGroups'] : independentRows ? ['manifest.independentRows'] : []),
      ...(rowShape === null ? [] : ['manifest.rowShape']),
    ],
    remaining: rowsAlone(result).remaining,
  };
};

export const outcomeRead: StatementBuilder = ({ manifest: { task, taskReason } }) => ({
  text: `The outcome was read as ${task} (${nameText(taskReason, 200)}).`,
  where: ['manifest.task', 'manifest.taskReason'],
});

export const events: StatementBuilder = ({ checks, manifest: { task, positiveLabel, independentRows } }) => {
  const at = checks.findIndex(({ code, madeBy }) => code === 'CVB001' && !madeBy);
  const counts = checks[at]?.evidence.counts as Readonly<Record<string, number>> | undefined;
  if (task === 'regression') return notReported('the distribution of the outcome, which is a number');
  if (!counts) return notReported('the number of outcome events, which the run did not count');
  const all = Object.entries(counts);
  const positive = positiveLabel === null ? '' : `; the positive class is ${nameText(String(positiveLabel))}`;
  return {
    text: `Rows by ${task === 'multilabel' ? 'label' : 'class'}: ${listed(all.map(([name, rows]) => `${nameText(name)} ${wholeNumber(rows)}`))}${positive}.`,
    where: [`checks[${at}].evidence.counts`, ...(positiveLabel === null ? [] : ['manifest.positiveLabel'])],
    ...(independentRows ? {} : { remaining: 'the number of patients with the outcome' }),
  };
};

/** Digits of a hash that are shown; all of them stand in the manifest. */
const DIGITS = 16;

export const hashes: StatementBuilder = ({ manifest: { sha256 } }) => {
  if (sha256 === null) return notReported('hashes of the data, which the run did not read');
  const known = Object.entries(sha256.data).flatMap(([name, hash]) => (hash === null ? [] : [[name, hash]]));
  const missingValues = Object.entries(sha256.data).flatMap(([name, hash]) => (hash === null ? [nameText(name)] : []));
  const short = (hash: string) => `${hash.slice(0, DIGITS)}…`;
  return {
    text: `SHA-256 of ${[...known.map(([name, hash]) => `${nameText(name)} ${short(hash)}`), `the folds ${short(sha256.folds)}`].join(', of ')}.`,
    where: ['manifest.sha256'],
    ...(missingValues.length > 0
      ? { remaining: `a hash of ${missingValues.join(', ')}, which the run could not make` }
      : {}),
  };
};

const NO_FOLD = 'no fold gave a result';

/** Missing values: the result does not count them, but knows the steps that fill them. */
export const missing: StatementBuilder = (result) => {
  const counts = 'how many values were missing, where and why, which the run does not count';
  const imputers = result.manifest.preprocessing?.imputers ?? [];
  if (imputers.length === 0 || completed(result).length === 0) return notReported(`${counts}; how they were handled`);
  const steps = imputers.map((each) => nameText(each, 200)).join(', ');
  return {
    text: `Columns were filled where a value was missing, by steps fitted in ${eachFold(result)} to its training rows: ${steps}.`,
    where: ['manifest.preprocessing.imputers'],
    remaining: `${counts}; how missing values that these steps do not fill were handled`,
  };
};

export const preparation: StatementBuilder = (result) => {
  const { preprocessing } = result.manifest;
  const before = 'whatever prepared X before the run';
  if (!preprocessing) return notReported(`${before}, which had no \`preprocessing\` of its own`);
  if (completed(result).length === 0) return notReported(`the preparation of the rows: ${NO_FOLD}`);
  const { steps, globalSteps, frozen, learns } = preprocessing;
  const named = (names: readonly string[]) => names.map((each) => nameText(each, 200)).join(', ');
  return {
    text: [
      `Rows were prepared in ${eachFold(result)}: ${nameText(steps, 200)}.`,
      learns ? 'The run fitted these steps to the training rows of the fold.' : 'The run fitted none of these steps.',
      ...(globalSteps.length > 0 ? [`Steps that use other rows, as the author declares: ${named(globalSteps)}.`] : []),
      ...(frozen.length > 0 ? [`Networks trained elsewhere, perhaps on these rows: ${named(frozen)}.`] : []),
    ].join(' '),
    where: ['manifest.preprocessing'],
    remaining: before,
  };
};

export const imbalance: StatementBuilder = (result) => {
  const {
    manifest: { preprocessing, adjustment, task },
    outOfFold: { weight },
  } = result;
  if (task === 'regression') return notReported('how uneven the outcome is, which is a number without classes');
  const resamplers = completed(result).length > 0 ? (preprocessing?.resamplers ?? []) : [];
  const parts = [
    ...(resamplers.length > 0
      ? [
          {
            text: `Training rows were resampled (${resamplers.map((each) => nameText(each, 200)).join(', ')}); test rows were left as they were.`,
            where: ['manifest.preprocessing.resamplers'],
          },
        ]
      : []),
    ...(weight ? [{ text: 'Rows have weights.', where: ['outOfFold.weight'] }] : []),
    ...(adjustment !== null && /recalibration/.test(adjustment)
      ? [{ text: `Predictions: ${nameText(adjustment, 300)}.`, where: ['manifest.adjustment'] }]
      : []),
  ];
  const remaining = 'class weights and other means against imbalance, which the result does not record';
  return parts.length === 0 ? notReported(remaining) : { ...combine(parts), remaining };
};

export const classShares: StatementBuilder = ({ balance, manifest: { method, task } }) => {
  // Of numbers the balance compares fifths of their range: those are no classes.
  if (!balance || task === 'regression') return notReported('the make-up of each set');
  const remaining = 'demographic and clinical characteristics of each set';
  const [fold] = balance.folds;
  if (method !== 'given test set')
    return { text: nameText(balance.message, MESSAGE), where: ['balance.message'], remaining };
  const shares = (of: Readonly<Record<string, number>>) =>
    listed(Object.entries(of).map(([name, share]) => `${nameText(name)} ${points(share)} %`));
  return {
    text: `Shares of the training rows: ${shares(fold.trainProportions)}; of the test rows: ${shares(fold.testProportions)}.`,
    where: ['balance.folds'],
    remaining,
  };
};

export const flow: StatementBuilder = ofFolds((result) => {
  const { manifest } = result;
  const done = completed(result);
  if (done.length === 0) return notReported(`the flow of participants: ${NO_FOLD}`);
  const of = (field: 'nFitted' | 'nValidation' | 'nTest') => range(done.map((fold) => fold[field]));
  const resampled = trainedHere(result) && (manifest.preprocessing?.resamplers ?? []).length > 0;
  if (isEvaluation(result) && manifest.nSplits === 1) {
    return {
      text: `Of ${counted(manifest.n, 'row')}, the predictions of ${of('nTest')} were given.`,
      where: ['manifest.n', 'foldDetails'],
      remaining: 'who was left out before these data',
    };
  }
  const text = [
    `Of ${counted(manifest.n, 'row')}, ${counted(done.length, 'fold')} tested ${of('nTest')}`,
    ...(trainedHere(result) ? [`trained on ${of('nFitted')}${resampled ? ' before resampling' : ''}`] : []),
    ...(of('nValidation') === '0' ? [] : [`watched ${of('nValidation')} more`]),
  ].join(', ');
  const each = done.length > 1 ? ' (rows of each fold)' : '';
  return {
    text: `${text}${each}.`,
    where: ['manifest.n', 'foldDetails', ...(resampled ? ['manifest.preprocessing.resamplers'] : [])],
    remaining: 'who was left out before these data',
  };
});
