import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { gramMatrix } from '../core/gramMatrix.js';
import { sum } from '../core/numbers.js';
import { boolean, custom, type InputOf, integer, isPlainObject, number, optionTable } from '../core/options.js';
import { INSPECT } from '../core/summaryText.js';
import { VERSION } from '../core/version.js';
import type { Label, Labels, LabelsInput } from '../data/labels.js';
import { noClassToWeight } from '../data/noClassToWeight.js';
import { checkLength, weightsOf } from '../data/sideData.js';
import { classLabels } from './classLabels.js';
import { type Block, blockOf, type DenseInput } from './denseRows.js';
import {
  dependent,
  type FitData,
  factorAt,
  logisticLoss,
  minimize,
  type Start,
  solve,
  squaresTooLarge,
} from './logisticLoss.js';
import { estimatorNotFitted, linearFit, savedParts } from './savedEstimator.js';

const isWeights = (value: unknown) =>
  value === 'balanced' ||
  (isPlainObject(value) && Object.values(value).every((weight) => typeof weight === 'number' && weight >= 0));

const options = optionTable('LogisticRegression', {
  C: custom<number>('number', 'be a number > 0, or Infinity', (value) => typeof value === 'number' && value > 0)
    .default(1)
    .describe(
      'Inverse strength of the ridge penalty: the smaller, the nearer to 0 the coefficients. Infinity: no penalty, the maximum of the likelihood.',
    ),
  fitIntercept: boolean().default(true).describe('Fit an intercept, which is not penalised.'),
  classWeight: custom<'balanced' | Readonly<Record<string, number>>>(
    "'balanced' | record of class -> weight",
    "be 'balanced' or a record of class to a weight >= 0",
    isWeights,
  )
    .nullable()
    .default(null)
    .describe("Weight of the rows of each class; 'balanced': by their inverse frequency."),
  maxIter: integer({ min: 1 }).default(100).describe('Steps at most.'),
  tol: number({ above: 0 })
    .default(1e-6)
    .describe('The fit ends when no part of the gradient of the mean loss is larger.'),
});

export type LogisticRegressionOptions = InputOf<typeof options>;

const SEPARATED =
  'LogisticRegression: the training rows separate the classes perfectly, so that the penalty `C` alone bounds the coefficients, and probabilities near 0 and 1 mean little.';

interface Fitted {
  readonly classes: readonly Label[];
  /** One row for two classes, else one for each class. */
  readonly coef: readonly Float64Array[];
  readonly intercept: Float64Array;
  readonly iterations: number;
  readonly notes: readonly string[];
}

/**
 * Logistic regression with a ridge penalty, by Newton's method (iteratively reweighted least squares); several classes by
 * the softmax. The objective is that of scikit-learn's `LogisticRegression` (`penalty='l2'`): the same coefficients at its
 * minimum. Scale the columns first: the penalty treats all alike. `C: Infinity` is the fit without a penalty, as R's `glm`
 * makes it; where the classes can be separated there is none, and `notes` say so.
 *
 * @example
 * const regression = new LogisticRegression({ C: 0.5 }).fit([[0], [1], [2], [3]], [0, 0, 1, 1]);
 * console.log(regression.predictProba([[0.5], [2.5]]));
 */
export class LogisticRegression {
  /** Printed, and minifiers rename classes. */
  static readonly name: string = 'LogisticRegression';
  static readonly options = options;
  /** Tells the adapter to hand over blocks of numbers instead of lists. */
  readonly takesDense = true;
  /** Tells the adapter to hand over the positive class. */
  readonly takesPositive = true;
  /** Tells the adapter that it is no model of regression. */
  readonly takesClasses = true;
  readonly #options: ReturnType<typeof options.resolve>;
  #fitted: Fitted | undefined;

  constructor(input?: LogisticRegressionOptions) {
    this.#options = options.resolve(input);
  }

  /**
   * Fits the coefficients.
   *
   * @param X rows of finite numbers
   * @param y a class for each row
   * @param sampleWeight weight of each row, at least 0
   * @param positiveLabel of two classes the one that `coef` is about; a run passes its own. By default the second
   * @throws {InvalidDataError} cells that are no finite numbers, labels that are numbers with a fraction, or one class.
   * @throws {InvalidOptionError} `classWeight` has no weight for a class, and one for what is no class.
   */
  fit(X: DenseInput, y: LabelsInput, sampleWeight?: ArrayLike<number> | null, positiveLabel?: Label | null): this {
    const block = blockOf(X, options.owner);
    const labels = classLabels(y, options.owner);
    checkLength(labels, block.n, 'y');
    const { classes, codes } = presentClasses(labels, positiveLabel);
    const weights = this.#weights(classes, codes, sampleWeight ?? undefined);
    const { C, fitIntercept, maxIter, tol } = this.#options;
    const { X: inner, restore } = reduced(block);
    const fit: FitData = { X: inner, codes, weights, nClasses: classes.length, C, fitIntercept };
    const found = minimize(logisticLoss(fit), startOf(fit, { maxIter, tol }), { maxIter, tol });
    const each = inner.width + (fitIntercept ? 1 : 0);
    const nRows = classes.length === 2 ? 1 : classes.length;
    const parts = Array.from({ length: nRows }, (_, k) => found.at.subarray(k * each, (k + 1) * each));
    this.#fitted = {
      classes,
      coef: parts.map((part) => restore(part.subarray(0, inner.width))),
      intercept: Float64Array.from(parts, (part) => (fitIntercept ? part[inner.width] : 0)),
      iterations: found.iterations,
      notes: [],
    };
    const notes =
      C === Infinity ? notesWithoutPenalty(fit, found.at) : this.#separates(block, codes, weights) ? [SEPARATED] : [];
    if (!found.converged) {
      notes.unshift(`${options.owner} did not converge in ${maxIter} steps: raise \`maxIter\`, or scale the columns.`);
    }
    this.#fitted = { ...this.#fitted, notes };
    return this;
  }

  /** The more probable class of each row. */
  predict(X: DenseInput): Label[] {
    const { classes } = this.#known();
    return Array.from(this.#codes(this.#block(X)), (code) => classes[code]);
  }

  /** Probability of each class, in the order of `classes`. */
  predictProba(X: DenseInput): number[][] {
    const { data, width } = this.#probabilities(this.#block(X));
    const rows: number[][] = [];
    for (let from = 0; from < data.length; from += width) {
      const own = [data[from], data[from + 1]];
      for (let k = 2; k < width; k++) own.push(data[from + k]);
      rows.push(own);
    }
    return rows;
  }

  /** The classes of `y`, ascending; of two the positive one is the second, where it is known. */
  get classes(): readonly Label[] {
    return this.#known().classes;
  }

  /**
   * Coefficients: one row for two classes, else one for each class. Of two classes they are about the log-odds of the second,
   * which in a run is the positive one: `Math.exp(coef[0][j])` is the odds ratio for one more of column j (after preparation).
   */
  get coef(): readonly Float64Array[] {
    return this.#known().coef;
  }

  /** The constant of each row of `coef`. */
  get intercept(): Float64Array {
    return this.#known().intercept;
  }

  /** Steps that the fit took. */
  get nIter(): number {
    return this.#known().iterations;
  }

  /** What is to be said of the fit: separated classes, no convergence. A run prints it as a warning. */
  get notes(): readonly string[] {
    return this.#fitted?.notes ?? [];
  }

  /** The options, with their defaults. */
  getParams(): ReturnType<typeof options.resolve> {
    return this.#options;
  }

  /** One with the same options, not fitted. */
  clone(): LogisticRegression {
    return new LogisticRegression(this.#options);
  }

  /** Options and coefficients as plain JSON values. */
  toJSON(): Record<string, unknown> {
    const known = this.#fitted;
    const fitted = known && {
      ...known,
      coef: known.coef.map((row) => Array.from(row)),
      intercept: Array.from(known.intercept),
    };
    // JSON has no infinite numbers.
    const written = { ...this.#options, C: this.#options.C === Infinity ? 'Infinity' : this.#options.C };
    return { estimator: options.owner, cvkit: VERSION, options: written, fitted: fitted ?? null };
  }

  /** The model that `toJSON` told of. */
  static fromJSON(json: unknown): LogisticRegression {
    type Read = Fitted & { readonly coef: number[][]; readonly intercept: number[] };
    const { options: written, fitted } = savedParts<Read>(options.owner, json, linearFit);
    const { C, ...others } = written as { C?: unknown };
    const restored = new LogisticRegression({ ...others, C: C === 'Infinity' ? Infinity : (C as number) });
    if (!fitted) return restored;
    const coef = fitted.coef.map((row) => Float64Array.from(row));
    restored.#fitted = { ...fitted, coef, intercept: Float64Array.from(fitted.intercept) };
    return restored;
  }

  [INSPECT](): string {
    return `LogisticRegression (C ${this.#options.C}${this.#fitted ? `, fitted, ${this.#fitted.coef[0].length} coefficients` : ''})`;
  }

  #weights(
    classes: readonly Label[],
    codes: ArrayLike<number>,
    sampleWeight: ArrayLike<number> | undefined,
  ): Float64Array {
    const { classWeight } = this.#options;
    const n = codes.length;
    const weights = sampleWeight ? Float64Array.from(weightsOf(sampleWeight, n)) : new Float64Array(n).fill(1);
    if (classWeight === null) return weights;
    const names = classes.map(String);
    // The rows of a fold may lack a class. Then all that they have are weighed.
    if (classWeight !== 'balanced' && names.some((name) => !Object.hasOwn(classWeight, name))) {
      const unknown = Object.keys(classWeight).find((name) => !names.includes(name));
      if (unknown !== undefined) throw noClassToWeight(`\`classWeight\` option of ${options.owner}`, unknown, classes);
    }
    const total = sum(weights);
    const ofClass = classes.map((label, code) => {
      if (classWeight !== 'balanced') return classWeight[String(label)] ?? 1;
      // A row of weight 2 counts as two rows of its class.
      const own = weights.reduce((sum, weight, row) => sum + (codes[row] === code ? weight : 0), 0);
      return own > 0 ? total / (classes.length * own) : 0;
    });
    const weighed = weights.map((weight, row) => weight * ofClass[codes[row]]);
    if (weighed.some((weight) => weight > 0)) return weighed;
    const must = 'be above 0 for a class that the training rows have';
    throw new InvalidOptionError(sentence(`The \`classWeight\` option of ${options.owner}`, must, classWeight));
  }

  #block(X: DenseInput): Block {
    return blockOf(X, options.owner, this.#known().coef[0].length);
  }

  #codes(block: Block, from = 0, to = block.n): Int32Array {
    const { data, width } = this.#probabilities(block, from, to);
    return Int32Array.from({ length: to - from }, (_, row) => {
      let best = 0;
      for (let k = 1; k < width; k++) if (data[row * width + k] > data[row * width + best]) best = k;
      return best;
    });
  }

  #probabilities({ data: cells, n, width: columns }: Block, from = 0, to = n): { data: Float64Array; width: number } {
    const { classes, coef, intercept } = this.#known();
    const width = classes.length;
    const data = new Float64Array((to - from) * width);
    const score = (row: number, k: number) => {
      let sum = intercept[k];
      const first = (from + row) * columns;
      for (let column = 0; column < columns; column++) sum += cells[first + column] * coef[k][column];
      return sum;
    };
    for (let row = 0; row < to - from; row++) {
      if (width === 2) {
        const p = 1 / (1 + Math.exp(-score(row, 0)));
        data[2 * row] = 1 - p;
        data[2 * row + 1] = p;
        continue;
      }
      let [most, total] = [-Infinity, 0];
      for (let k = 0; k < width; k++) {
        data[row * width + k] = score(row, k);
        most = Math.max(most, data[row * width + k]);
      }
      for (let k = 0; k < width; k++) {
        data[row * width + k] = Math.exp(data[row * width + k] - most);
        total += data[row * width + k];
      }
      for (let k = 0; k < width; k++) data[row * width + k] /= total;
    }
    return { data, width };
  }

  /** Whether each row that counts is predicted right. Mostly one of the first is not, so a few are tried at a time. */
  #separates(X: Block, codes: ArrayLike<number>, weights: Float64Array): boolean {
    for (let from = 0; from < X.n; from += 256) {
      const found = this.#codes(X, from, Math.min(X.n, from + 256));
      if (found.some((code, row) => weights[from + row] !== 0 && code !== codes[from + row])) return false;
    }
    return true;
  }

  #known(): Fitted {
    if (this.#fitted) return this.#fitted;
    throw estimatorNotFitted(options.owner, 'Call fit.');
  }
}

/** The classes that are there: rows of a fold may lack one. Of two the positive one is the second. */
function presentClasses(
  { classes, codes, task }: Labels,
  positive?: Label | null,
): { classes: readonly Label[]; codes: Int32Array } {
  if (task !== 'binary' && task !== 'multiclass') {
    const subject = 'The labels for LogisticRegression';
    throw new InvalidDataError(sentence(subject, 'be one class per row', phrase(`a ${task} task`)));
  }
  const present = classes.map((_, code) => codes.includes(code));
  const kept = classes.filter((_, code) => present[code]);
  if (kept.length < 2) {
    const got = phrase(`${kept.length} in ${codes.length} rows`);
    throw new InvalidDataError(sentence('The labels for LogisticRegression', 'hold at least two classes', got), {
      code: 'one_class',
    });
  }
  const places = classes.map((_, code) => present.slice(0, code).filter(Boolean).length);
  if (kept.length > 2 || kept[0] !== positive) return { classes: kept, codes: codes.map((code) => places[code]) };
  return { classes: [kept[1], kept[0]], codes: codes.map((code) => 1 - places[code]) };
}

// Where a fit to many rows begins: at the fit to a part of them, which is near and costs a share.

/** With fewer rows the start is 0. */
const MANY = { rows: 4000, perParameter: 40, every: 8 };

function startOf(fit: FitData, limits: { maxIter: number; tol: number }): Start {
  const { size } = logisticLoss(fit);
  const zero = { at: new Float64Array(size) };
  const { X, codes, weights } = fit;
  if (X.n < MANY.rows || X.n < MANY.perParameter * size) return zero;
  const n = Math.ceil(X.n / MANY.every);
  const data = new Float64Array(n * X.width);
  const own = { codes: new Int32Array(n), weights: new Float64Array(n) };
  for (let at = 0; at < n; at++) {
    const row = at * MANY.every;
    own.codes[at] = codes[row];
    own.weights[at] = weights[row];
    for (let column = 0; column < X.width; column++) data[at * X.width + column] = X.data[row * X.width + column];
  }
  const part: FitData = { ...fit, ...own, X: { data, n, width: X.width }, C: fit.C * MANY.every };
  if (!(sum(part.weights) > 0)) return zero;
  const loss = logisticLoss(part);
  const { at } = minimize(loss, startOf(part, limits), { ...limits, tol: 1e-3 });
  return { at, factor: factorAt(loss, at) };
}

// What is to be said of a fit without a penalty: a maximum that is not there, or that many coefficients share.

/** So far a step of Newton's method moves the log-odds of a row where nothing but the end of the steps holds them. */
const FAR = 0.1;

/**
 * From `at` on the likelihood may still rise, and in a direction that moves no row against its class, so that it rises
 * without end (Albert & Anderson 1984, Biometrika 71:1); and columns may be combinations of others.
 */
function notesWithoutPenalty(fit: FitData, at: Float64Array): string[] {
  const loss = logisticLoss(fit);
  if (separates(fit, solve(factorAt(loss, at), loss.gradient(at)))) return [NO_MAXIMUM];
  const two = logisticLoss({ ...fit, nClasses: 2 });
  return dependent(two.hessian(new Float64Array(two.size)), two.size) ? [COMBINED] : [];
}

const NO_MAXIMUM =
  'LogisticRegression: the training rows separate the classes, so that without a penalty the likelihood has no maximum: the coefficients grow without end and mean nothing. Use a finite `C`, or fewer columns.';
const COMBINED =
  "LogisticRegression: columns are combinations of others, so that without a penalty many coefficients fit equally well: predictions are defined, single coefficients are not. Leave columns out (`drop: 'first'` of a OneHotEncoder), or use a finite `C`.";

/** `step`: what is taken off the parameters. */
function separates({ X, codes, weights, nClasses, fitIntercept }: FitData, step: Float64Array): boolean {
  const { data, n, width } = X;
  const each = width + (fitIntercept ? 1 : 0);
  const change = (row: number, from: number) => {
    let sum = fitIntercept ? step[from + width] : 0;
    for (let column = 0; column < width; column++) sum += data[row * width + column] * step[from + column];
    return -sum;
  };
  let [least, most] = [0, 0];
  for (let row = 0; row < n; row++) {
    if (weights[row] === 0) continue;
    const ofClass =
      nClasses === 2 ? [0, change(row, 0)] : Array.from({ length: nClasses }, (_, k) => change(row, k * each));
    const margins = ofClass.map((other) => ofClass[codes[row]] - other);
    [least, most] = [Math.min(least, ...margins), Math.max(most, ...margins)];
  }
  return most > FAR && least >= -1e-6 * most;
}

// Rows with more columns than rows, turned to as many columns as rows: a ridge penalty sees no difference.

/** Directions of a smaller share of the largest spread are rounding. */
const NOTHING = 1e-12;

interface Reduced {
  readonly X: Block;
  /** Coefficients of the columns, from those of the reduced ones. */
  restore(coefficients: Float64Array): Float64Array;
}

/**
 * The rows in the directions that they span, by the eigenvectors of their products. Coefficients with a ridge penalty lie
 * in that span, and their length is the same in it. Rows that are not wide stay as they are.
 */
function reduced(X: Block): Reduced {
  const { data, n, width } = X;
  if (width <= n) return { X, restore: (coefficients) => Float64Array.from(coefficients) };
  const cells = data instanceof Float64Array ? data : Float64Array.from(data);
  const rows = Array.from({ length: n }, (_, row) => cells.subarray(row * width, (row + 1) * width));
  const products = new Matrix(gramMatrix(rows));
  if (!products.diagonal().every(Number.isFinite)) throw squaresTooLarge();
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(products, { assumeSymmetric: true });
  const most = Math.max(...realEigenvalues);
  const kept = realEigenvalues.flatMap((value, at) => (value > NOTHING * most ? [at] : []));
  const inner = new Float64Array(n * kept.length);
  for (let row = 0; row < n; row++) {
    kept.forEach((at, place) => {
      inner[row * kept.length + place] = eigenvectorMatrix.get(row, at) * Math.sqrt(realEigenvalues[at]);
    });
  }
  return {
    X: { data: inner, n, width: kept.length },
    restore(coefficients) {
      const byRow = new Float64Array(n);
      kept.forEach((at, place) => {
        const part = coefficients[place] / Math.sqrt(realEigenvalues[at]);
        for (let row = 0; row < n; row++) byRow[row] += eigenvectorMatrix.get(row, at) * part;
      });
      const out = new Float64Array(width);
      for (let row = 0; row < n; row++) {
        for (let column = 0; column < width; column++) out[column] += byRow[row] * data[row * width + column];
      }
      return out;
    },
  };
}
