/** The pictures of a report, by the section that they belong to. Those that a result has no numbers for are left out. */

import { plotCalibration } from '../plot/plotCalibration.js';
import { plotConfusion } from '../plot/plotConfusion.js';
import { plotDecisionCurve } from '../plot/plotDecisionCurve.js';
import { plotFolds } from '../plot/plotFolds.js';
import { plotHistory } from '../plot/plotHistory.js';
import { plotPrecisionRecall } from '../plot/plotPrecisionRecall.js';
import { plotRoc } from '../plot/plotRoc.js';
import { isShare, plotScores } from '../plot/plotScores.js';
import type { Svg } from '../plot/svg.js';
import type { FitHistory } from '../runner/frameworkAdapter.js';
import type { OutOfFold } from '../runner/outOfFold.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import type { ReportModel } from './reportModel.js';

/** What pictures are made of beyond the plain model; a plain copy of a result lacks it. */
export interface Pictured extends ReportModel {
  readonly outOfFold: OutOfFold;
  readonly plan?: FoldPlan;
  readonly histories?: readonly FitHistory[];
}

/** Width of a picture in the page: it is read without scaling on a phone. */
const WIDTH = 360;

export function picturesOf(result: Pictured): Readonly<Record<string, readonly Svg[]>> {
  return {
    Scores: [...ofScores(result), ...ofRisks(result), ...ofClasses(result)],
    Folds: [...ofFolds(result), ...ofTraining(result)],
  };
}

function ofScores(result: Pictured): Svg[] {
  const some = Object.keys(result.scores).filter((name) => isShare(result, name) && result.estimates[name] !== null);
  return some.length === 0 ? [] : [plotScores(result, { metrics: some, width: WIDTH })];
}

/** Of two classes; of more, each would be a question of its own. */
function ofRisks(result: Pictured): Svg[] {
  const { outOfFold, manifest } = result;
  const events = new Set(outOfFold.yTrue);
  if (manifest.task !== 'binary' || !outOfFold.yProba || events.size < 2) return [];
  return [plotRoc, plotPrecisionRecall, plotCalibration, plotDecisionCurve].map((plot) =>
    plot(result, { width: WIDTH }),
  );
}

function ofClasses(result: Pictured): Svg[] {
  const { task, foldsRun, foldsFailed } = result.manifest;
  const hasClasses = task === 'binary' || task === 'multiclass';
  return hasClasses && foldsRun > foldsFailed ? [plotConfusion(result, { width: WIDTH })] : [];
}

const ofFolds = (result: Pictured): Svg[] =>
  result.plan && result.manifest.nSplits > 1 ? [plotFolds({ ...result, plan: result.plan }, { width: WIDTH })] : [];

/** The log that validation rows have, else the loss. */
function ofTraining({ histories = [], foldDetails }: Pictured): Svg[] {
  const logs = new Set(histories.flatMap(({ epochs }) => Object.keys(epochs[0] ?? {})));
  const epochs = Math.max(0, ...histories.map((history) => history.epochs.length));
  return logs.has('loss') && epochs > 1 ? [plotHistory({ histories, foldDetails }, { width: WIDTH })] : [];
}
