/** The penalised log-loss of scikit-learn's LogisticRegression, for two classes and for several. */
import type { Block } from './denseRows.js';
import type { Objective } from './newton.js';

export interface Fit {
  readonly X: Block;
  /** Class of each row. */
  readonly codes: ArrayLike<number>;
  readonly weights: Float64Array;
  readonly nClasses: number;
  readonly C: number;
  readonly fitIntercept: boolean;
}

/**
 * Mean log-loss by weight plus the squares of the coefficients over `2 C sum(weights)`; intercepts are not penalised. Two
 * classes have one row of parameters (coefficients, then the intercept), K classes have K, whose intercepts sum to 0.
 */
export const logisticLoss = (fit: Fit): Objective => (fit.nClasses === 2 ? binaryLoss(fit) : softmaxLoss(fit));

function scaleOf({ weights, C }: Fit) {
  const sum = weights.reduce((total, each) => total + each, 0);
  return { sum, penalty: 1 / (C * sum) };
}

/** log(1 + exp(x)) without overflow. */
const softplus = (x: number) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

function binaryLoss(fit: Fit): Objective {
  const { X, codes, weights, fitIntercept } = fit;
  const { data, n, width } = X;
  const size = width + (fitIntercept ? 1 : 0);
  const { sum, penalty } = scaleOf(fit);
  const scores = new Float64Array(n);
  let scored: Float64Array | undefined;
  /** Scores of all rows; those of the last parameters are known. */
  const scoresAt = (at: Float64Array): Float64Array => {
    if (scored === at) return scores;
    for (let row = 0, cell = 0; row < n; row++) {
      // Two sums, because each addition waits for the one before it.
      let score = fitIntercept ? at[width] : 0;
      let other = 0;
      let column = 0;
      for (; column + 1 < width; column += 2, cell += 2) {
        score += data[cell] * at[column];
        other += data[cell + 1] * at[column + 1];
      }
      if (column < width) score += data[cell++] * at[column];
      scores[row] = score + other;
    }
    scored = at;
    return scores;
  };
  const probability = (score: number) => 1 / (1 + Math.exp(-score));
  return {
    size,
    value(at) {
      const z = scoresAt(at);
      let loss = 0;
      for (let row = 0; row < n; row++) loss += weights[row] * (softplus(z[row]) - (codes[row] === 1 ? z[row] : 0));
      let squares = 0;
      for (let column = 0; column < width; column++) squares += at[column] ** 2;
      return loss / sum + (penalty / 2) * squares;
    },
    gradient(at) {
      const z = scoresAt(at);
      const gradient = new Float64Array(size);
      for (let row = 0, cell = 0; row < n; row++) {
        const residual = (weights[row] * (probability(z[row]) - codes[row])) / sum;
        for (let column = 0; column < width; column++) gradient[column] += residual * data[cell++];
        if (fitIntercept) gradient[width] += residual;
      }
      for (let column = 0; column < width; column++) gradient[column] += penalty * at[column];
      return gradient;
    },
    hessian(at) {
      const z = scoresAt(at);
      const hessian = new Float64Array(size * size);
      const curvature = z.map((score, row) => {
        const p = probability(score);
        return (weights[row] * p * (1 - p)) / sum;
      });
      addProducts({ into: hessian, size, row: 0, column: 0 }, X, curvature, fitIntercept);
      for (let column = 0; column < width; column++) hessian[column * size + column] += penalty;
      return hessian;
    },
  };
}

function softmaxLoss(fit: Fit): Objective {
  const { X, codes, weights, nClasses, fitIntercept } = fit;
  const { data, n, width } = X;
  const each = width + (fitIntercept ? 1 : 0);
  const size = nClasses * each;
  const { sum, penalty } = scaleOf(fit);
  /** Logarithms of the probabilities of a row, and their largest part taken off before. */
  const logProbabilities = (at: Float64Array, row: number, into: Float64Array) => {
    let most = -Infinity;
    for (let k = 0; k < nClasses; k++) {
      let score = fitIntercept ? at[k * each + width] : 0;
      for (let column = 0; column < width; column++) score += data[row * width + column] * at[k * each + column];
      into[k] = score;
      most = Math.max(most, score);
    }
    let total = 0;
    for (let k = 0; k < nClasses; k++) total += Math.exp(into[k] - most);
    const norm = most + Math.log(total);
    for (let k = 0; k < nClasses; k++) into[k] -= norm;
  };
  const meanIntercept = (at: Float64Array) => {
    let total = 0;
    for (let k = 0; k < nClasses; k++) total += at[k * each + width];
    return total / nClasses;
  };
  const log = new Float64Array(nClasses);
  return {
    size,
    value(at) {
      let loss = 0;
      for (let row = 0; row < n; row++) {
        logProbabilities(at, row, log);
        loss -= weights[row] * log[codes[row]];
      }
      let squares = 0;
      for (let k = 0; k < nClasses; k++) for (let j = 0; j < width; j++) squares += at[k * each + j] ** 2;
      // Holds the intercepts' sum at 0, which no prediction depends on.
      const held = fitIntercept ? meanIntercept(at) ** 2 / 2 : 0;
      return loss / sum + (penalty / 2) * squares + held;
    },
    gradient(at) {
      const gradient = new Float64Array(size);
      for (let row = 0; row < n; row++) {
        logProbabilities(at, row, log);
        for (let k = 0; k < nClasses; k++) {
          const residual = (weights[row] * (Math.exp(log[k]) - (codes[row] === k ? 1 : 0))) / sum;
          for (let j = 0; j < width; j++) gradient[k * each + j] += residual * data[row * width + j];
          if (fitIntercept) gradient[k * each + width] += residual;
        }
      }
      const held = fitIntercept ? meanIntercept(at) / nClasses : 0;
      for (let k = 0; k < nClasses; k++) {
        for (let j = 0; j < width; j++) gradient[k * each + j] += penalty * at[k * each + j];
        if (fitIntercept) gradient[k * each + width] += held;
      }
      return gradient;
    },
    hessian(at) {
      const hessian = new Float64Array(size * size);
      const p = Array.from({ length: nClasses }, () => new Float64Array(n));
      for (let row = 0; row < n; row++) {
        logProbabilities(at, row, log);
        for (let k = 0; k < nClasses; k++) p[k][row] = Math.exp(log[k]);
      }
      for (let k = 0; k < nClasses; k++) {
        for (let l = 0; l <= k; l++) {
          const curvature = weights.map((w, row) => (w * p[k][row] * ((k === l ? 1 : 0) - p[l][row])) / sum);
          addProducts({ into: hessian, size, row: k * each, column: l * each }, X, curvature, fitIntercept);
        }
      }
      mirrorBlocks(hessian, size, nClasses, each);
      for (let k = 0; k < nClasses; k++) {
        for (let j = 0; j < width; j++) hessian[(k * each + j) * (size + 1)] += penalty;
        if (!fitIntercept) continue;
        for (let l = 0; l <= k; l++) hessian[(k * each + width) * size + l * each + width] += 1 / nClasses ** 2;
      }
      return hessian;
    },
  };
}

/** Blocks beside the diagonal are symmetric, too; so far each has its lower triangle alone. */
function mirrorBlocks(hessian: Float64Array, size: number, nClasses: number, each: number): void {
  for (let k = 0; k < nClasses; k++) {
    for (let l = 0; l < k; l++) {
      for (let i = 0; i < each; i++) {
        for (let j = i + 1; j < each; j++) {
          hessian[(k * each + i) * size + l * each + j] = hessian[(k * each + j) * size + l * each + i];
        }
      }
    }
  }
}

/** Where products are added: rows of `size` cells, and the place of the first one. */
interface Corner {
  readonly into: Float64Array;
  readonly size: number;
  readonly row: number;
  readonly column: number;
}

/**
 * Adds the sum over all rows of `weight` times the products of the row's cells (and 1, last, for an intercept): the lower
 * triangle alone. Four rows are taken at a time, because reading and writing the sums costs more than the products.
 */
export function addProducts(
  { into, size, row: fromRow, column: fromColumn }: Corner,
  { data, n, width }: Block,
  weights: Float64Array,
  intercept: boolean,
): void {
  const last = (n - 1) * width;
  for (let row = 0; row < n; row += 4) {
    // Rows beyond the last one count as it with a weight of 0.
    const a = row * width;
    const b = Math.min(a + width, last);
    const c = Math.min(a + 2 * width, last);
    const d = Math.min(a + 3 * width, last);
    const wA = weights[row];
    const wB = row + 1 < n ? weights[row + 1] : 0;
    const wC = row + 2 < n ? weights[row + 2] : 0;
    const wD = row + 3 < n ? weights[row + 3] : 0;
    for (let i = 0; i < width; i++) {
      const to = (fromRow + i) * size + fromColumn;
      const pA = wA * data[a + i];
      const pB = wB * data[b + i];
      const pC = wC * data[c + i];
      const pD = wD * data[d + i];
      for (let j = 0; j <= i; j++) {
        into[to + j] += pA * data[a + j] + pB * data[b + j] + pC * data[c + j] + pD * data[d + j];
      }
    }
    if (!intercept) continue;
    const to = (fromRow + width) * size + fromColumn;
    for (let j = 0; j < width; j++) {
      into[to + j] += wA * data[a + j] + wB * data[b + j] + wC * data[c + j] + wD * data[d + j];
    }
    into[to + width] += wA + wB + wC + wD;
  }
}
