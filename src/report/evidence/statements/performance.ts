/** What a result says of performance: scores, intervals, spread, calibration, errors. */
import { headText, nameText } from '../../../core/foreignText.js';
import { counted, formatNumber, percentOf, wholeNumber } from '../../../core/format.js';
import { labelsBehind } from '../../../core/labelsBehind.js';
import type { Interval } from '../../../intervals/interval.js';
import type { ReportModel } from '../../reportModel.js';
import { estimandText } from '../../wording.js';
import {
  combine,
  NOTHING,
  notReported,
  pathsTo,
  pathTo,
  present,
  type StatementBuilder,
  stated,
} from '../statement.js';
import { figures, isEvaluation, rowsAlone, torn } from './folds.js';

const hasLimits = ({ lower, upper }: Interval) => lower !== null || upper !== null;

const limits = ({ estimate, lower, upper, level }: Interval): string =>
  `${formatNumber(estimate)} (${percentOf(level)} interval ${formatNumber(lower)} to ${formatNumber(upper)})`;

const headsOf = (names: readonly string[]) => names.map((name) => headText(name)).join(', ');

export const measures: StatementBuilder = ({
  scores,
  manifest: { positiveLabel, notRecomputable },
  outOfFold: { weight },
}) => {
  const positive = positiveLabel === null ? '' : `; positive class ${nameText(String(positiveLabel))}`;
  const functions = notRecomputable.map((name) => nameText(name)).join(', ');
  return stated(
    [`Scores: ${headsOf(Object.keys(scores))}${positive}.`, weight && 'Rows have weights.'],
    ['scores', positive && 'manifest.positiveLabel', weight && 'outOfFold.weight'],
    functions && `what the scoring functions ${functions} compute`,
  );
};

export const performance: StatementBuilder = figures(({ scores, estimates, confidenceIntervals }) => {
  const names = Object.keys(scores);
  const withLimits = names.filter((name) => confidenceIntervals[name] && hasLimits(confidenceIntervals[name]));
  const without = names.filter((name) => !withLimits.includes(name) && estimates[name] !== null);
  const none = names.filter((name) => !withLimits.includes(name) && estimates[name] === null);
  const values = [
    ...withLimits.map((name) => `${headText(name)} ${limits(confidenceIntervals[name])}`),
    ...without.map((name) => `${headText(name)} ${formatNumber(estimates[name])}, without an interval`),
  ];
  const remaining = [
    without.length > 0 && `intervals of ${headsOf(without)}`,
    none.length > 0 && `${headsOf(none)}, which ${none.length === 1 ? 'has' : 'have'} no value in this run`,
  ];
  return stated(
    values.length > 0 ? `${values.join('; ')}.` : '',
    [
      ...(withLimits.length > 0 ? pathsTo('confidenceIntervals', withLimits, confidenceIntervals) : []),
      ...(without.length > 0 ? pathsTo('estimates', without, estimates) : []),
    ],
    present(remaining).join('; '),
  );
});

/** How many units were predicted, and where they stand; without a place those of the plan. */
const unitsOf = ({ outOfFold: { row, group } }: ReportModel, { independentUnit, nUnits }: Interval) => {
  if (independentUnit === 'row') return { count: new Set(row).size, where: 'outOfFold.row' };
  if (independentUnit === 'patient' && group) return { count: new Set(group).size, where: 'outOfFold.group' };
  return { count: nUnits, where: null };
};

const limitedIntervals = ({ confidenceIntervals }: ReportModel) => {
  const found = Object.entries(confidenceIntervals).filter(([, interval]) => hasLimits(interval));
  const names = found.map(([name]) => name);
  return { found, places: pathsTo('confidenceIntervals', names, confidenceIntervals) };
};

export const uncertainty: StatementBuilder = (result) => {
  const { found, places } = limitedIntervals(result);
  const { nGroups, independentRows } = result.manifest;
  if (found.length === 0) return notReported('statements of uncertainty: the run made no interval of a score');
  // Without ids nobody knows whether rows are of new patients.
  const whom = nGroups === null && !independentRows ? 'new rows' : 'new patients';
  const texts = new Map<string, string[]>();
  const where = new Set<string | null>(places);
  for (const [name, interval] of found) {
    const { method, level, independentUnit, estimand } = interval;
    const units = unitsOf(result, interval);
    where.add(units.where);
    const text = `${percentOf(level)} intervals by ${nameText(method)}, which take ${counted(units.count, nameText(independentUnit))} as independent, about ${estimandText(estimand, result, whom)}`;
    texts.set(text, [...(texts.get(text) ?? []), name]);
  }
  const how = stated(
    `${[...texts].map(([text, names]) => (texts.size > 1 ? `${text} (${headsOf(names)})` : text)).join('; ')}.`,
    [...where],
    Object.keys(result.confidenceIntervals).length > found.length && 'intervals of the scores that have none here',
  );
  return combine([how, rowsAlone(result), torn(result)]);
};

/** What counts as independent, and how many were tested; how a score combines folds and rows stands with the scores. */
export const analysisUnit: StatementBuilder = (result) => {
  const { found, places } = limitedIntervals(result);
  const units = found.map(([, interval]) => unitsOf(result, interval));
  const texts = units.map(
    ({ count }, at) =>
      `The intervals of the scores take the ${nameText(found[at][1].independentUnit)} as the independent unit (${wholeNumber(count)} tested).`,
  );
  if (texts.length === 0) return notReported('the unit of analysis: the run made no interval of a score');
  if (new Set(texts).size > 1) return notReported('the unit of analysis, which differs between the scores');
  return combine([stated(texts[0], [...places, units[0].where]), rowsAlone(result), torn(result)]);
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
  return stated(
    `Between folds: ${parts.join('; ')}.`,
    [
      ...pathsTo('stdScores', known, stdScores),
      ...(tested.length > 0 ? pathsTo('confidenceIntervals', tested, confidenceIntervals) : []),
    ],
    remaining,
  );
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
  const none = all.flatMap((each) =>
    known.includes(each) ? [] : [`the ${each.name}, which has no value in this run`],
  );
  const bare = known.flatMap(({ name, value }) => (hasLimits(value) ? [] : [`the interval of the ${name}`]));
  const values = known.map(({ name, value }) =>
    hasLimits(value) ? `${name} ${limits(value)}` : `${name} ${formatNumber(value.estimate)}, without an interval`,
  );
  return stated(
    `Calibration of the probabilities: ${values.join('; ')}.`,
    known.map(({ name }) => `calibration.${name}`),
    [...none, ...bare].join('; '),
  );
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
    const cell = (truth: boolean, predicted: boolean) =>
      wholeNumber(count((t, p) => (t === positive) === truth && (p === positive) === predicted));
    const cells =
      positive !== undefined &&
      `Of the positive class ${cell(true, true)} were found and ${cell(true, false)} missed; of the other ${cell(false, false)} were right and ${cell(false, true)} false alarms.`;
    const remaining = [
      positive === undefined && 'the table of the classes against the reference',
      repeated && 'a table that counts every row once',
    ];
    return stated(
      [
        `${wholeNumber(wrong)} of ${counted(row.length, 'prediction')} differ from the reference${repeated}${plain}.`,
        cells,
      ],
      ['outOfFold.yTrue', 'outOfFold.yPred'],
      present(remaining).join('; '),
    );
  },
);

export const failedFolds: StatementBuilder = (result) => {
  const { foldsFailed, foldsRun, nSplits } = result.manifest;
  if (isEvaluation(result)) return notReported('folds that failed: predictions were given');
  const some = foldsRun < nSplits ? ` that ${foldsRun === 1 ? 'was' : 'were'} run, of ${wholeNumber(nSplits)}` : '';
  const where = ['manifest.foldsFailed', 'manifest.foldsRun', some && 'manifest.nSplits'];
  if (foldsFailed === 0) return stated(`No fold failed (${counted(foldsRun, 'fold')}${some}).`, where);
  return stated(
    `${wholeNumber(foldsFailed)} of ${counted(foldsRun, 'fold')}${some} failed and count in no score; their details hold the errors.`,
    [...where, 'foldDetails'],
    'what the failed folds mean for the result',
  );
};

export const undefinedScores: StatementBuilder = (result) => {
  const { scores, manifest } = result;
  const found = Object.entries(scores).flatMap(([name, values]) => {
    const none = values.filter(({ value }) => value === null).length;
    return none === 0
      ? []
      : [{ name, text: `${headText(name)} in ${wholeNumber(none)} of ${counted(values.length, 'fold')}` }];
  });
  const remaining = 'how indeterminate results were handled before the run';
  if (found.length === 0) {
    const folds = isEvaluation(result) ? ' in every fold' : ' in every fold that was run';
    return stated(`Every score has a value${manifest.nSplits === 1 ? '' : folds}.`, ['scores'], remaining);
  }
  return stated(
    `Scores without a value: ${found.map(({ text }) => text).join(', ')}; they count in no mean.`,
    found.map(({ name }) => pathTo('scores', name)),
    remaining,
  );
};

export const baseline: StatementBuilder = ({ baseline: values, scores }) => {
  const known = Object.keys(scores).flatMap((name) => {
    const value = values?.[name]?.value ?? null;
    return value === null ? [] : [{ name, text: `${headText(name)} ${formatNumber(value)}` }];
  });
  if (known.length === 0) return NOTHING;
  const names = known.map(({ name }) => name);
  return stated(
    `A model that has learned from the labels alone would score: ${known.map(({ text }) => text).join(', ')}.`,
    pathsTo('baseline', names, values ?? {}),
  );
};
