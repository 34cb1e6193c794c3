/** What a result says of the data: sizes, classes, hashes, missing values, and the preparation. */
import { nameText } from '../../../core/foreignText.js';
import { counted, points, wholeNumber } from '../../../core/format.js';
import type { ReportModel } from '../../reportModel.js';
import { type Maker, together, untold } from '../guideline.js';

/** At most so many classes are counted in words. */
const CLASSES = 8;

/** Rows, patients, and the size of a row. */
export const size: Maker = ({ manifest: { n, nGroups, independentRows, rowShape } }) => {
  const patients =
    nGroups !== null
      ? ` of ${counted(nGroups, 'patient')}`
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
    ...(nGroups === null && !independentRows
      ? { left: 'the number of patients, since the run was given no patient ids' }
      : {}),
  };
};

/** What kind of outcome the labels were read as. */
export const outcomeRead: Maker = ({ manifest: { task, taskReason } }) => ({
  text: `The outcome was read as ${task} (${nameText(taskReason, 200)}).`,
  where: ['manifest.task', 'manifest.taskReason'],
});

/** Rows by class: the events of a binary task. */
export const events: Maker = ({ checks, manifest: { task, positiveLabel, nGroups } }) => {
  const at = checks.findIndex(({ code }) => code === 'CVB001');
  const counts = checks[at]?.evidence.counts as Readonly<Record<string, number>> | undefined;
  if (task === 'regression') return untold('the distribution of the outcome, which is a number');
  if (!counts) return untold('the number of outcome events, which the run did not count');
  const all = Object.entries(counts);
  const shown = all.slice(0, CLASSES).map(([name, rows]) => `${nameText(name)} ${wholeNumber(rows)}`);
  const more = all.length > CLASSES ? ` and ${counted(all.length - CLASSES, 'more class', 'more classes')}` : '';
  const positive = positiveLabel === null ? '' : `; the positive class is ${nameText(String(positiveLabel))}`;
  return {
    text: `Rows by ${task === 'multilabel' ? 'label' : 'class'}: ${shown.join(', ')}${more}${positive}.`,
    where: [`checks[${at}].evidence.counts`, ...(positiveLabel === null ? [] : ['manifest.positiveLabel'])],
    ...(nGroups === null ? {} : { left: 'the number of patients with the outcome' }),
  };
};

/** Digits of a hash that are shown; all of them stand in the manifest. */
const DIGITS = 16;

/** SHA-256 of the data and of the folds. */
export const hashes: Maker = ({ manifest: { sha256 } }) => {
  if (sha256 === null) return untold('hashes of the data, which the run did not read');
  const known = Object.entries(sha256.data).flatMap(([name, hash]) => (hash === null ? [] : [[name, hash]]));
  const missing = Object.entries(sha256.data).flatMap(([name, hash]) => (hash === null ? [nameText(name)] : []));
  const short = (hash: string) => `${hash.slice(0, DIGITS)}…`;
  return {
    text: `SHA-256 of ${known.map(([name, hash]) => `${nameText(name)} ${short(hash)}`).join(', of ')}, of the folds ${short(sha256.folds)}.`,
    where: ['manifest.sha256'],
    ...(missing.length > 0 ? { left: `a hash of ${missing.join(', ')}, which the run could not make` } : {}),
  };
};

/** Missing values: the result does not count them, but knows the step that fills them. */
export const missing: Maker = ({ manifest: { preprocessing } }) => {
  const counts = 'how many values were missing, where and why, which the run does not count';
  if (!preprocessing || !/\bSimpleImputer\b/.test(preprocessing.steps))
    return untold(`${counts}; how they were handled`);
  return {
    text: `Missing values were filled by a step of the preparation, fitted in each fold on its training rows: ${nameText(preprocessing.steps, 200)}.`,
    where: ['manifest.preprocessing.steps'],
    left: counts,
  };
};

/** The steps that prepare the rows, and where they were fitted. */
export const preparation: Maker = ({ manifest: { preprocessing } }) => {
  if (!preprocessing) return untold('whatever prepared X before the run, which had no `preprocessing` of its own');
  const { steps, globalSteps, frozen, learns } = preprocessing;
  const listed = (names: readonly string[]) => names.map((each) => nameText(each, 200)).join(', ');
  return {
    text: [
      `Rows were prepared in each fold: ${nameText(steps, 200)}.`,
      learns
        ? 'What these steps learn from rows in the run, they learn from the training rows of the fold.'
        : 'These steps learn nothing from the rows of a fold.',
      ...(globalSteps.length > 0 ? [`Steps that use other rows, as the author declares: ${listed(globalSteps)}.`] : []),
      ...(frozen.length > 0 ? [`Networks trained elsewhere, perhaps on these rows: ${listed(frozen)}.`] : []),
    ].join(' '),
    where: ['manifest.preprocessing'],
    left: 'whatever prepared X before the run',
  };
};

/** What was done about rare classes. */
export const imbalance: Maker = ({ manifest: { preprocessing, adjustment, task }, outOfFold: { weight } }) => {
  if (task === 'regression') return untold('how uneven the outcome is, which is a number without classes');
  const resamplers = preprocessing?.resamplers ?? [];
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
  const left = 'class weights and other means against imbalance, which the result does not record';
  return parts.length === 0 ? untold(left) : { ...together(parts), left };
};

/** Shares of the classes on both sides of the folds. */
export const classShares: Maker = ({ balance, manifest: { method } }) => {
  if (!balance) return untold('the make-up of each set');
  const left = 'demographic and clinical characteristics of each set';
  const [fold] = balance.folds;
  if (method !== 'given test set') return { text: balance.message, where: ['balance.message'], left };
  const shares = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .slice(0, CLASSES)
      .map(([name, share]) => `${nameText(name)} ${points(share)} %`)
      .join(', ');
  return {
    text: `Shares of the training rows: ${shares(fold.trainProportions)}; of the test rows: ${shares(fold.testProportions)}.`,
    where: ['balance.folds'],
    left,
  };
};

/** How many rows went where. */
export const flow: Maker = (result) => {
  const { foldDetails, manifest } = result;
  const done = foldDetails.filter(({ status }) => status === 'completed');
  if (done.length === 0) return untold('the flow of participants: no fold gave a result');
  const of = (field: 'nFitted' | 'nValidation' | 'nTest') => range(done.map((fold) => fold[field]));
  const text = [
    `Of ${counted(manifest.n, 'row')}, ${counted(done.length, 'fold')} tested ${of('nTest')}`,
    ...(trainedHere(result) ? [`trained on ${of('nFitted')}`] : []),
    ...(of('nValidation') === '0' ? [] : [`watched ${of('nValidation')} more`]),
  ].join(', ');
  const each = done.length > 1 ? ' (rows of each fold)' : '';
  return {
    text: `${text}${each}.`,
    where: ['manifest.n', 'foldDetails'],
    left: 'who was left out before these data',
  };
};

/** `7`, `5 to 9`. */
export function range(values: readonly number[]): string {
  const [least, most] = values.reduce(([low, high], each) => [Math.min(low, each), Math.max(high, each)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number]);
  return least === most ? wholeNumber(least) : `${wholeNumber(least)} to ${wholeNumber(most)}`;
}

/** Whether the model was trained by this run. */
export const trainedHere = ({ manifest: { method, fixedModel } }: ReportModel): boolean =>
  method !== 'given predictions' && fixedModel === null;
