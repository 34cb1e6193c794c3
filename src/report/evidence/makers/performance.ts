/** What a result says of performance: scores, intervals, spread, calibration, errors. */
import { headText, nameText } from '../../../core/foreignText.js';
import { counted, formatNumber, percentOf, wholeNumber } from '../../../core/format.js';
import type { Interval } from '../../../intervals/interval.js';
import type { ReportModel } from '../../reportModel.js';
import { estimandText } from '../../sections.js';
import { type Maker, pathsTo, pathTo, untold } from '../guideline.js';

const hasLimits = ({ lower, upper }: Interval) => lower !== null || upper !== null;

const limits = ({ estimate, lower, upper, level }: Interval): string =>
  `${formatNumber(estimate)} (${percentOf(level)} interval ${formatNumber(lower)} to ${formatNumber(upper)})`;

/** Which scores, and of which class. */
export const measures: Maker = ({ scores, manifest: { positiveLabel, notRecomputable } }) => ({
  text: `Scores: ${Object.keys(scores)
    .map((name) => headText(name))
    .join(', ')}${positiveLabel === null ? '' : `; positive class ${nameText(String(positiveLabel))}`}.`,
  where: ['scores', ...(positiveLabel === null ? [] : ['manifest.positiveLabel'])],
  ...(notRecomputable.length > 0
    ? { left: `what the scoring functions ${notRecomputable.map((name) => nameText(name)).join(', ')} compute` }
    : {}),
});

/** Every estimate with its interval, or why there is none. */
export const performance: Maker = ({ scores, estimates, confidenceIntervals }) => {
  const names = Object.keys(scores);
  const withLimits = names.filter((name) => confidenceIntervals[name] && hasLimits(confidenceIntervals[name]));
  const without = names.filter((name) => !withLimits.includes(name) && estimates[name] !== null);
  const none = names.filter((name) => !withLimits.includes(name) && estimates[name] === null);
  const listed = (those: readonly string[]) => those.map((name) => headText(name)).join(', ');
  const left = [
    ...(without.length > 0 ? [`intervals of ${listed(without)}`] : []),
    ...(none.length > 0 ? [`${listed(none)}, which ${none.length === 1 ? 'has' : 'have'} no value in this run`] : []),
  ].join('; ');
  if (withLimits.length + without.length === 0) return untold(left);
  const told = [
    ...withLimits.map((name) => `${headText(name)} ${limits(confidenceIntervals[name])}`),
    ...without.map((name) => `${headText(name)} ${formatNumber(estimates[name])}, without an interval`),
  ];
  return {
    text: `${told.join('; ')}.`,
    where: [
      ...(withLimits.length > 0 ? pathsTo('confidenceIntervals', withLimits, confidenceIntervals) : []),
      ...(without.length > 0 ? pathsTo('estimates', without, estimates) : []),
    ],
    left: left || undefined,
  };
};

/** How intervals were made, and of what units. */
export const uncertainty: Maker = ({ confidenceIntervals, manifest: { nSplits } }) => {
  const made = Object.entries(confidenceIntervals).filter(([, interval]) => hasLimits(interval));
  if (made.length === 0) return untold('statements of uncertainty: the run made no interval');
  const said = new Map<string, string[]>();
  for (const [name, { method, level, nUnits, independentUnit, estimand }] of made) {
    const text = `${percentOf(level)} intervals by ${nameText(method)}, with ${counted(nUnits, independentUnit)} as independent units, about ${estimandText(estimand, nSplits)}`;
    said.set(text, [...(said.get(text) ?? []), name]);
  }
  const none = Object.keys(confidenceIntervals).length - made.length;
  return {
    text: `${[...said].map(([text, names]) => (said.size > 1 ? `${text} (${names.map((each) => headText(each)).join(', ')})` : text)).join('; ')}.`,
    where: pathsTo(
      'confidenceIntervals',
      made.map(([name]) => name),
      confidenceIntervals,
    ),
    ...(none > 0 ? { left: 'intervals of the scores that have none here' } : {}),
  };
};

/** What counts as independent, and what is averaged over. */
export const analysisUnit: Maker = ({ confidenceIntervals }) => {
  const texts = Object.values(confidenceIntervals).map(
    ({ independentUnit, nUnits, averagedOver }) =>
      `The independent unit is the ${nameText(independentUnit)} (${wholeNumber(nUnits)} tested); the estimate averages over every ${averagedOver}.`,
  );
  if (texts.length === 0) return untold('the unit of analysis: the run made no interval');
  if (new Set(texts).size > 1) return untold('the unit of analysis, which differs between the scores');
  return { text: texts[0], where: ['confidenceIntervals'] };
};

/** How scores differ between folds. */
export const heterogeneity: Maker = ({ stdScores, confidenceIntervals, manifest: { nSplits } }) => {
  const left = 'differences between sites, periods or other clusters (`acrossSites` of cvkit/stats)';
  if (nSplits === 1) return untold(`${left}: there was one test set`);
  const known = Object.keys(stdScores).filter((name) => stdScores[name] !== null);
  if (known.length === 0) return untold(left);
  const tested = known.filter((name) => confidenceIntervals[name]?.heterogeneity);
  const parts = known.map((name) => {
    const found = confidenceIntervals[name]?.heterogeneity;
    const q = found ? `, Cochran's Q ${formatNumber(found.q)} with p = ${formatNumber(found.pValue)}` : '';
    return `${headText(name)} sd ${formatNumber(stdScores[name])}${q}`;
  });
  return {
    text: `Between folds: ${parts.join('; ')}.`,
    where: [
      ...pathsTo('stdScores', known, stdScores),
      ...(tested.length > 0 ? pathsTo('confidenceIntervals', tested, confidenceIntervals) : []),
    ],
    left,
  };
};

/** Whether probabilities are right on average. */
export const calibration: Maker = ({ calibration: curve, manifest: { task }, outOfFold: { yProba } }) => {
  if (task !== 'binary') return untold('calibration, which the result holds for binary tasks alone');
  if (!curve) return untold(yProba ? 'calibration' : 'calibration: the model gave no probabilities');
  const value = (name: string, of: Interval) =>
    hasLimits(of) ? `${name} ${limits(of)}` : `${name} ${formatNumber(of.estimate)}`;
  return {
    text: `Calibration of the probabilities: ${value('intercept', curve.intercept)}, ${value('slope', curve.slope)}.`,
    where: ['calibration.intercept', 'calibration.slope'],
  };
};

/** Truth against prediction, counted over the out-of-fold table. */
export const crossTabulation: Maker = ({
  outOfFold: { row, yTrue, yPred, weight },
  manifest: { task, positiveLabel },
}) => {
  if (task !== 'binary' && task !== 'multiclass')
    return untold('errors, which are not counted for a task without classes');
  if (row.length === 0) return untold('errors: no row was predicted');
  const count = (holds: (truth: unknown, predicted: unknown) => boolean) =>
    yTrue.reduce((sum: number, truth, at) => sum + (holds(truth, yPred[at]) ? 1 : 0), 0);
  const repeated = new Set(row).size < row.length ? ', in which rows are predicted more than once' : '';
  const plain = weight ? ', without weights' : '';
  const wrong = count((truth, predicted) => truth !== predicted);
  const isPositive = (label: unknown) => label === positiveLabel;
  const cells =
    positiveLabel === null
      ? ''
      : ` Of the positive class ${wholeNumber(count((t, p) => isPositive(t) && isPositive(p)))} were found and ${wholeNumber(count((t, p) => isPositive(t) && !isPositive(p)))} missed; of the other ${wholeNumber(count((t, p) => !isPositive(t) && !isPositive(p)))} were right and ${wholeNumber(count((t, p) => !isPositive(t) && isPositive(p)))} false alarms.`;
  return {
    text: `${wholeNumber(wrong)} of ${counted(row.length, 'prediction')} differ from the reference${repeated}${plain}.${cells}`,
    where: ['outOfFold.yTrue', 'outOfFold.yPred'],
  };
};

/** Folds without a result. */
export const failedFolds: Maker = ({ manifest: { foldsFailed, foldsRun } }) => ({
  text:
    foldsFailed === 0
      ? `No fold failed (${counted(foldsRun, 'fold')}).`
      : `${wholeNumber(foldsFailed)} of ${counted(foldsRun, 'fold')} failed and count in no score; their details hold the errors.`,
  where: ['manifest.foldsFailed', 'manifest.foldsRun', ...(foldsFailed === 0 ? [] : ['foldDetails'])],
  ...(foldsFailed === 0 ? {} : { left: 'what the failed folds mean for the result' }),
});

/** Scores that had no value somewhere. */
export const undefinedScores: Maker = ({ scores }) => {
  const found = Object.entries(scores).flatMap(([name, values]) => {
    const none = values.filter(({ value }) => value === null).length;
    return none === 0 ? [] : [{ name, none, of: values.length }];
  });
  const left = 'how indeterminate results were handled before the run';
  return {
    text:
      found.length === 0
        ? 'Every score has a value in every fold that was run.'
        : `Scores without a value: ${found.map(({ name, none, of }) => `${headText(name)} in ${wholeNumber(none)} of ${counted(of, 'fold')}`).join(', ')}; they count in no mean.`,
    where: found.length === 0 ? ['scores'] : found.map(({ name }) => pathTo('scores', name)),
    left,
  };
};

/** What a model without features would score. */
export const baseline: Maker = ({ baseline: values, scores }: ReportModel) => {
  const known = Object.keys(scores).flatMap((name) => {
    const value = values?.[name]?.value ?? null;
    return value === null ? [] : [{ name, value }];
  });
  if (known.length === 0) return { text: '', where: [] };
  return {
    text: `A model that has learned from the labels alone would score: ${known.map(({ name, value }) => `${headText(name)} ${formatNumber(value)}`).join(', ')}.`,
    where: pathsTo(
      'baseline',
      known.map(({ name }) => name),
      values ?? {},
    ),
  };
};
