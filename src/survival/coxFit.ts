import { choleskyInverse } from '../core/choleskyInverse.js';
import { invalidData } from '../core/errors.js';
import { type BaselineHazard, baselineHazards } from './baselineHazard.js';
import { type CoxRows, type CoxSteps, coxRows, coxSteps, exposures } from './coxRiskSets.js';
import type { TimedOutcomes } from './outcomes.js';

export interface CoxModel {
  readonly outcomes: TimedOutcomes;
  /** One array of length n per coefficient; centred ones keep hazards within what numbers hold. */
  readonly columns: readonly Float64Array[];
  /** As case weights of R's `coxph`; rows of weight 0 are left out. Where events are tied, weight 2 is not quite the row twice. */
  readonly weight?: Float64Array | null;
  /** Codes of strata, each with a baseline hazard of its own. */
  readonly strata?: Int32Array | null;
  /** Half of it times the sum of squared coefficients is taken from the log likelihood: `ridge(theta = , scale = FALSE)`. */
  readonly ridge?: number;
  /** What errors call a column: "column 3" if left out. */
  readonly nameOf?: (column: number) => string;
}

export interface CoxFit {
  /** NaN for a column that was left out. */
  readonly coefficients: readonly number[];
  readonly standardErrors: readonly number[];
  /** As `survfit` has them (steps of Efron's), in ascending order of the strata; stratum 0 where there are none. */
  readonly baseline: readonly BaselineHazard[];
  /** Of every row on coefficient `j`: `residuals(fit, type = 'dfbeta', weighted = TRUE)` of R. */
  influence(j: number): Float64Array;
}

const MAX_ITERATIONS = 200;
/** Of the square of the last step, in standard errors: the next one would be its square. */
const TOLERANCE = 1e-16;
/** The largest move of a linear predictor: far from the maximum the curvature is nearly 0. */
const LONGEST_STEP = 20;
const MAX_HALVINGS = 40;
/** Of its variance, what the columns before it leave of a column that counts as their combination. */
const SINGULAR = 1e-11;

/**
 * Cox regression with Efron's treatment of tied events, by Newton's method with halved steps; any event that is not 0 counts.
 * Left out: columns that do not vary among the rows at risk at the events and, without a penalty, what follows from the columns
 * before them. Refused: no event, and coefficients without a finite best value.
 *
 * Sources: Cox 1972, JRSS B 34:187; Efron 1977, JASA 72:557; R's `survival::coxph`, whose estimates these are.
 */
export function coxFit(model: CoxModel): CoxFit {
  const { columns, nameOf = (j) => `column ${j}` } = model;
  for (let kept = [...columns.keys()]; ; ) {
    const own = kept;
    const fit = fitOf({ ...model, columns: own.map((j) => columns[j]), nameOf: (at) => nameOf(own[at]) });
    if ('influence' in fit) {
      const places = columns.map((_, j) => own.indexOf(j));
      const spread = (values: readonly number[]) => places.map((at) => values[at] ?? Number.NaN);
      const { coefficients, standardErrors, baseline } = fit;
      return {
        ...{ coefficients: spread(coefficients), standardErrors: spread(standardErrors), baseline },
        influence: (j) => fit.influence(places[j]),
      };
    }
    kept = own.filter((_, at) => !fit.includes(at));
  }
}

/** Or the places of columns to be left out. */
function fitOf(model: CoxModel & Required<Pick<CoxModel, 'nameOf'>>): CoxFit | readonly number[] {
  const { outcomes, columns, weight = null, strata = null, ridge = 0, nameOf } = model;
  const rows = coxRows(outcomes, weight, strata);
  if (!rows.deaths.some((count) => count > 0)) {
    throw invalidData('no_event', 'The rows of a Cox regression', 'have an event of interest', 'none');
  }
  const design = designOf(rows, columns);
  const { width, scales } = design;
  const penalties = scales.map((scale) => ridge / scale ** 2);
  const penalty = (at: Float64Array) => at.reduce((sum, each, j) => sum + (penalties[j] * each * each) / 2, 0);

  // Columns have variance 1: without information about the events, a column has that of no event.
  const least = SINGULAR * rows.deathWeight.reduce((sum, each) => sum + each, 0);
  let beta: Float64Array = new Float64Array(width);
  let eta: Float64Array = new Float64Array(rows.order.length);
  let steps = coxSteps(rows, eta);
  for (let iteration = 1; iteration <= MAX_ITERATIONS; iteration++) {
    const { score, information } = derivatives(rows, design, steps);
    const blank = iteration === 1 ? information.flatMap((line, j) => (line[j] > least ? [] : [j])) : [];
    if (blank.length > 0) return blank;
    for (let j = 0; j < width; j++) {
      score[j] -= penalties[j] * beta[j];
      information[j][j] += penalties[j];
    }
    const covariance = choleskyInverse(information, ridge > 0 ? 0 : SINGULAR, ridge > 0 ? 0 : least);
    if (typeof covariance === 'number') {
      if (iteration > 1) throw runaway(largestOf(beta).map(nameOf));
      return [covariance];
    }
    const move = Float64Array.from(covariance, (line) => dot(line, score));
    const change = predictor(design, move);
    const largest = maxAbs(change);
    if (ridge === 0 && runsAway(rows, change, largest)) {
      throw runaway(largestOf(move).map(nameOf));
    }
    const [from, before] = [beta, steps.logLikelihood - penalty(beta)];
    let size = Math.min(1, LONGEST_STEP / (largest || 1));
    for (let halved = 0; halved < MAX_HALVINGS; halved++, size /= 2) {
      beta = from.map((each, j) => each + size * move[j]);
      eta = predictor(design, beta);
      steps = coxSteps(rows, eta);
      if (steps.logLikelihood - penalty(beta) >= before - 1e-12 * Math.abs(before)) break;
    }
    if (dot(move, score) <= TOLERANCE) return resultOf({ rows, design, steps, beta, covariance, strata, outcomes });
  }
  throw invalidData('no_convergence', 'A Cox regression', 'reach its maximum', `${MAX_ITERATIONS} steps that did not`);
}

/** Columns that move the predictor: those that do it by less than a tenth as much as the first are not the cause. */
const largestOf = (values: Float64Array) =>
  [...values.keys()].filter((j) => Math.abs(values[j]) > 0.1 * maxAbs(values));

const runaway = (names: readonly string[]) =>
  invalidData(
    'infinite_coefficient',
    'A Cox regression',
    'have finite coefficients',
    `a likelihood that rises without end with ${names.join(', ')}`,
    'Columns that tell when or whether the event comes do this, as the follow-up itself would. Leave columns out, or set a ridge penalty (`alpha`).',
  );

/** Centred and scaled columns, row by row in the order of the rows: so rounding has no say in what depends on what. */
interface Design {
  readonly x: Float64Array;
  readonly n: number;
  readonly width: number;
  readonly means: Float64Array;
  /** 0 for a constant column. */
  readonly scales: Float64Array;
}

function designOf({ order, weight }: CoxRows, columns: readonly Float64Array[]): Design {
  const width = columns.length;
  const x = new Float64Array(order.length * width);
  const [means, scales] = [new Float64Array(width), new Float64Array(width)];
  const total = weight.reduce((sum, each) => sum + each, 0);
  columns.forEach((column, j) => {
    let [mean, square, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let at = 0; at < order.length; at++) {
      const value = column[order[at]];
      mean += (weight[at] * value) / total;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    for (let at = 0; at < order.length; at++) square += (weight[at] / total) * (column[order[at]] - mean) ** 2;
    means[j] = mean;
    scales[j] = low === high ? 0 : Math.sqrt(square);
    if (scales[j] === 0) return;
    for (let at = 0; at < order.length; at++) x[at * width + j] = (column[order[at]] - mean) / scales[j];
  });
  return { x, n: order.length, width, means, scales };
}

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, each, i) => sum + each * b[i], 0);
const maxAbs = (values: Float64Array) => values.reduce((most, each) => Math.max(most, Math.abs(each)), 0);

function predictor({ x, n, width }: Design, beta: Float64Array): Float64Array {
  const out = new Float64Array(n);
  for (let at = 0, place = 0; at < out.length; at++) {
    let sum = 0;
    for (let j = 0; j < width; j++) sum += x[place++] * beta[j];
    out[at] = sum;
  }
  return out;
}

/** Adds `factor` times the outer product of a vector to a lower triangle, row after row. */
function addOuter(triangle: Float64Array, vector: Float64Array, from: number, width: number, factor: number): void {
  for (let i = 0, place = 0; i < width; i++) {
    const scaled = factor * vector[from + i];
    for (let j = 0; j <= i; j++) triangle[place++] += scaled * vector[from + j];
  }
}

/**
 * Score and information: the sum over rows of x x' times risk and hazard, less that over events of the outer product of the
 * mean of their risk set; so each row costs one outer product, however many risk sets it is in.
 */
function derivatives(rows: CoxRows, { x, width }: Design, steps: CoxSteps) {
  const { starts, endsStratum, dead, weight, deaths, deathWeight } = rows;
  const { scaled, atRisk, dying } = steps;
  const hazard = exposures(rows, steps);
  const score = new Float64Array(width);
  const triangle = new Float64Array((width * (width + 1)) / 2);
  for (let at = 0; at < hazard.length; at++) {
    const expected = scaled[at] * hazard[at];
    const residual = dead[at] * weight[at] - expected;
    for (let j = 0; j < width; j++) score[j] += residual * x[at * width + j];
    if (expected > 0) addOuter(triangle, x, at * width, width, expected);
  }
  const [sums, ofDying, mean] = [0, 0, 0].map(() => new Float64Array(width));
  for (let group = deaths.length - 1; group >= 0; group--) {
    if (endsStratum[group] === 1) sums.fill(0);
    ofDying.fill(0);
    for (let at = starts[group]; at < starts[group + 1]; at++) {
      for (let j = 0; j < width; j++) sums[j] += scaled[at] * x[at * width + j];
      if (dead[at] === 1) for (let j = 0; j < width; j++) ofDying[j] += scaled[at] * x[at * width + j];
    }
    const count = deaths[group];
    for (let k = 0; k < count; k++) {
      const stillAtRisk = atRisk[group] - (k / count) * dying[group];
      for (let j = 0; j < width; j++) mean[j] = (sums[j] - (k / count) * ofDying[j]) / stillAtRisk;
      addOuter(triangle, mean, 0, width, -deathWeight[group] / count);
    }
  }
  const information = Array.from({ length: width }, (_, i) =>
    Float64Array.from(
      { length: width },
      (__, j) => triangle[(Math.max(i, j) * (Math.max(i, j) + 1)) / 2 + Math.min(i, j)],
    ),
  );
  return { score, information };
}

/**
 * True where a direction moves every event to the top of its risk set: along it the likelihood never stops rising. Newton's
 * steps turn to such a direction if there is one, and stay long there.
 */
function runsAway({ starts, endsStratum, dead, deaths }: CoxRows, change: Float64Array, largest: number): boolean {
  if (largest <= 0.1) return false;
  let most = 0;
  for (let group = deaths.length - 1; group >= 0; group--) {
    if (endsStratum[group] === 1) most = Number.NEGATIVE_INFINITY;
    for (let at = starts[group]; at < starts[group + 1]; at++) most = Math.max(most, change[at]);
    for (let at = starts[group]; at < starts[group + 1]; at++) {
      if (dead[at] === 1 && change[at] < most - 1e-9 * largest) return false;
    }
  }
  return true;
}

interface Fitted extends Pick<CoxModel, 'outcomes' | 'strata'> {
  readonly rows: CoxRows;
  readonly design: Design;
  readonly steps: CoxSteps;
  readonly beta: Float64Array;
  readonly covariance: readonly Float64Array[];
}

/** In the units of the caller. */
function resultOf({ rows, design, steps, beta, covariance, strata = null, outcomes }: Fitted): CoxFit {
  const { scales, means } = design;
  const coefficients = beta.map((each, j) => each / scales[j]);
  const influence = (j: number) => {
    // The column of the covariance, as a combination of the scaled columns.
    const combination = predictor(
      design,
      covariance[j].map((each) => each / scales[j]),
    );
    const residuals = scoreResiduals(rows, steps, combination);
    const out = new Float64Array(outcomes.time.length);
    rows.order.forEach((row, at) => {
      out[row] = rows.weight[at] * residuals[at];
    });
    return out;
  };
  return {
    coefficients: Array.from(coefficients),
    // From the information, that of the penalty included.
    standardErrors: covariance.map((line, j) => Math.sqrt(line[j]) / scales[j]),
    baseline: baselineHazards(rows, steps, outcomes.time, strata, dot(coefficients, means)),
    influence,
  };
}

/** Of one column, unweighted, in the order of the rows. */
function scoreResiduals(rows: CoxRows, steps: CoxSteps, column: Float64Array): Float64Array {
  const { starts, endsStratum, dead, deaths, deathWeight, weight } = rows;
  const { scaled, atRisk, dying } = steps;
  const groups = deaths.length;
  // By group: mean of the risk set, averaged over its events, and times the steps of the hazard.
  const [means, drift, ownDrift] = [0, 0, 0].map(() => new Float64Array(groups));
  let sum = 0;
  for (let group = groups - 1; group >= 0; group--) {
    if (endsStratum[group] === 1) sum = 0;
    let dyingSum = 0;
    for (let at = starts[group]; at < starts[group + 1]; at++) {
      sum += scaled[at] * column[at];
      dyingSum += dead[at] * scaled[at] * column[at];
    }
    const count = deaths[group];
    for (let k = 0; k < count; k++) {
      const stillAtRisk = atRisk[group] - (k / count) * dying[group];
      const mean = (sum - (k / count) * dyingSum) / stillAtRisk;
      const step = deathWeight[group] / count / stillAtRisk;
      means[group] += mean / count;
      drift[group] += step * mean;
      ownDrift[group] += (1 - k / count) * step * mean;
    }
  }
  const hazard = exposures(rows, steps);
  const out = new Float64Array(column.length);
  let passed = 0;
  for (let group = 0; group < groups; group++) {
    for (let at = starts[group]; at < starts[group + 1]; at++) {
      const drifted = passed + (dead[at] === 1 ? ownDrift[group] : drift[group]);
      const risk = scaled[at] / weight[at];
      out[at] = dead[at] * (column[at] - means[group]) - risk * (column[at] * hazard[at] - drifted);
    }
    passed = endsStratum[group] === 1 ? 0 : passed + drift[group];
  }
  return out;
}
