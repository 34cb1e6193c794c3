/** The pictures of a report, by the section that they belong to. Those that a result has no numbers for are left out. */

import type { CalibrationCurve } from '../clinical/calibration/calibrationCurve.js';
import { InvalidDataError } from '../core/errors.js';
import { headText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import { labelsBehind } from '../core/labelsBehind.js';
import { classText, type Label } from '../data/labels.js';
import { calibrationPicture, plotCalibration } from '../plot/plotCalibration.js';
import { plotConfusion } from '../plot/plotConfusion.js';
import { plotDecisionCurve } from '../plot/plotDecisionCurve.js';
import { plotFolds } from '../plot/plotFolds.js';
import { type ForestRow, plotForest } from '../plot/plotForest.js';
import { plotHistory } from '../plot/plotHistory.js';
import { plotImportance } from '../plot/plotImportance.js';
import { plotInstability } from '../plot/plotInstability.js';
import { plotKaplanMeier } from '../plot/plotKaplanMeier.js';
import { plotPrecisionRecall } from '../plot/plotPrecisionRecall.js';
import { plotRoc } from '../plot/plotRoc.js';
import { isShare, plotScores } from '../plot/plotScores.js';
import type { Svg } from '../plot/svg.js';
import type { FitHistory } from '../runner/frameworkAdapter.js';
import type { OutOfFold } from '../runner/outOfFold.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import type { ReportModel } from './reportModel.js';
import { type ReportParts, subgroupName } from './tables.js';

/** What pictures are made of beyond the plain model; a plain copy of a result lacks it. */
export interface Pictured extends ReportModel {
  readonly outOfFold: OutOfFold;
  readonly plan?: FoldPlan;
  readonly calibration?: CalibrationCurve | null;
  readonly histories?: readonly FitHistory[];
}

/** Width of a picture in the page: it is read without scaling on a phone. */
const WIDTH = 360;

export function picturesOf(result: Pictured, more: ReportParts = {}): Readonly<Record<string, readonly Svg[]>> {
  return {
    Folds: [...ofFolds(result), ...ofTraining(result)],
    Scores: [
      ...ofScores(result),
      ...ofRisks(result),
      ...ofOutcomes(result),
      ...(result.manifest.task === 'binary' ? [] : ofClasses(result)),
    ],
    'At the threshold': result.manifest.task === 'binary' ? ofClasses(result) : [],
    Importance: result.importance ? [plotImportance(result.importance, { width: WIDTH })] : [],
    Subgroups: ofSubgroups(more),
    Sites: ofSites(more),
  };
}

/** A forest for each metric. */
function ofSubgroups({ subgroups }: ReportParts): Svg[] {
  return (subgroups?.metrics ?? []).flatMap((name) => {
    const rows = subgroups?.rows ?? [];
    const lines = rows.map(({ by, nUnits, metrics }) => ({
      label: subgroupName(by),
      size: nUnits === null ? 'size hidden' : counted(nUnits, subgroups?.unit ?? 'row'),
      ...limitsOf(metrics[name]),
    }));
    return forestPictures(lines, { title: `Subgroups: ${name}`, label: name });
  });
}

function ofSites({ sites }: ReportParts): Svg[] {
  if (!sites) return [];
  const lines = sites.sites.map(({ site, nUnits, interval }) => ({
    label: headText(String(site)),
    size: counted(nUnits, interval.unit ?? 'patient'),
    ...limitsOf(interval),
  }));
  const pooled = { label: 'mean over sites', ...limitsOf(sites.mean), pooled: true };
  return forestPictures([...lines, pooled], { title: `Sites: ${sites.metric}`, label: sites.metric });
}

type Limits = NonNullable<ReportParts['sites']>['mean'];
const limitsOf = ({ estimate, lower, upper, reason }: Limits) => ({
  ...{ estimate, lower, upper },
  ...(reason ? { reason } : {}),
});

/** One forest; none where no row has an estimate. */
export const forestPictures = (
  rows: readonly ForestRow[],
  options: { readonly title: string; readonly label: string },
): Svg[] => (rows.some(({ estimate }) => estimate !== null) ? [plotForest(rows, { ...options, width: WIDTH })] : []);

function ofScores(result: Pictured): Svg[] {
  const some = Object.keys(result.scores).filter((name) => isShare(result, name) && result.estimates[name] !== null);
  return some.length === 0 ? [] : [plotScores(result, { metrics: some, width: WIDTH })];
}

/** Of two classes; of more, each would be a question of its own. */
function ofRisks(result: Pictured): Svg[] {
  const { outOfFold, manifest } = result;
  const events = new Set(outOfFold.yTrue);
  if (manifest.task !== 'binary' || !outOfFold.yProba || events.size < 2) return [];
  const { positiveLabel, classes } = manifest;
  const event = classText(classes, classes.indexOf(positiveLabel as Label));
  const { calibration } = result;
  return [
    ...[plotRoc, plotPrecisionRecall].map((plot) => plot(result, { width: WIDTH })),
    ...(calibration
      ? [calibrationPicture(calibration, { title: `Calibration: ${event}`, width: WIDTH, n: outOfFold.yTrue.length })]
      : []),
    plotDecisionCurve(result, { width: WIDTH }),
    ...ofRepeats(result),
  ];
}

/** Of outcomes by time: curves by risk, and at the middle time of the scores what two classes have. */
function ofOutcomes(result: Pictured): Svg[] {
  const { outOfFold, manifest } = result;
  if (manifest.task !== 'survival' || outOfFold.yTrue.length === 0) return [];
  const curves = plotKaplanMeier(result, { width: WIDTH });
  if (!outOfFold.yProba || !outOfFold.censoring) return [curves];
  try {
    return [curves, ...[plotRoc, plotCalibration, plotDecisionCurve].map((plot) => plot(result, { width: WIDTH }))];
  } catch (error) {
    // The scores at that time say so.
    if (error instanceof InvalidDataError && error.code === 'not_followed') return [curves];
    throw error;
  }
}

/** How much the risk of the same row differs between repeats. */
const ofRepeats = (result: Pictured): Svg[] =>
  new Set(result.outOfFold.row).size < result.outOfFold.row.length
    ? [plotInstability(result, { width: WIDTH, maxRows: 200 })]
    : [];

function ofClasses(result: Pictured): Svg[] {
  const { task, classes, foldsRun, foldsFailed } = result.manifest;
  const { yTrue, yPred } = result.outOfFold;
  const isKnown = (task === 'binary' || task === 'multiclass') && foldsRun > foldsFailed;
  return isKnown && labelsBehind(classes, [...yTrue, ...yPred] as Label[])
    ? [plotConfusion(result, { width: WIDTH })]
    : [];
}

const ofFolds = (result: Pictured): Svg[] =>
  result.plan && result.manifest.nSplits > 1 ? [plotFolds({ ...result, plan: result.plan }, { width: WIDTH })] : [];

/** The loss, where models trained in more than one epoch. */
function ofTraining({ histories = [], foldDetails }: Pictured): Svg[] {
  const logs = new Set(histories.flatMap(({ epochs }) => Object.keys(epochs[0] ?? {})));
  const epochs = Math.max(0, ...histories.map((history) => history.epochs.length));
  return logs.has('loss') && epochs > 1 ? [plotHistory({ histories, foldDetails }, { width: WIDTH })] : [];
}
