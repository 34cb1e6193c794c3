import { InvalidDataError, InvalidOptionError, phrase, sentence, show, suggestion } from '../core/errors.js';
import { custom, type InputOf, number, optionTable } from '../core/options.js';
import { fields, finite, list, orNull, type Shape, text, whole } from '../core/shape.js';
import { INSPECT } from '../core/summaryText.js';
import { VERSION } from '../core/version.js';
import type { LabelsInput } from '../data/labels.js';
import { type BaselineHazard, hazardAt } from '../survival/baselineHazard.js';
import { coxFit } from '../survival/coxFit.js';
import { ofCause } from '../survival/outcomes.js';
import { type Block, blockOf, type DenseInput } from './denseRows.js';
import { estimatorNotFitted, savedParts } from './savedEstimator.js';
import { predictionTimes, timedRows } from './timedRows.js';

const options = optionTable('CoxRegression', {
  alpha: number({ min: 0 })
    .default(0)
    .describe(
      'Ridge penalty: half of it times the sum of squared coefficients is taken from the log partial likelihood, as `ridge(theta = alpha, scale = FALSE)` of R does. 0: none.',
    ),
  strata: custom<string | number>(
    'string | number',
    'be the name or place of a column of X',
    (value) => typeof value === 'string' || (Number.isInteger(value) && Number(value) >= 0),
  )
    .nullable()
    .default(null)
    .describe('Name or place of the column of X whose values are strata: each has a baseline of its own. null: none.'),
});

export type CoxRegressionOptions = InputOf<typeof options>;

interface Fitted {
  /** Of the covariates, in the order of X without the strata. */
  readonly names: readonly string[];
  /** NaN where a column tells nothing. */
  readonly coef: readonly number[];
  readonly errors: readonly number[];
  readonly means: readonly number[];
  /** Place of the strata in X. */
  readonly strata: number | null;
  readonly baseline: readonly BaselineHazard[];
  readonly notes: readonly string[];
}

/**
 * Cox regression: proportional hazards with Efron's treatment of tied events, as R's `coxph`, and Breslow's baseline with
 * Efron's steps, as its `survfit`. Events of other causes than the one of interest are censored at their time:
 * `predictSurvival` then ignores competing events, it is about a world without them (`notes` say so).
 *
 * A column with one value among the training rows at risk at events, or that follows from the columns before it, has no
 * coefficient (NaN) and no effect, as in R, and `notes` name it: a rare category that one fold lacks, or a dummy too many, would
 * end a whole cross-validation. What has no finite best coefficient is refused: leave it out, or set `alpha`, after scaling.
 *
 * @example
 * const rows = Array.from({ length: 10 }, (_, row) => [row % 4, row % 3]);
 * const outcomes = { time: [9, 7, 5, 2, 12, 6, 4, 1, 10, 8], event: [1, 1, 0, 1, 0, 1, 1, 1, 1, 0] };
 * const cox = new CoxRegression({ alpha: 0.1 }).fit(rows, outcomes);
 * console.log(cox.coef, cox.predictRisk([[0, 1], [3, 1]]));
 */
export class CoxRegression {
  /** Printed, and minifiers rename classes. */
  static readonly name: string = 'CoxRegression';
  static readonly options = options;
  /** Tells the adapter to hand over blocks of numbers instead of lists. */
  readonly takesDense = true;
  /** Tells the adapter to hand over the cause of interest. */
  readonly takesPositive = true;
  readonly #options: ReturnType<typeof options.resolve>;
  #fitted: Fitted | undefined;

  constructor(input?: CoxRegressionOptions) {
    this.#options = options.resolve(input);
  }

  /**
   * Fits the coefficients.
   *
   * @param X rows of finite numbers
   * @param y a time and an event for each row, in every form that a run takes
   * @param sampleWeight weight of each row, at least 0: case weights as in `coxph`
   * @param causeOfInterest the event that counts; a run passes its own. By default 1
   * @throws {InvalidDataError} `no_event`, `infinite_coefficient`, `no_convergence`, and cells that are no
   *   finite numbers.
   */
  fit(X: DenseInput, y: LabelsInput, sampleWeight?: ArrayLike<number> | null, causeOfInterest?: number | null): this {
    const block = blockOf(X, options.owner);
    const { featureNames } = X as { readonly featureNames?: readonly string[] };
    const strata = strataPlace(this.#options.strata, block.width, featureNames);
    const { outcomes, weight, cause, competing } = timedRows(y, block.n, sampleWeight, causeOfInterest);
    const places = covariates(block.width, strata);
    const names = places.map((place) => featureNames?.[place] ?? `x${place}`);
    const { codes, values } = strataCodes(block, strata);
    const columns = places.map((place) => columnOf(block, place));
    const means = columns.map((column) => meanOf(column, weight));
    // Centred, so that hazards stay within what numbers hold wherever the origin is.
    const centred = columns.map((column, j) => column.map((value) => value - means[j]));
    const { coefficients, standardErrors, baseline } = coxFit({
      ...{ outcomes: ofCause(outcomes, cause), columns: centred, weight, strata: codes },
      ...{ ridge: this.#options.alpha, nameOf: (j) => show(names[j]) },
    });
    const notes = competing.length > 0 ? [withoutCompeting(competing)] : [];
    const idle = names.filter((_, j) => Number.isNaN(coefficients[j]));
    if (idle.length > 0) notes.push(withoutEffect(idle));
    this.#fitted = {
      names,
      coef: coefficients,
      errors: standardErrors,
      means,
      strata,
      baseline: baseline.map((each) => ({ ...each, stratum: values[each.stratum] })),
      notes,
    };
    return this;
  }

  /**
   * Log hazard ratio of each row to one whose columns are the means of the training rows; larger for an earlier event. With
   * `strata` the log of its cumulative hazard at the last event, so that rows of different strata can be ranked.
   */
  predictRisk(X: DenseInput): number[] {
    const { strata, baseline } = this.#known();
    const block = this.#block(X);
    const ratios = this.#logRatios(block);
    if (strata === null) return ratios;
    const last = baseline.reduce((most, { times }) => Math.max(most, times.at(-1) ?? 0), 0);
    return hazardsOf(block, strata, baseline, [last]).map(
      ([each], row) => Math.log(Math.max(each, NO_HAZARD)) + ratios[row],
    );
  }

  #logRatios(block: Block): number[] {
    const { strata, coef, means } = this.#known();
    const places = covariates(block.width, strata);
    return Array.from({ length: block.n }, (_, row) => {
      let sum = 0;
      for (let j = 0; j < places.length; j++) {
        if (!Number.isNaN(coef[j])) sum += coef[j] * (block.data[row * block.width + places[j]] - means[j]);
      }
      return sum;
    });
  }

  /** As `predictRisk`: what scikit-survival calls it. */
  predict(X: DenseInput): number[] {
    return this.predictRisk(X);
  }

  /**
   * Probability of no event by each time, `[n, times]`, in the order of `times`; competing events are ignored.
   *
   * @param times in the unit of y
   * @throws {InvalidDataError} `unknown_stratum`: the training rows lack the stratum of a row.
   */
  predictSurvival(X: DenseInput, times: ArrayLike<number>): number[][] {
    const { strata, baseline } = this.#known();
    const block = this.#block(X);
    const hazards = hazardsOf(block, strata, baseline, predictionTimes(times));
    return this.#logRatios(block).map((risk, row) => {
      const ratio = Math.exp(risk);
      return hazards[row].map((each) => (each === 0 ? 1 : Math.exp(-each * ratio)));
    });
  }

  /** Log hazard ratio for one more of each column, by its name (`x0`, `x1`, ... without names). */
  get coef(): Readonly<Record<string, number>> {
    const { names, coef } = this.#known();
    return byName(names, coef);
  }

  /** Of the coefficients, from the information with the penalty (`var` of R). */
  get standardErrors(): Readonly<Record<string, number>> {
    const { names, errors } = this.#known();
    return byName(names, errors);
  }

  /** `Math.exp` of the coefficients. */
  get hazardRatios(): Readonly<Record<string, number>> {
    const { names, coef } = this.#known();
    return byName(names, coef.map(Math.exp));
  }

  /**
   * Cumulative hazard of a row whose columns are the means of the training rows, at the times of events, one entry for each
   * stratum (0 without strata).
   */
  get baseline(): readonly BaselineHazard[] {
    return this.#known().baseline;
  }

  /** What is to be said of the fit: competing events, columns without a coefficient. A run prints it as a warning. */
  get notes(): readonly string[] {
    return this.#fitted?.notes ?? [];
  }

  /** The options, with their defaults. */
  getParams(): ReturnType<typeof options.resolve> {
    return this.#options;
  }

  /** One with the same options, not fitted. */
  clone(): CoxRegression {
    return new CoxRegression(this.#options);
  }

  /** Options, coefficients and baseline as plain JSON values. */
  toJSON(): Record<string, unknown> {
    const known = this.#fitted;
    // JSON has no NaN.
    const orNothing = (values: readonly number[]) => values.map((value) => (Number.isNaN(value) ? null : value));
    const fitted = known && {
      ...known,
      coef: orNothing(known.coef),
      errors: orNothing(known.errors),
      baseline: known.baseline.map(({ stratum, times, hazard }) => ({
        stratum,
        times: Array.from(times),
        hazard: Array.from(hazard),
      })),
    };
    return { estimator: options.owner, cvkit: VERSION, options: this.#options, fitted: fitted ?? null };
  }

  /** The model that `toJSON` told of. */
  static fromJSON(json: unknown): CoxRegression {
    type Numbers = readonly (number | null)[];
    type Read = Omit<Fitted, 'coef' | 'errors'> & { readonly coef: Numbers; readonly errors: Numbers };
    const { options: written, fitted } = savedParts<Read>(options.owner, json, coxShape);
    const restored = new CoxRegression(written);
    if (!fitted) return restored;
    const orNaN = (values: Numbers) => values.map((value) => value ?? Number.NaN);
    restored.#fitted = {
      ...fitted,
      coef: orNaN(fitted.coef),
      errors: orNaN(fitted.errors),
      baseline: fitted.baseline.map(({ stratum, times, hazard }) => ({
        stratum,
        times: Float64Array.from(times),
        hazard: Float64Array.from(hazard),
      })),
    };
    return restored;
  }

  [INSPECT](): string {
    return `CoxRegression (alpha ${this.#options.alpha}${this.#fitted ? `, fitted, ${this.#fitted.names.length} coefficients` : ''})`;
  }

  #block(X: DenseInput): Block {
    const { names, strata } = this.#known();
    return blockOf(X, options.owner, names.length + Number(strata !== null));
  }

  #known(): Fitted {
    if (this.#fitted) return this.#fitted;
    throw estimatorNotFitted(options.owner, 'Call fit.');
  }
}

const withoutCompeting = (causes: readonly number[]) =>
  `CoxRegression: events of other causes (${causes.join(', ')}) are censored at their time, so \`predictSurvival\` is about a world without them.`;
const withoutEffect = (names: readonly string[]) =>
  `CoxRegression gives no coefficient to ${names.map(show).join(', ')}: one value among the training rows at risk at events, or what follows from other columns, which keep the effect, as one of two categories does.`;

const byName = (names: readonly string[], values: readonly number[]) =>
  Object.freeze(Object.fromEntries(names.map((name, j) => [name, values[j]])));

function strataPlace(strata: string | number | null, width: number, names?: readonly string[]): number | null {
  if (strata === null) return null;
  const place = typeof strata === 'number' ? strata : (names?.indexOf(strata) ?? -1);
  if (place >= 0 && place < width) return place;
  const way = names && typeof strata === 'string' ? suggestion(strata, names) : undefined;
  const must = `be the ${typeof strata === 'number' ? 'place' : 'name'} of one of the ${width} columns of X`;
  const got = names || typeof strata === 'number' ? strata : phrase(`${show(strata)}, and X without names`);
  throw new InvalidOptionError(sentence('The `strata` option of CoxRegression', must, got, way));
}

const covariates = (width: number, strata: number | null) =>
  Array.from({ length: width }, (_, place) => place).filter((place) => place !== strata);

const columnOf = ({ data, n, width }: Block, place: number) =>
  Float64Array.from({ length: n }, (_, row) => data[row * width + place]);

/** Codes of the strata, ascending by their value. */
function strataCodes(block: Block, strata: number | null): { codes: Int32Array | null; values: readonly number[] } {
  if (strata === null) return { codes: null, values: [0] };
  const column = columnOf(block, strata);
  const values = [...new Set(column)].sort((a, b) => a - b);
  const codeOf = new Map(values.map((value, code) => [value, code]));
  return { codes: Int32Array.from(column, (value) => codeOf.get(value) as number), values };
}

/** Of a stratum without an event: its logarithm is a number. */
const NO_HAZARD = 1e-12;

/** Cumulative baseline hazard of the stratum of each row, by each time. */
function hazardsOf(block: Block, strata: number | null, baseline: readonly BaselineHazard[], times: ArrayLike<number>) {
  const known = new Map(
    baseline.map((each) => [each.stratum, Array.from(times, (time) => hazardAt(each, time))] as const),
  );
  return Array.from({ length: block.n }, (_, row) => {
    const found = known.get(strata === null ? 0 : block.data[row * block.width + strata]);
    if (found) return found;
    const way = 'Join rare strata, or stratify the folds by them.';
    const message = sentence(`The stratum of row ${row}`, 'be one of a training row', phrase('another one'), way);
    throw new InvalidDataError(message, { code: 'unknown_stratum', row });
  });
}

function meanOf(column: Float64Array, weight: Float64Array | null): number {
  let [sum, total] = [0, 0];
  for (let row = 0; row < column.length; row++) {
    const w = weight ? weight[row] : 1;
    sum += w * column[row];
    total += w;
  }
  return sum / total;
}

function coxShape(fitted: unknown): Shape {
  const names = (fitted as { names?: unknown } | null)?.names;
  const each = (shape: Shape) => list(shape, Array.isArray(names) ? names.length : undefined);
  const hazard: Shape = (value, at) => {
    const { times } = (value ?? {}) as { times?: unknown };
    const length = Array.isArray(times) ? times.length : undefined;
    return fields({ stratum: finite, times: list(finite), hazard: list(finite, length) })(value, at);
  };
  return fields({
    names: list(text),
    coef: each(orNull(finite)),
    errors: each(orNull(finite)),
    means: each(finite),
    strata: orNull(whole(Array.isArray(names) ? names.length + 1 : 0)),
    baseline: list(hazard),
    notes: list(text),
  });
}
