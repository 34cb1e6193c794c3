import { expect } from 'vitest';
import type { StepCurve } from '../../src/data/timedLabels.js';
import { brierScores, type TimedPredictions } from '../../src/survival/brier.js';
import { timedConcordance } from '../../src/survival/concordance.js';
import { censoringColumns } from '../../src/survival/ipcw.js';
import { kaplanMeier } from '../../src/survival/kaplanMeier.js';
import type { NoValue, TimedOutcomes } from '../../src/survival/outcomes.js';
import { type TimedRocOptions, timedRoc } from '../../src/survival/rocAt.js';
import reference from '../reference/survival.json' with { type: 'json' };

type Numbers = readonly (number | null)[];

/** Expected numbers of one table and one set of weights: see test/reference/survival.R. */
interface Expected {
  readonly name: string;
  readonly data: Record<'time' | 'event' | 'x1' | 'x2' | 'x3' | 'weight' | 'stratum' | 'cluster' | 'risk', number[]>;
  readonly linearPredictor: number[];
  readonly times: number[];
  readonly risks: number[][];
  readonly curves: {
    readonly times: number[];
    readonly survival: number[];
    readonly atRisk: number[];
    readonly events: number[];
    readonly error: Numbers;
    readonly limits: Numbers[];
  }[];
  readonly censoring: { readonly times: number[]; readonly survival: number[] };
  readonly weightedCensoring: number[];
  readonly incidence:
    | { cause: number; times: number[]; incidence: number[]; at: number; influence: number[] }[][]
    | null;
  readonly incidenceError: { times: number[]; error: Numbers } | null;
  readonly concordance: {
    timewt: string;
    tau: number | null;
    value: number;
    count: Record<'concordant' | 'discordant' | 'tied.x', number>;
    dfbeta: number[];
    clusteredVariance: number;
  }[][];
  readonly unoOwn: { readonly tau: number; readonly value: number; readonly influence: number[] };
  readonly scores: Record<
    'brier' | 'ibs' | 'brierError' | 'brierErrorOwn' | 'auc' | 'aucError' | 'aucErrorOwn',
    number[]
  >;
  readonly weightedScores: Record<'brier' | 'auc', number>;
  readonly influences: Record<'fixed' | 'own', Record<'brier' | 'auc', number[]>>;
  readonly calibration: ({ horizon: number; cause: number | null; influence: number[] } & Record<
    'observed' | 'expected' | 'ratio',
    number
  > & { groups: Record<string, Record<'predicted' | 'observed' | 'lower' | 'upper', number | null>> })[];
  readonly slope: { readonly slope: number; readonly influence: number[] };
  readonly gain: { readonly value: number; readonly influence: number[] };
  readonly cox: {
    weighted: boolean;
    stratified: boolean;
    theta: number;
    coefficients: number[];
    covariance: number[][];
    logLikelihood: number[];
    hazard: Record<string, { times: number[]; hazard: number[] }>;
    dfbeta: number[][];
  }[];
}

export const versions = reference.versions;

export const tables = (reference.tables as unknown as Expected[]).map((table) => {
  const { time, event, weight, risk } = table.data;
  const outcomes: TimedOutcomes = { time: Float64Array.from(time), event: Int32Array.from(event) };
  const weights = [null, Float64Array.from(weight)] as const;
  return { ...table, outcomes, weights, risk: Float64Array.from(risk) };
});

/** The value, which must be there. */
export function defined<T extends object>(answer: T | NoValue): T {
  expect(answer).not.toHaveProperty('reason');
  return answer as T;
}

/** Equal up to `tolerance`, relative to the larger of 1 and what is expected; null is expected where NaN or infinity is found. */
export function close(found: ArrayLike<number | null>, expected: Numbers, tolerance = 1e-9): void {
  expect(found.length).toBe(expected.length);
  Array.from(found).forEach((value, at) => {
    const wanted = expected[at];
    if (wanted === null) expect(value === null || !Number.isFinite(value), `place ${at}: ${value}`).toBe(true);
    else if (!(Math.abs((value ?? Number.NaN) - wanted) <= tolerance * Math.max(1, Math.abs(wanted)))) {
      expect(value, `place ${at}`).toBe(wanted);
    }
  });
}

export const outcomesOf = (time: number[], event: number[]): TimedOutcomes => ({
  time: Float64Array.from(time),
  event: Int32Array.from(event),
});

/** The rows as often as whole weights say. */
export function repeated({ time, event }: TimedOutcomes, copies: ArrayLike<number>) {
  const rows = Array.from(time.keys()).flatMap((row) => new Array<number>(copies[row]).fill(row));
  return {
    rows,
    outcomes: outcomesOf(
      rows.map((row) => time[row]),
      rows.map((row) => event[row]),
    ),
  };
}

export const censoringOf = (outcomes: TimedOutcomes, weight: Float64Array | null = null) =>
  kaplanMeier(outcomes, weight, 'censoring');

export const sumOfSquares = (values: Float64Array) => values.reduce((sum, each) => sum + each * each, 0);

type By<T> = Omit<T, 'censoring'> & { readonly censoring: StepCurve };

/** As `brierScores`, `timedRoc` and `timedConcordance`, with one curve of being censored for all rows. */
export const brierByCurve = ({ censoring, ...rest }: By<TimedPredictions>) =>
  brierScores({ ...rest, censoring: censoringColumns(censoring, rest.outcomes.time, Array.from(rest.times)) });

export const rocByCurve = (
  outcomes: TimedOutcomes,
  risk: Float64Array,
  weight: Float64Array | null,
  { censoring, ...rest }: By<TimedRocOptions>,
) =>
  timedRoc(outcomes, risk, weight, { ...rest, censoring: censoringColumns(censoring, outcomes.time, [rest.horizon]) });

export const concordanceByCurve = (
  outcomes: TimedOutcomes,
  risk: Float64Array,
  weight: Float64Array | null,
  { censoring, tau }: { readonly censoring?: StepCurve | undefined; readonly tau?: number | undefined } = {},
) => {
  const before = censoring && censoringColumns(censoring, outcomes.time, []);
  return timedConcordance(outcomes, risk, weight, {
    ...(before ? { before } : {}),
    ...(tau === undefined ? {} : { tau }),
  });
};
