import { type CalibrationCurve, calibrationCurve } from '../clinical/calibration/calibrationCurve.js';
import { formatNumber } from '../core/format.js';
import { type InputOf, number, optionTable } from '../core/options.js';
import { gather } from '../data/labels.js';
import { takeOutcomes } from '../survival/outcomes.js';
import { type RiskGroup, riskGroups } from '../survival/riskGroups.js';
import { band, curve, marks, type Plane, type Point, reference, series } from './plane.js';
import { planePicture } from './planePicture.js';
import { firstPlaces, type PlottedResults, taskOf } from './plottedResults.js';
import { isResults, type PlainRisks, pictureOptions, riskOptions, risksOf } from './risks.js';
import { timedRisks } from './risksAt.js';
import { element, round, type Svg, words } from './svg.js';

export const plotCalibrationOptions = optionTable('plotCalibration', {
  ...riskOptions,
  ...pictureOptions,
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the band.'),
});
export type PlotCalibrationOptions = InputOf<typeof plotCalibrationOptions>;

/**
 * Calibration: the share with the outcome at each predicted risk (flexible curve with its pointwise band, and ten groups of equal
 * width as marks), the diagonal of perfect calibration, and below how the risks of rows with and without the outcome are
 * distributed. Over all tested rows, patients as units; see `calibrationCurve`, whose numbers these are. Outcomes by time: rows
 * are weighted for censoring, and the marks are five groups by risk with their limits (Kaplan-Meier, with competing events
 * Aalen-Johansen), in which of repeats the first counts.
 * Source: Van Calster et al. 2019, BMC Medicine 17:230.
 *
 * @param source what `run`, `validate` or `evaluate` gives, awaited, or plain numbers
 * @throws {InvalidDataError} without probabilities of two classes
 * @example
 * const picture = plotCalibration(result);
 * await writeFile('calibration.svg', String(picture));
 * console.log(picture.description);
 */
export function plotCalibration(source: PlottedResults | PlainRisks, input: PlotCalibrationOptions = {}): Svg {
  const { positiveLabel, time, title = 'Calibration', width, level } = plotCalibrationOptions.resolve(input);
  const { y, p, weight, groups, event } = risksOf('plotCalibration', source, { positiveLabel, time });
  const more = { ...(weight ? { sampleWeight: weight } : {}), ...(groups ? { groups } : {}) };
  const found = calibrationCurve(y, p, { positiveLabel: 1, level, ...more });
  const isTimed = isResults(source) && taskOf(source).task === 'survival';
  const fifths = isTimed ? { fifths: fifthsOf(source, time, level) } : {};
  return calibrationPicture(found, { title: `${title}: ${event}`, width, n: y.length, ...fifths });
}

function fifthsOf(results: PlottedResults, time: number | undefined, level: number): RiskGroup[] {
  const { outcomes, weight, predicted, horizon, cause } = timedRisks('plotCalibration', results, time);
  const rows = firstPlaces(results);
  const options = { horizon, cause, level, groups: 5 };
  return riskGroups(takeOutcomes(outcomes, rows), gather(predicted, rows), weight && gather(weight, rows), options);
}

interface Facts {
  readonly title: string;
  readonly width: number;
  readonly n: number;
  /** Of outcomes by time, in the place of bins. */
  readonly fifths?: readonly RiskGroup[];
}

/** The picture of a curve that is there. */
export function calibrationPicture(found: CalibrationCurve, { title, width, n: nRows, fifths }: Facts): Svg {
  const [style, dots] = [{ ...series(0), dashes: undefined }, series(1)];
  const missing = found.curve.length === 0;
  const { intercept, slope } = found;
  const inWords = ({ estimate, lower, upper }: typeof slope) =>
    lower === null
      ? formatNumber(estimate)
      : `${formatNumber(estimate)} (${formatNumber(lower)} to ${formatNumber(upper)})`;
  const reason = missing ? ` No curve: ${found.curveReason}.` : '';
  const bins = found.bins.filter(({ n }) => n > 0);
  return planePicture({
    ...{ title, width },
    x: { label: 'predicted risk', domain: [0, 1] },
    y: { label: 'observed share', domain: [0, 1] },
    draw: (on) => [
      reference(on, [0, 0], [1, 1]),
      band(
        on,
        found.curve.map(({ predicted, lower, upper }) => [predicted, lower ?? Number.NaN, upper ?? Number.NaN]),
        style,
      ),
      curve(
        on,
        found.curve.map(({ predicted, observed }): Point => [predicted, observed]),
        style,
      ),
      marks(
        on,
        (fifths ?? bins).map(({ predicted, observed }): Point => [predicted ?? Number.NaN, observed ?? Number.NaN]),
        dots,
      ),
      ...(fifths ? [curve(on, fifths.flatMap(limitsAt), { ...dots, dashes: undefined })] : []),
    ],
    below: (on, top) => distributionOf(found.distribution, on, top),
    legend: [
      { label: 'perfect calibration', as: 'reference' },
      ...(missing ? [] : ([{ ...style, label: 'flexible curve and its band', as: 'line' }] as const)),
      { ...dots, label: fifths ? 'five groups by risk' : 'ten groups', as: 'mark' },
      { ...series(1), label: 'with the outcome (up)', as: 'area' },
      { ...series(0), label: 'without (down)', as: 'area' },
    ],
    note: fifths
      ? `${nRows} rows whose outcome is known by then, weighted for the others.${reason}`
      : `Intercept ${inWords(intercept)}, slope ${inWords(slope)}.${reason}`,
    description: `Predicted and observed risk of ${nRows} rows.`,
    table: fifths
      ? tableOf(fifths)
      : {
          header: ['predicted risk from', 'to', 'rows', 'mean predicted', 'observed share'],
          rows: bins.map(({ from, to, n, predicted, observed }) => [
            ...[formatNumber(from), formatNumber(to), String(n), formatNumber(predicted), formatNumber(observed)],
          ]),
        },
  });
}

/** From limit to limit, and a break. */
const limitsAt = ({ predicted, lower, upper }: RiskGroup) =>
  [lower, upper, null].map((limit): Point => [predicted, limit ?? Number.NaN]);

const tableOf = (fifths: readonly RiskGroup[]) => ({
  header: ['rows', 'mean predicted', 'observed risk', 'from', 'to'],
  rows: fifths.map(({ rows, predicted, observed, lower, upper }) => [
    String(rows.length),
    ...[predicted, observed, lower, upper].map(formatNumber),
  ]),
});

const HALF = 34;

/** Bars of 20 bins: up with the outcome, down without, each as a share of its own kind. */
function distributionOf(bins: CalibrationCurve['distribution'], { x }: Plane, top: number) {
  const middle = top + HALF;
  const bars = (['positives', 'negatives'] as const).map((side) => {
    const total = bins.reduce((sum, bin) => sum + bin[side], 0);
    const most = Math.max(...bins.map((bin) => bin[side]));
    const style = series(side === 'positives' ? 1 : 0);
    const d = bins
      .filter((bin) => bin[side] > 0)
      .map((bin) => {
        const height = (HALF * bin[side]) / most;
        const [from, to] = [x(bin.from) + 0.5, x(bin.to) - 0.5];
        return `M${round(from)},${middle}V${round(side === 'positives' ? middle - height : middle + height)}H${round(to)}V${middle}z`;
      });
    return total === 0
      ? ''
      : element('path', { d: d.join(''), fill: style.colour, 'fill-opacity': 0.6, class: `area ${style.class}` });
  });
  const label = words('rows', {
    x: 14,
    y: middle,
    'text-anchor': 'middle',
    transform: `rotate(-90,14,${middle})`,
    'font-size': 11,
  });
  return { markup: bars.join('') + label, bottom: middle + HALF };
}
