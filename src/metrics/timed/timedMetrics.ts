/** Metrics of outcomes by time. They are loaded with the first data of such a task. */
import { CVKitError } from '../../core/errors.js';
import { hasReason } from '../../core/hasReason.js';
import { type BrierScores, brierScores, integratedBrier } from '../../survival/brier.js';
import {
  complementaryLogLog,
  observedOverExpected,
  type TimedSlope,
  timedSlope,
} from '../../survival/calibrationAt.js';
import { timedConcordance } from '../../survival/concordance.js';
import { partialLikelihood } from '../../survival/coxRiskSets.js';
import { type TimedRoc, timedRoc } from '../../survival/rocAt.js';
import { type Metric, type Undefined, undefinedBecause } from '../metric.js';
import { addOnce, metricFamilies } from '../metricsFor.js';
import type { ScoreTable } from '../scoreTable.js';
import { censoringAt, columnsOf, columnsOfTable } from './columns.js';

const TIMED = {
  tasks: ['survival'],
  weighted: true,
  // Censoring and baseline risk move them, and case-control data know neither.
  dependsOnPrevalence: true,
  stratum: ({ event }: ScoreTable, row: number) => Number((event as Int32Array)[row] !== 0),
} as const;

const RANKS = {
  ...TIMED,
  direction: 'maximize',
  range: [0, 1],
  needs: 'labels',
  combine: 'mean',
  chance: () => 0.5,
} as const;
const OF_CURVES = { ...TIMED, needs: 'probabilities', combine: 'pooled' } as const;

/** A value with the influence of each row, computed once for both. */
interface Estimate {
  readonly value: number;
  influence(centre: number): Float64Array;
}

function byEstimate(estimateOf: (table: ScoreTable) => Estimate | Undefined): Pick<Metric, 'compute' | 'influence'> {
  return {
    compute(table) {
      const found = estimateOf(table);
      return hasReason(found) ? found : found.value;
    },
    influence(table, centre) {
      const found = estimateOf(table);
      return hasReason(found) ? new Float64Array(table.length) : found.influence(centre);
    },
  };
}

/** Events of other causes are censored at their time: of two patients it tells whose event of interest comes first. */
const concordance: Metric = {
  ...RANKS,
  name: 'concordance',
  aliases: ['c_index', 'concordance_harrell'],
  description:
    "Harrell's C: share of comparable pairs in which the earlier event has the larger risk; other causes count as censored (Harrell 1982).",
  ...byEstimate((table) => {
    const { ofCause, weight } = columnsOfTable(table);
    const found = timedConcordance(ofCause, table.yPred as Float64Array, weight);
    return hasReason(found) ? found : { ...found, influence: (centre) => found.influence({ centre }) };
  }),
};

/** @param tau events later than this do not count; left out, the last time at which survival is predicted */
export const concordanceUno = (tau?: number): Metric => ({
  ...RANKS,
  name: 'concordance_uno',
  aliases: ['concordance_ipcw'],
  description:
    "Uno's C: concordance with pairs weighted for censoring, up to the last time; other causes count as censored (Uno 2011).",
  ...byEstimate((table) => {
    const { outcomes, ofCause, weight, times } = columnsOfTable(table);
    const { columns: before, own } = censoringAt(table, []);
    const options = { before, tau: tau ?? (times.at(-1) as number) };
    const found = timedConcordance(ofCause, table.yPred as Float64Array, weight, options);
    if (hasReason(found)) return found;
    return { ...found, influence: (centre) => found.influence({ centre, ownCensoring: own ? outcomes : undefined }) };
  }),
});

const integrated: Metric = {
  ...OF_CURVES,
  name: 'integrated_brier',
  aliases: ['ibs'],
  direction: 'minimize',
  range: [0, Number.POSITIVE_INFINITY],
  description: 'Brier score averaged over the time from 0 to the last time, weighted for censoring (Graf 1999).',
  ...byEstimate((table) => {
    const { scores, own } = brierOf(table);
    const found = integratedBrier(scores, Float64Array.from(table.classes as number[]));
    if (hasReason(found)) return found;
    return { value: found.value, influence: () => scores.influence(found.shares, { ownCensoring: own }) };
  }),
};

/** Its value on risks that are logarithms of hazards, as those of a Cox model are; others need another scale. */
const logPartialLikelihood: Metric = {
  ...TIMED,
  name: 'log_partial_likelihood',
  needs: 'labels',
  combine: 'mean',
  direction: 'maximize',
  range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  chance: () => 0,
  description: 'Log partial likelihood of log risks, per event, above that of equal risks (Cox 1975).',
  ...byEstimate((table) => {
    const { ofCause, weight } = columnsOfTable(table);
    const found = partialLikelihood(ofCause, table.yPred as Float64Array, weight);
    return hasReason(found) ? found : { value: found.gain, influence: found.influence };
  }),
};

function brierOf(table: ScoreTable, places = [...table.classes.keys()]): { scores: BrierScores; own: boolean } {
  const { outcomes, weight, times, cause } = columnsOfTable(table);
  const { columns: censoring, own } = censoringAt(table, places);
  const survival = columnsOf(table.yProba as Float64Array, times.length, places);
  const predicted = cause === null ? survival : survival.map((each) => 1 - each);
  const at = Float64Array.from(places, (place) => times[place]);
  return { scores: brierScores({ outcomes, weight, cause, times: at, predicted, censoring }), own };
}

function brierAt(time: number): Metric {
  return {
    ...OF_CURVES,
    name: `brier_at_${time}`,
    direction: 'minimize',
    range: [0, Number.POSITIVE_INFINITY],
    description: `Brier score at time ${time}, weighted for censoring (Graf 1999; competing events, Schoop 2011).`,
    ...byEstimate((table) => {
      const { scores, own } = brierOf(table, [placeOf(table, time)]);
      if (Number.isNaN(scores.values[0]))
        return undefinedBecause(`nobody is followed beyond ${time} in the training rows`);
      return { value: scores.values[0], influence: () => scores.influence([1], { ownCensoring: own }) };
    }),
  };
}

function rocAucAt(time: number): Metric {
  return {
    ...RANKS,
    name: `roc_auc_at_${time}`,
    description: `Area under the ROC curve for the event by time ${time}, weighted for censoring; other causes count as no event (Blanche 2013).`,
    ...byEstimate((table) => {
      const { outcomes, weight } = columnsOfTable(table);
      const { columns: censoring, own } = censoringAt(table, [placeOf(table, time)]);
      const options = { horizon: time, cause: table.positive, censoring };
      const found: TimedRoc | Undefined = timedRoc(outcomes, table.yPred as Float64Array, weight, options);
      return hasReason(found)
        ? found
        : { ...found, influence: (centre) => found.influence({ centre, ownCensoring: own }) };
    }),
  };
}

const riskBy = (table: ScoreTable, time: number) =>
  columnsOf(table.yProba as Float64Array, table.classes.length, [placeOf(table, time)]).map((survival) => 1 - survival);

/** With competing events, of the hazard of the cause of interest. */
function calibrationSlopeAt(time: number): Metric {
  return {
    ...OF_CURVES,
    name: `calibration_slope_at_${time}`,
    direction: 'target',
    target: 1,
    range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    description: `Slope of the outcomes up to time ${time} on the predicted log(-log(survival)); 1 is ideal (Royston 2013).`,
    ...byEstimate((table) => {
      const { ofCause, weight } = columnsOfTable(table);
      const found = slopeOf(() => timedSlope(ofCause, riskBy(table, time).map(complementaryLogLog), weight, time));
      return hasReason(found) ? found : { value: found.slope, influence: () => found.influence };
    }),
  };
}

/** A fit without a finite best value leaves the slope undefined. */
function slopeOf(estimate: () => TimedSlope): TimedSlope | Undefined {
  try {
    return estimate();
  } catch (error) {
    const reason = error instanceof CVKitError ? NO_SLOPE[error.code] : undefined;
    if (reason === undefined) throw error;
    return undefinedBecause(reason);
  }
}

const NO_SLOPE: Readonly<Record<string, string>> = {
  no_event: 'no event by that time',
  constant_column: 'the risks are equal among those at risk',
  infinite_coefficient: 'the risks separate the events',
  no_convergence: 'the fit did not converge',
};

function observedExpectedAt(time: number): Metric {
  return {
    ...OF_CURVES,
    name: `observed_expected_at_${time}`,
    direction: 'target',
    target: 1,
    range: [0, Number.POSITIVE_INFINITY],
    description: `Observed over expected risk of the event by time ${time}: Kaplan-Meier, or Aalen-Johansen with competing events.`,
    ...byEstimate((table) => {
      const { outcomes, weight } = columnsOfTable(table);
      const options = { horizon: time, cause: table.positive };
      const found = observedOverExpected(outcomes, riskBy(table, time), weight, options);
      return hasReason(found) ? found : { value: found.ratio, influence: () => found.influence };
    }),
  };
}

const placeOf = ({ classes }: ScoreTable, time: number) => classes.indexOf(time);

const FAMILIES: Readonly<Record<string, readonly ((time: number) => Metric)[]>> = {
  brier_at: [brierAt],
  roc_auc_at: [rocAucAt],
  calibration_at: [calibrationSlopeAt, observedExpectedAt],
  calibration_slope_at: [calibrationSlopeAt],
  observed_expected_at: [observedExpectedAt],
};

export const TIMED_METRICS: readonly Metric[] = [concordance, concordanceUno(), integrated, logPartialLikelihood];

/** Scores that change with the curve of being censored. */
export const isWeighted = ({ name }: Pick<Metric, 'name'>): boolean =>
  /^(concordance_uno|integrated_brier|brier_at|roc_auc_at)/.test(name);

/** All that are about one time. */
export const metricsAt = (time: number): Metric[] =>
  [rocAucAt, brierAt, calibrationSlopeAt, observedExpectedAt].map((member) => member(time));

/** Makes the metrics of this task known by their names. */
export function registerTimedMetrics(): void {
  TIMED_METRICS.forEach(addOnce);
  for (const [name, members] of Object.entries(FAMILIES)) {
    metricFamilies.set(name, { of: 'times', at: (time) => members.map((member) => member(time)) });
  }
}
