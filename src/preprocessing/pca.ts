import { EigenvalueDecomposition, Matrix, SingularValueDecomposition } from 'ml-matrix';
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { gramMatrix, withoutTrifles } from '../core/gramMatrix.js';
import { mean, sum } from '../core/numbers.js';
import { boolean, custom, type InputOf, isPlainObject, optionTable } from '../core/options.js';
import { doubles, fields, list } from '../core/shape.js';
import { defineTransformer } from './defineTransformer.js';
import { completeColumns, interleaved, refuseCells } from './table.js';

const options = optionTable('PCA', {
  nComponents: custom<number>(
    'number',
    'be a count >= 1, or a share of the variance between 0 and 1',
    (v) => typeof v === 'number' && (Number.isInteger(v) ? v >= 1 : v > 0 && v < 1),
  )
    .nullable()
    .default(null)
    .describe('Number of components, or the share of the variance that they must hold; null: all.'),
  whiten: boolean().default(false).describe('Scale the components to a variance of 1.'),
});

export type PCAOptions = InputOf<typeof options>;

interface State {
  readonly mean: Float64Array;
  readonly components: readonly Float64Array[];
  readonly explainedVariance: Float64Array;
  readonly explainedVarianceRatio: Float64Array;
}

/** Rows per column from which the covariances are decomposed instead of the rows, as scikit-learn does. */
const TALL = 10;

/**
 * Principal components: uncorrelated mixtures of the columns, that of the largest variance first. The largest weight of each
 * component is positive. As scikit-learn's `PCA` (1.5 and later). Scale the columns first, unless they share a unit.
 */
export class PCA extends defineTransformer({
  options,
  fit(table, { nComponents }): State {
    const columns = completeColumns(table, options.owner);
    refuseCells('huge', table, options.owner);
    const [n, width] = [table.length, columns.length];
    const most = Math.min(n, width);
    if (nComponents !== null && nComponents > most) {
      const subject = `The \`nComponents\` option of ${options.owner}`;
      const got = phrase(`${nComponents} for ${n} rows of ${width} columns`);
      throw new InvalidOptionError(sentence(subject, 'be at most the smaller of rows and columns', got));
    }
    const means = Float64Array.from(columns, mean);
    const centred = withoutTrifles(columns.map((column, at) => column.map((value) => value - means[at])));
    const found = n >= TALL * width ? byCovariances(centred, n) : byRows(centred, n);
    const total = sum(found.variances);
    const ratios = found.variances.map((value) => value / total);
    const kept = nComponents === null ? most : nComponents < 1 ? countFor(ratios, nComponents) : nComponents;
    return {
      mean: means,
      components: found.components.slice(0, kept).map(withSign),
      explainedVariance: Float64Array.from(found.variances.slice(0, kept)),
      explainedVarianceRatio: Float64Array.from(ratios.slice(0, kept)),
    };
  },
  state: (width) => (value, at) => {
    const { components } = (isPlainObject(value) ? value : {}) as Partial<State>;
    const length = components?.length ?? 0;
    const each = { explainedVariance: doubles(length), explainedVarianceRatio: doubles(length) };
    return fields({ mean: doubles(width), components: list(doubles(width)), ...each })(value, at);
  },
  transform(table, { mean: means, components, explainedVariance }, { whiten }) {
    const columns = completeColumns(table, options.owner);
    const projected = components.map((weights, place) => {
      const scores = new Float64Array(table.length);
      columns.forEach((column, at) => {
        for (let row = 0; row < scores.length; row++) scores[row] += (column[row] - means[at]) * weights[at];
      });
      // Rounding may leave nothing or anything of a component of variance 0: scikit-learn divides it by this.
      const scale = whiten ? Math.max(Math.sqrt(explainedVariance[place]), Number.EPSILON) : 1;
      return scores.map((value) => value / scale);
    });
    return { length: table.length, names: projected.map((_, at) => `pca${at}`), columns: projected };
  },
})<PCAOptions> {
  /** Weights of the columns in each component. */
  get components(): readonly Float64Array[] {
    return this.fitted.components;
  }

  /** Variance of each component, of n - 1. */
  get explainedVariance(): Float64Array {
    return this.fitted.explainedVariance;
  }

  /** Share of the variance of all columns that each component holds. */
  get explainedVarianceRatio(): Float64Array {
    return this.fitted.explainedVarianceRatio;
  }
}

interface Found {
  readonly components: readonly Float64Array[];
  readonly variances: readonly number[];
}

function byRows(centred: readonly Float64Array[], n: number): Found {
  const rows = Matrix.from1DArray(n, centred.length, interleaved(centred, n));
  const found = new SingularValueDecomposition(rows, { computeLeftSingularVectors: false, autoTranspose: true });
  const most = Math.min(n, centred.length);
  return {
    components: Array.from({ length: most }, (_, at) => Float64Array.from(found.rightSingularVectors.getColumn(at))),
    variances: Array.from({ length: most }, (_, at) => found.diagonal[at] ** 2 / (n - 1)),
  };
}

function byCovariances(centred: readonly Float64Array[], n: number): Found {
  const covariances = gramMatrix(centred).map((row) => row.map((product) => product / (n - 1)));
  const found = new EigenvalueDecomposition(new Matrix(covariances), { assumeSymmetric: true });
  const order = found.realEigenvalues
    .map((_, at) => at)
    .sort((a, b) => found.realEigenvalues[b] - found.realEigenvalues[a]);
  return {
    components: order.map((at) => Float64Array.from(found.eigenvectorMatrix.getColumn(at))),
    variances: order.map((at) => Math.max(0, found.realEigenvalues[at])),
  };
}

function countFor(ratios: readonly number[], share: number): number {
  let count = 0;
  for (let held = 0; count < ratios.length && held <= share; count++) held += ratios[count];
  return count;
}

/** The component or its opposite: that whose weight of the largest size is positive. */
function withSign(weights: Float64Array): Float64Array {
  const largest = weights.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
  return largest < 0 ? weights.map((value) => -value) : weights;
}
