/** Whether neighbours are alike at all: the largest of Moran's coefficients of several variables, by permutation. */
import { permutationPValue } from '../../core/permutationPValue.js';
import { permutation, type RandomSource } from '../../core/random.js';
import type { Points } from '../../splitters/spatial/points.js';
import type { UnitVariable } from '../features/unitMeans.js';

/** The nearest of them counts this much, the next one less, the last one 1. */
const NEIGHBOURS = 8;

/** The {@link NEIGHBOURS} nearest other points of each, `[n, k]` row-major; of equally near ones those of lower number. */
export function nearestNeighbours({ values, width }: Points): { readonly neighbours: Int32Array; readonly k: number } {
  const n = values.length / width;
  const k = Math.min(NEIGHBOURS, n - 1);
  const neighbours = new Int32Array(n * k);
  const nearest = new Float64Array(k);
  for (let i = 0; i < n; i++) {
    nearest.fill(Number.POSITIVE_INFINITY);
    const from = i * k;
    for (let j = 0; j < n; j++) {
      let distance = 0;
      for (let axis = 0; axis < width; axis++) distance += (values[i * width + axis] - values[j * width + axis]) ** 2;
      if (j === i || distance >= nearest[k - 1]) continue;
      let at = k - 1;
      for (; at > 0 && nearest[at - 1] > distance; at--) {
        nearest[at] = nearest[at - 1];
        neighbours[from + at] = neighbours[from + at - 1];
      }
      nearest[at] = distance;
      neighbours[from + at] = j;
    }
  }
  return { neighbours, k };
}

export interface Autocorrelation {
  /** The variable with the largest coefficient, and that coefficient: its weighted mean product with neighbours. */
  readonly variable: UnitVariable;
  readonly coefficient: number;
  readonly pValue: number;
}

/**
 * The largest coefficient, and how often whole units at shuffled places reach it: {@link permutationPValue}.
 *
 * Source: Moran 1950, Biometrika 37:17.
 *
 * @param variables of mean 0 and variance 1, at least one
 */
export function autocorrelation(
  variables: readonly UnitVariable[],
  { neighbours, k }: ReturnType<typeof nearestNeighbours>,
  random: RandomSource,
  settings: { readonly alpha: number; readonly permutations: number },
): Autocorrelation {
  const n = neighbours.length / k;
  const width = variables.length;
  const table = new Float64Array(n * width);
  for (const [at, { values }] of variables.entries()) {
    for (let unit = 0; unit < n; unit++) table[unit * width + at] = values[unit];
  }
  const sums = new Float64Array(width);
  const around = new Float64Array(width);
  const coefficients = (order?: Int32Array) => {
    sums.fill(0);
    for (let i = 0; i < n; i++) {
      around.fill(0);
      for (let near = 0; near < k; near++) {
        const neighbour = neighbours[i * k + near];
        const other = (order ? order[neighbour] : neighbour) * width;
        for (let j = 0; j < width; j++) around[j] += (k - near) * table[other + j];
      }
      const self = (order ? order[i] : i) * width;
      for (let j = 0; j < width; j++) sums[j] += table[self + j] * around[j];
    }
    return sums;
  };
  const observed = coefficients();
  const best = observed.indexOf(observed.reduce((a, b) => Math.max(a, b)));
  const [largest, coefficient] = [observed[best], (2 * observed[best]) / (n * k * (k + 1))];
  // Rounding differs with the order of the sum.
  const reaches = () => coefficients(permutation(random, n)).some((sum) => sum >= largest - 1e-9 * n * k);
  const { pValue } = permutationPValue(reaches, settings);
  return { variable: variables[best], coefficient, pValue };
}
