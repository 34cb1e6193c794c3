/** What a result says of performance: scores, intervals, spread, calibration, errors. */
import { headText, nameText } from '../../../core/foreignText.js';
import { counted, formatNumber, percentOf, wholeNumber } from '../../../core/format.js';
import { labelsBehind } from '../../../core/labelsBehind.js';
import type { Interval } from '../../../intervals/interval.js';
import type { ReportModel } from '../../reportModel.js';
import { estimandText } from '../../sections.js';
import { combine, notReported, pathsTo, pathTo, type StatementBuilder } from '../statement.js';
import { figures, isEvaluation, rowsAlone, torn } from './folds.js';

const hasLimits = ({ lower, upper }: Interval) => lower !== null || upper !== null;

const limits = ({ estimate, lower, upper, level }: Interval): string =>
  `${formatNumber(estimate)} (${percentOf(level)} interval ${formatNumber(lower)} to ${formatNumber(upper)})`;

export const measures: StatementBuilder = ({
  scores,
  manifest: { positiveLabel, notRecomputable },
  outOfFold: { weight },
}) => ({
  text: `Scores: ${Object.keys(scores)
    .map((name) => headText(name))
    .join(
      ', ',
    )}${positiveLabel === null ? '' : `; positive class ${nameText(String(positiveLabel))}`}.${weight ? ' Rows have weights.' : ''}`,
  where: [
    'scores',
    ...(positiveLabel === null ? [] : ['manifest.positiveLabel']),
    ...(weight ? ['outOfFold.weight'] : []),
  ],
  ...(notRecomputable.length > 0
    ? { remaining: `what the scoring functions ${notRecomputable.map((name) => nameText(name)).join(', ')} compute` }
    : {}),
});

export const performance: StatementBuilder = figures(({ scores, estimates, confidenceIntervals }) => {
  const names = Object.keys(scores);
  const withLimits = names.filter((name) => confidenceIntervals[name] && hasLimits(confidenceIntervals[name]));
  const without = names.filter((name) => !withLimits.includes(name) && estimates[name] !== null);
  const none = names.filter((name) => !withLimits.includes(name) && estimates[name] === null);
  const listed = (those: readonly string[]) => those.map((name) => headText(name)).join(', ');
  const remaining = [
    ...(without.length > 0 ? [`intervals of ${listed(without)}`] : []),
    ...(none.length > 0 ? [`${listed(none)}, which ${none.length === 1 ? 'has' : 'have'} no value in this run`] : []),
  ].join('; ');
  if (withLimits.length + without.length === 0) return notReported(remaining);
  const values = [
    ...withLimits.map((name) => `${headText(name)} ${limits(confidenceIntervals[name])}`),
    ...without.map((name) => `${headText(name)} ${formatNumber(estimates[name])}, without an interval`),
  ];
  return {
    text: `${values.join('; ')}.`,
    where: [
      ...(withLimits.length > 0 ? pathsTo('confidenceIntervals', withLimits, confidenceIntervals) : []),
      ...(without.length > 0 ? pathsTo('estimates', without, estimates) : []),
    ],
    remaining: remaining || undefined,
  };
});

/** Different units in the out-of-fold table; null for a unit that it does not hold. */
const testedUnits = ({ outOfFold: { row, group } }: ReportModel, unit: string) =>
  unit === 'row'
    ? { count: new Set(row).size, where: 'outOfFold.row' }
    : unit === 'patient' && group
      ? { count: new Set(group).size, where: 'outOfFold.group' }
      : null;

/** The number of units and where it stands: those that were predicted, not those of the plan. */
const unitsOf = (result: ReportModel, { independentUnit, nUnits }: Interval) =>
  testedUnits(result, independentUnit) ?? { count: nUnits, where: null };

/** Whom the figures can be about: without ids nobody knows whether rows are of new patients. */
const whom = ({ manifest: { nGroups, independentRows } }: ReportModel) =>
  nGroups === null && !independentRows ? 'new rows' : 'new patients';

export const uncertainty: StatementBuilder = (result) => {
  const { confidenceIntervals } = result;
  const limited = Object.entries(confidenceIntervals).filter(([, interval]) => hasLimits(interval));
  if (limited.length === 0) return notReported('statements of uncertainty: the run made no interval of a score');
  const texts = new Map<string, string[]>();
  const places = new Set<string>();
  for (const [name, interval] of limited) {
    const { method, level, independentUnit, estimand } = interval;
    const { count, where } = unitsOf(result, interval);
    if (where) places.add(where);
    const text = `${percentOf(level)} intervals by ${nameText(method)}, which take ${counted(count, nameText(independentUnit))} as independent, about ${estimandText(estimand, result, whom(result))}`;
    texts.set(text, [...(texts.get(text) ?? []), name]);
  }
  const none = Object.keys(confidenceIntervals).length - limited.length;
  const how = {
    text: `${[...texts].map(([text, names]) => (texts.size > 1 ? `${text} (${names.map((each) => headText(each)).join(', ')})` : text)).join('; ')}.`,
    where: [
      ...pathsTo(
        'confidenceIntervals',
        limited.map(([name]) => name),
        confidenceIntervals,
      ),
      ...places,
    ],
    ...(none > 0 ? { remaining: 'intervals of the scores that have none here' } : {}),
  };
  return combine([how, rowsAlone(result), torn(result)]);
};

/** What counts as independent, and how many were tested; how a score combines folds and rows stands with the scores. */
export const analysisUnit: StatementBuilder = (result) => {
  const limited = Object.entries(result.confidenceIntervals).filter(([, interval]) => hasLimits(interval));
  const units = limited.map(([, interval]) => ({ ...unitsOf(result, interval), unit: interval.independentUnit }));
  const texts = units.map(
    ({ unit, count }) =>
      `The intervals of the scores take the ${nameText(unit)} as the independent unit (${wholeNumber(count)} tested).`,
  );
  if (texts.length === 0) return notReported('the unit of analysis: the run made no interval of a score');
  if (new Set(texts).size > 1) return notReported('the unit of analysis, which differs between the scores');
  const where = pathsTo(
    'confidenceIntervals',
    limited.map(([name]) => name),
    result.confidenceIntervals,
  );
  const counts = units[0].where === null ? [] : [units[0].where];
  return combine([{ text: texts[0], where: [...where, ...counts] }, rowsAlone(result), torn(result)]);
};

export const heterogeneity: StatementBuilder = figures((result) => {
  const {
    stdScores,
    confidenceIntervals,
    manifest: { nSplits },
  } = result;
  const remaining = 'differences between sites, periods or other clusters (`acrossSites` of cvkit/stats)';
  if (nSplits === 1) return notReported(`${remaining}: there was one test set`);
  const known = Object.keys(stdScores).filter((name) => stdScores[name] !== null);
  if (known.length === 0) return notReported(remaining);
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
    remaining,
  };
});

export const calibration: StatementBuilder = figures((result) => {
  const {
    calibration: curve,
    manifest: { task },
    outOfFold: { yProba },
  } = result;
  if (task !== 'binary') return notReported('calibration, which the result holds for binary tasks alone');
  if (!yProba) return notReported('calibration: the result holds no probabilities');
  const all = (['intercept', 'slope'] as const).flatMap((name) => (curve ? [{ name, value: curve[name] }] : []));
  const known = all.filter(({ value: { estimate } }) => estimate !== null);
  if (known.length === 0) return notReported('calibration, which has no value in this run');
  const none = all
    .filter((each) => !known.includes(each))
    .map(({ name }) => `the ${name}, which has no value in this run`);
  const bare = known.filter(({ value }) => !hasLimits(value)).map(({ name }) => `the interval of the ${name}`);
  const values = known.map(({ name, value }) =>
    hasLimits(value) ? `${name} ${limits(value)}` : `${name} ${formatNumber(value.estimate)}, without an interval`,
  );
  return {
    text: `Calibration of the probabilities: ${values.join('; ')}.`,
    where: known.map(({ name }) => `calibration.${name}`),
    remaining: [...none, ...bare].join('; ') || undefined,
  };
});

/** Truth against prediction, counted over the out-of-fold table. */
export const crossTabulation: StatementBuilder = figures(
  ({ outOfFold: { row, yTrue, yPred, weight }, manifest: { task, classes, positiveLabel } }) => {
    if (task !== 'binary' && task !== 'multiclass')
      return notReported('errors, which are not counted for a task without classes');
    if (row.length === 0) return notReported('errors: no row was predicted');
    const count = (holds: (truth: unknown, predicted: unknown) => boolean) =>
      yTrue.reduce((sum: number, truth, at) => sum + (holds(truth, yPred[at]) ? 1 : 0), 0);
    const repeated = new Set(row).size < row.length ? ', in which rows are predicted more than once' : '';
    const plain = weight ? ', without weights' : '';
    const wrong = count((truth, predicted) => truth !== predicted);
    const positive =
      positiveLabel === null
        ? undefined
        : labelsBehind<unknown>(classes, [...yTrue, ...yPred])?.[classes.indexOf(positiveLabel)];
    const isPositive = (label: unknown) => label === positive;
    const cells =
      positive === undefined
        ? ''
        : ` Of the positive class ${wholeNumber(count((t, p) => isPositive(t) && isPositive(p)))} were found and ${wholeNumber(count((t, p) => isPositive(t) && !isPositive(p)))} missed; of the other ${wholeNumber(count((t, p) => !isPositive(t) && !isPositive(p)))} were right and ${wholeNumber(count((t, p) => !isPositive(t) && isPositive(p)))} false alarms.`;
    const remaining = [
      ...(positive === undefined ? ['the table of the classes against the reference'] : []),
      ...(repeated ? ['a table that counts every row once'] : []),
    ].join('; ');
    return {
      text: `${wholeNumber(wrong)} of ${counted(row.length, 'prediction')} differ from the reference${repeated}${plain}.${cells}`,
      where: ['outOfFold.yTrue', 'outOfFold.yPred'],
      remaining: remaining || undefined,
    };
  },
);

export const failedFolds: StatementBuilder = (result) => {
  const { foldsFailed, foldsRun, nSplits } = result.manifest;
  if (isEvaluation(result)) return notReported('folds that failed: predictions were given');
  const some = foldsRun < nSplits ? ` that ${foldsRun === 1 ? 'was' : 'were'} run, of ${wholeNumber(nSplits)}` : '';
  const where = ['manifest.foldsFailed', 'manifest.foldsRun', ...(some === '' ? [] : ['manifest.nSplits'])];
  if (foldsFailed === 0) return { text: `No fold failed (${counted(foldsRun, 'fold')}${some}).`, where };
  return {
    text: `${wholeNumber(foldsFailed)} of ${counted(foldsRun, 'fold')}${some} failed and count in no score; their details hold the errors.`,
    where: [...where, 'foldDetails'],
    remaining: 'what the failed folds mean for the result',
  };
};

export const undefinedScores: StatementBuilder = (result) => {
  const { scores, manifest } = result;
  const found = Object.entries(scores).flatMap(([name, values]) => {
    const none = values.filter(({ value }) => value === null).length;
    return none === 0 ? [] : [{ name, none, of: values.length }];
  });
  const remaining = 'how indeterminate results were handled before the run';
  return {
    text:
      found.length === 0
        ? `Every score has a value${manifest.nSplits === 1 ? '' : isEvaluation(result) ? ' in every fold' : ' in every fold that was run'}.`
        : `Scores without a value: ${found.map(({ name, none, of }) => `${headText(name)} in ${wholeNumber(none)} of ${counted(of, 'fold')}`).join(', ')}; they count in no mean.`,
    where: found.length === 0 ? ['scores'] : found.map(({ name }) => pathTo('scores', name)),
    remaining,
  };
};

export const baseline: StatementBuilder = ({ baseline: values, scores }: ReportModel) => {
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
