import { type InputOf, optionTable } from '../core/options.js';
import { averagePrecision } from '../metrics/definitions/ranking.js';
import { score } from '../metrics/metric.js';
import { sortedRows } from '../metrics/rocPlacements.js';
import { foldCurveOptions, foldCurves } from './foldCurves.js';
import type { Point } from './plane.js';
import type { PlottedResults, Risks } from './plottedResults.js';
import { type PlainRisks, risksOf, tableOfRisks } from './risks.js';
import type { Svg } from './svg.js';

export const plotPrecisionRecallOptions = optionTable('plotPrecisionRecall', foldCurveOptions);
export type PlotPrecisionRecallOptions = InputOf<typeof plotPrecisionRecallOptions>;

/**
 * Precision (PPV) over recall (sensitivity): a line for each fold, their mean and range, as in {@link plotRoc}. The line of chance is the
 * share of the class: unlike ROC curves, these depend on it, so those of data with other shares cannot be compared. Steps are as
 * in the average precision; straight lines between them would promise too much (Davis & Goadrich 2006, ICML 23:233).
 *
 * @param source what `run`, `validate` or `evaluate` gives, awaited, or plain numbers
 * @throws {InvalidDataError} without probabilities of two classes
 * @example
 * const picture = plotPrecisionRecall(result);
 * await writeFile('precision.svg', String(picture));
 * console.log(picture.description);
 */
export function plotPrecisionRecall(source: PlottedResults | PlainRisks, input: PlotPrecisionRecallOptions = {}): Svg {
  const { positiveLabel, time, title, width, maxFolds } = plotPrecisionRecallOptions.resolve(input);
  const risks = risksOf('plotPrecisionRecall', source, { positiveLabel, time });
  const share = shareOf(risks);
  return foldCurves(risks, {
    title: title ?? `Precision and recall: ${risks.event}`,
    ...{ width, maxFolds, x: 'recall (sensitivity)', y: 'precision (PPV)', measure: 'AP' },
    what: 'Precision-recall curve',
    curveOf(each) {
      const points = stepsOf(each);
      // On a step: the precision of the first threshold that reaches the recall.
      const at = (x: number) => (points.find(([recall]) => recall >= x - 1e-12) ?? points[points.length - 1])[1];
      return { points, value: score(averagePrecision, tableOfRisks(each)).value, at };
    },
    chance: { from: [0, share], to: [1, share], label: `chance: ${Math.round(1000 * share) / 1000}` },
    places: [0.5, 0.8, 0.95].map((recall) => [recall, `precision at recall ${recall}`]),
  });
}

const weightAt = ({ weight }: Risks, row: number) => (weight ? weight[row] : 1);

function shareOf(risks: Risks): number {
  let [all, events] = [0, 0];
  for (let row = 0; row < risks.y.length; row++) {
    all += weightAt(risks, row);
    events += risks.y[row] * weightAt(risks, row);
  }
  return events / all;
}

/** From the highest threshold to the lowest; rows of equal probability make one step. */
function stepsOf(risks: Risks): Point[] {
  const { y, p } = risks;
  const order = sortedRows(p).reverse();
  const total = y.reduce((sum, each, row) => sum + each * weightAt(risks, row), 0);
  const points: Point[] = [];
  let [chosen, found] = [0, 0];
  for (let at = 0; at < order.length; at++) {
    const row = order[at];
    chosen += weightAt(risks, row);
    found += y[row] * weightAt(risks, row);
    if (at + 1 < order.length && p[order[at + 1]] === p[row]) continue;
    const [recall, precision] = [found / total, found / chosen];
    points.push([points.at(-1)?.[0] ?? 0, precision], [recall, precision]);
  }
  return points;
}
