/** What `clinical()` of a validation result gives: diagnostic accuracy and calibration of its out-of-fold predictions. */

import { type CalibrationCurve, calibrationCurve } from '../clinical/calibration/calibrationCurve.js';
import { ClinicalMetrics, clinicalMetricsOptions, formatReportOptions } from '../clinical/clinicalMetrics.js';
import { calculate } from '../clinical/measures/calculate.js';
import type { ClinicalResults } from '../clinical/measures/clinicalResults.js';
import { mapValue } from '../clinical/measures/mover.js';
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { counted, formatNumber } from '../core/format.js';
import { type InputOf, optionTable } from '../core/options.js';
import { wrapText } from '../core/summaryText.js';
import type { Label } from '../data/labels.js';
import { type Interval, joinNotes } from '../intervals/interval.js';
import { sampleOf } from '../intervals/sample.js';
import { checkOrder } from '../metrics/columnOrder.js';
import { type ScoreTable, type ScoreTableInput, scoreTable } from '../metrics/scoreTable.js';
import { joinTables } from '../metrics/tableRows.js';
import type { CVResults } from '../runner/cvResults.js';
import type { BootstrapEstimator } from '../splitters/splitter.js';

const { confidenceLevel, ...clinicalShape } = clinicalMetricsOptions.shape;

export const clinicalOptions = optionTable('clinical', {
  ...clinicalShape,
  confidenceLevel: confidenceLevel.describe('Level of the intervals; by default that of the validation.'),
  ...formatReportOptions.shape,
});

export type ClinicalOptions = InputOf<typeof clinicalOptions>;

/** Every value of {@link ClinicalMetrics} with its interval, the calibration, and both as text. */
export interface ClinicalReport extends ClinicalResults {
  /** Null without probabilities. */
  readonly calibration: CalibrationCurve | null;
  /** The report as the results section of a paper has it. */
  readonly text: string;
  /** The same text. */
  toString(): string;
}

export type IntervalsOf = (metrics: readonly string[], level: number) => Readonly<Record<string, Interval>>;

/** The values that are metrics of a run, too. */
const METRIC_OF = {
  sensitivity: 'sensitivity',
  specificity: 'specificity',
  ppv: 'ppv',
  npv: 'npv',
  accuracy: 'accuracy',
  balancedAccuracy: 'balanced_accuracy',
  f1: 'f1',
  mcc: 'mcc',
  kappa: 'cohen_kappa',
  rocAuc: 'roc_auc',
  averagePrecision: 'average_precision',
  brier: 'brier',
  calibrationIntercept: 'calibration_intercept',
  calibrationSlope: 'calibration_slope',
} as const satisfies Partial<Record<keyof ClinicalResults, string>>;

interface Known {
  readonly confidenceIntervals: Readonly<Record<string, Interval>>;
  readonly intervalsOf: IntervalsOf;
  readonly ciLevel: number;
  /** The estimator of the scores, where it is not that of the rows left out alone. */
  readonly estimator: BootstrapEstimator | undefined;
  readonly calibration: CalibrationCurve | null;
}

/** Values that are metrics of a run have its estimator and interval; all others are of the joined predictions. */
export function clinicalReportOf(cv: CVResults, known: Known, input: ClinicalOptions = {}): ClinicalReport {
  const { metrics, clinical, repeated, rows, patients } = clinicalValuesOf(cv, known, input);
  const { calibration } = known;
  const nouns = repeated
    ? { rows: 'predictions', patients: cv.outOfFold.group ? patients : 'rows' }
    : { rows, patients };
  const text = [clinical.formatReport(metrics, nouns), ...calibrationLines(calibration)].join('\n');
  return { ...metrics, calibration, text, toString: () => text };
}

/** The values alone. `only`: intervals of these metrics of a run, which cost most; others are of the joined predictions. */
export function clinicalValuesOf(
  cv: CVResults,
  { confidenceIntervals, intervalsOf, ciLevel, estimator }: Omit<Known, 'calibration'>,
  input: ClinicalOptions = {},
  only?: readonly string[],
) {
  const { options, written } = clinicalOptions.parse(input);
  const { rows, patients, confidenceLevel: ownLevel, ...settings } = options;
  const level = written.has('confidenceLevel') ? ownLevel : ciLevel;
  const { yTrue, yPred, yProba, sampleWeight, groups, repeated } = binaryPredictions(cv, 'clinical');
  const clinical = new ClinicalMetrics({ ...settings, confidenceLevel: level });
  const scorers = level === ciLevel ? cv.scorers : [];
  const known = Object.fromEntries(
    scorers.flatMap(({ name, metric }) => (metric ? [[metric.name, confidenceIntervals[name]]] : [])),
  );
  const wanted = Object.entries(METRIC_OF).filter(
    ([value]) => (settings.prevalence === null || !AT_PREVALENCE.includes(value)) && (!only || only.includes(value)),
  );
  const names = wanted.map(([, metric]) => metric);
  const further = names.filter((metric) => !known[metric]);
  const intervals = { ...known, ...intervalsOf(further, level) };
  const { standardError: _, ...balanced } = intervals.balanced_accuracy;
  // J is twice the balanced accuracy less 1, and so are its limits; numbers needed rest on it.
  const youden = balanced.lower === null ? undefined : mapValue(balanced, (each) => 2 * each - 1);
  const risks = only ? {} : { yProba };
  const table = scoreTable({ yTrue, yPred, ...risks, sampleWeight, task: 'binary' } as ScoreTableInput);
  if (table.yProba) checkOrder(table, true);
  const pooled = withoutFailed(cv, calculate(sampleOf(table, groups, level), clinical.options, youden));
  const ofJ = ['numberNeededToDiagnose', ...(settings.treatmentEffect === null ? ['nnt'] : [])];
  const metrics: ClinicalResults = {
    ...(estimator ? notBy(estimator, pooled, youden ? ofJ : []) : pooled),
    ...Object.fromEntries(wanted.map(([value, metric]) => [value, intervals[metric]])),
    ...(youden ? { youden } : {}),
  };
  return { metrics, clinical, repeated, rows, patients };
}

/** Where a fold failed, no value has limits: those of the rows that are left would be about easier patients, perhaps. */
function withoutFailed({ folds }: CVResults, values: ClinicalResults): ClinicalResults {
  const failed = folds.filter(({ status }) => status === 'failed').length;
  if (failed === 0) return values;
  const { counts, ...intervals } = values;
  const reason = `${failed} of ${counted(folds.length, 'fold')} failed`;
  const none = Object.entries(intervals).map(([name, { standardError: _, df: __, ...value }]) => [
    name,
    value.estimate === null ? value : { ...value, lower: null, upper: null, reason },
  ]);
  return { counts, ...Object.fromEntries(none) };
}

const notBy = (estimator: BootstrapEstimator, pooled: ClinicalResults, ofJ: readonly string[]): ClinicalResults => {
  const note = `Of the rows left out; not by the ${estimator} estimator.`;
  const noted = Object.entries(pooled).map(([name, value]) =>
    !ofJ.includes(name) && value !== null && typeof value === 'object' && 'estimand' in value
      ? [name, { ...value, ...joinNotes(note, (value as Interval).note) }]
      : [name, value],
  );
  return Object.fromEntries(noted) as unknown as ClinicalResults;
};

const AT_PREVALENCE: readonly string[] = ['ppv', 'npv'];

/** The out-of-fold predictions of a binary task: 1 for the positive class, 0 for the other. */
function binaryPredictions({ folds, outOfFold, metadata }: CVResults, owner: string) {
  if (metadata.task !== 'binary') {
    const got = phrase(`a ${metadata.task} task`);
    throw new InvalidOptionError(sentence(`\`${owner}\``, 'be asked of a binary task', got), { code: 'not_binary' });
  }
  const table = joinTables(folds.flatMap((fold) => (fold.status === 'completed' ? [fold.table] : [])));
  const positives = (codes: ScoreTable['yTrue']) => Array.from(codes, (code) => (code === table.positive ? 1 : 0));
  // A row that is predicted several times is still one unit.
  const repeated = new Set(outOfFold.row).size < outOfFold.row.length;
  const groups: ArrayLike<Label> | undefined = outOfFold.group ?? (repeated ? outOfFold.row : undefined);
  const { yProba, weight: sampleWeight } = table;
  return { yTrue: positives(table.yTrue), yPred: positives(table.yPred), yProba, sampleWeight, groups, repeated };
}

export function calibrationOf(cv: CVResults, level: number): CalibrationCurve | null {
  if (cv.metadata.task !== 'binary' || !cv.outOfFold.yProba) return null;
  const { yTrue, yProba, sampleWeight, groups } = binaryPredictions(cv, 'calibration');
  if (!yProba) return null;
  const curve = calibrationCurve(yTrue, yProba, { sampleWeight, groups, level });
  const noted = (value: Interval) => ({ ...value, ...joinNotes(value.note, AS_GIVEN) });
  return { ...curve, intercept: noted(curve.intercept), slope: noted(curve.slope), brier: noted(curve.brier) };
}

const AS_GIVEN =
  'Of these predictions as given, by another method than the interval of the score of this name, which may hold what training adds.';

/** Distances of the flexible curve from the diagonal; intercept and slope stand in the table. */
function calibrationLines(curve: CalibrationCurve | null): string[] {
  if (!curve) return [];
  const { ici, e50, e90, ece, curveReason } = curve;
  const distances =
    ici.value === null
      ? `No calibration curve: ${curveReason ?? ici.reason}.`
      : `Predicted and observed risk (flexible curve, Austin & Steyerberg 2019) differ by ${formatNumber(ici.value)} on average (ICI), by ${formatNumber(e50.value)} in the median (E50) and by up to ${formatNumber(e90.value)} in 90 % of the rows (E90).`;
  const text = `${distances} Expected calibration error over bins: ${formatNumber(ece)}.`;
  return ['', '  Calibration', wrapText(text, '    ')];
}
