/** What a result says of the data: sizes, classes, hashes, missing values, and the preparation. */
import { nameText } from '../../../core/foreignText.js';
import { counted, formatNumber, points, wholeNumber } from '../../../core/format.js';
import { kaplanMeier } from '../../../survival/kaplanMeier.js';
import { takeOutcomes } from '../../../survival/outcomes.js';
import { combine, NOTHING, notReported, present, type StatementBuilder, stated } from '../statement.js';
import { completed, eachFold, isEvaluation, ofFolds, range, rowsAlone, trainedHere } from './folds.js';

/** Sentences of others are no longer than this. */
export const MESSAGE = 1000;

const CLASSES = 8;

const listed = (classes: readonly string[]): string =>
  `${classes.slice(0, CLASSES).join(', ')}${classes.length > CLASSES ? ` and ${counted(classes.length - CLASSES, 'more class', 'more classes')}` : ''}`;

export const sampleSizeStatement: StatementBuilder = (result) => {
  const { n, nGroups, independentRows, rowShape } = result.manifest;
  const patients =
    nGroups !== null
      ? ` of ${counted(nGroups, 'patient')} (different ids of \`patientIds\` or \`groups\`)`
      : independentRows && ", each its own patient on the author's word";
  const shape =
    rowShape?.length === 1 ? `, ${counted(rowShape[0], 'feature')} each` : rowShape && `, each ${rowShape.join(' x ')}`;
  return stated(
    `${counted(n, 'row')}${patients || ''}${shape ?? ''}.`,
    [
      'manifest.n',
      nGroups !== null ? 'manifest.nGroups' : independentRows && 'manifest.independentRows',
      rowShape && 'manifest.rowShape',
    ],
    rowsAlone(result).remaining,
  );
};

export const outcomeRead: StatementBuilder = (result) => {
  const { task, taskReason } = result.manifest;
  const read = `The outcome was read as ${task} (${nameText(taskReason, 200)}).`;
  return combine([stated(read, ['manifest.task', 'manifest.taskReason']), outcomeTimes(result)]);
};

/** Of outcomes by time; of others nothing. */
export const outcomeTimes: StatementBuilder = ({ manifest: { task, times = [], causeOfInterest }, outOfFold }) => {
  if (task !== 'survival') return NOTHING;
  const first = new Map(Array.from(outOfFold.row, (row, at) => [row, at]));
  const rows = Int32Array.from(first.values());
  const outcomes = takeOutcomes(
    { time: Float64Array.from(outOfFold.yTrue as number[]), event: Int32Array.from(outOfFold.event ?? []) },
    rows,
  );
  const { times: steps, survival } = kaplanMeier(outcomes, null, 'censoring');
  const median = steps[survival.findIndex((each) => each <= 0.5)];
  return stated(
    [
      `Risks are of event ${causeOfInterest}, scored at the times ${times.join(', ')}, in the unit of y.`,
      median === undefined
        ? 'Fewer than half of the rows were censored when follow-up ended: it has no median.'
        : `Median follow-up ${formatNumber(median)} (Kaplan-Meier with censoring as the event).`,
      'Scores weighted for censoring take the weights from the training rows of each fold.',
    ],
    ['manifest.causeOfInterest', 'manifest.times', 'outOfFold.yTrue', 'outOfFold.event'],
    'how the event was defined and assessed; the unit of time; when follow-up began',
  );
};

export const events: StatementBuilder = ({
  checks,
  manifest: { task, positiveLabel, independentRows, n, nGroups },
}) => {
  const at = checks.findIndex(({ code, madeBy }) => code === 'CVB001' && !madeBy);
  const counts = checks[at]?.evidence.counts as Readonly<Record<string, number>> | undefined;
  if (task === 'regression') return notReported('the distribution of the outcome, which is a number');
  if (!counts) return notReported('the number of outcome events, which the run did not count');
  const rows = listed(Object.entries(counts).map(([name, count]) => `${nameText(name)} ${wholeNumber(count)}`));
  const positive = positiveLabel === null ? '' : `; the positive class is ${nameText(String(positiveLabel))}`;
  return stated(
    `Rows by ${task === 'multilabel' ? 'label' : 'class'}: ${rows}${positive}.`,
    [`checks[${at}].evidence.counts`, positive && 'manifest.positiveLabel'],
    !independentRows && nGroups !== n && 'the number of patients with the outcome',
  );
};

/** Digits of a hash that are shown; all of them stand in the manifest. */
const DIGITS = 16;

export const hashes: StatementBuilder = ({ manifest: { sha256 } }) => {
  if (sha256 === null) return notReported('hashes of the data, which the run did not read');
  const all = [...Object.entries(sha256.data), ['the folds', sha256.folds] as const];
  const shown = all.flatMap(([name, hash]) => (hash === null ? [] : [`${nameText(name)} ${hash.slice(0, DIGITS)}…`]));
  const lacking = all.flatMap(([name, hash]) => (hash === null ? [nameText(name)] : []));
  return stated(
    `SHA-256 of ${shown.join(', of ')}.`,
    ['manifest.sha256'],
    lacking.length > 0 && `a hash of ${lacking.join(', ')}, which the run could not make`,
  );
};

const NO_FOLD = 'no fold gave a result';

/** Missing values: the result does not count them, but knows the steps that fill them. */
export const missing: StatementBuilder = (result) => {
  const counts = 'how many values were missing, where and why, which the run does not count';
  const imputers = result.manifest.preprocessing?.imputers ?? [];
  if (imputers.length === 0 || completed(result).length === 0) return notReported(`${counts}; how they were handled`);
  const steps = imputers.map((each) => nameText(each, 200)).join(', ');
  return stated(
    `Columns were filled where a value was missing, by steps fitted in ${eachFold(result)} to its training rows: ${steps}.`,
    ['manifest.preprocessing.imputers'],
    `${counts}; how missing values that these steps do not fill were handled`,
  );
};

export const preparation: StatementBuilder = (result) => {
  const { preprocessing } = result.manifest;
  const before = 'whatever prepared X before the run';
  if (!preprocessing) return notReported(`${before}, which had no \`preprocessing\` of its own`);
  if (completed(result).length === 0) return notReported(`the preparation of the rows: ${NO_FOLD}`);
  const { steps, globalSteps, frozen, learns } = preprocessing;
  const named = (names: readonly string[]) => names.map((each) => nameText(each, 200)).join(', ');
  return stated(
    [
      `Rows were prepared in ${eachFold(result)}: ${nameText(steps, 200)}.`,
      learns ? 'The run fitted these steps to the training rows of the fold.' : 'The run fitted none of these steps.',
      globalSteps.length > 0 && `Steps that use other rows, as the author declares: ${named(globalSteps)}.`,
      frozen.length > 0 && `Networks trained elsewhere, perhaps on these rows: ${named(frozen)}.`,
    ],
    ['manifest.preprocessing'],
    before,
  );
};

export const imbalance: StatementBuilder = (result) => {
  const {
    manifest: { preprocessing, adjustment, task },
    outOfFold: { weight },
  } = result;
  if (task === 'regression') return notReported('how uneven the outcome is, which is a number without classes');
  const resamplers = completed(result).length > 0 ? (preprocessing?.resamplers ?? []) : [];
  const names = resamplers.map((each) => nameText(each, 200)).join(', ');
  const recalibrated = adjustment !== null && /recalibration/.test(adjustment);
  const parts = [
    names && `Training rows were resampled (${names}); test rows were left as they were.`,
    weight && 'Rows have weights.',
    recalibrated && `Predictions: ${nameText(adjustment, 300)}.`,
  ];
  return stated(
    present(parts).join('\n'),
    [names && 'manifest.preprocessing.resamplers', weight && 'outOfFold.weight', recalibrated && 'manifest.adjustment'],
    'class weights and other means against imbalance, which the result does not record',
  );
};

export const classShares: StatementBuilder = ({ balance, manifest: { method, task } }) => {
  // Of numbers the balance compares fifths of their range: those are no classes.
  if (!balance || task === 'regression') return notReported('the make-up of each set');
  const remaining = 'demographic and clinical characteristics of each set';
  const [fold] = balance.folds;
  if (method !== 'given test set') return stated(nameText(balance.message, MESSAGE), ['balance.message'], remaining);
  const shares = (of: Readonly<Record<string, number>>) =>
    listed(Object.entries(of).map(([name, share]) => `${nameText(name)} ${points(share)} %`));
  return stated(
    `Shares of the training rows: ${shares(fold.trainProportions)}; of the test rows: ${shares(fold.testProportions)}.`,
    ['balance.folds'],
    remaining,
  );
};

export const flow: StatementBuilder = ofFolds((result) => {
  const { manifest } = result;
  const done = completed(result);
  if (done.length === 0) return notReported(`the flow of participants: ${NO_FOLD}`);
  const of = (field: 'nFitted' | 'nValidation' | 'nTest') => range(done.map((fold) => fold[field]));
  const resampled = trainedHere(result) && (manifest.preprocessing?.resamplers ?? []).length > 0;
  const remaining = 'who was left out before these data';
  const rows = `Of ${counted(manifest.n, 'row')}`;
  if (isEvaluation(result) && manifest.nSplits === 1) {
    const text = `${rows}, the predictions of ${of('nTest')} were given.`;
    return stated(text, ['manifest.n', 'foldDetails'], remaining);
  }
  const parts = [
    `${rows}, ${counted(done.length, 'fold')} tested ${of('nTest')}`,
    trainedHere(result) && `trained on ${of('nFitted')}${resampled ? ' before resampling' : ''}`,
    of('nValidation') !== '0' && `watched ${of('nValidation')} more`,
  ];
  return stated(
    `${present(parts).join(', ')}${done.length > 1 ? ' (rows of each fold)' : ''}.`,
    ['manifest.n', 'foldDetails', resampled && 'manifest.preprocessing.resamplers'],
    remaining,
  );
});
