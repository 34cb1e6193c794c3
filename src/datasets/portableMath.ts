/** Functions whose last bit is the same in every engine: only operations that IEEE 754 fixes. */
import type { RandomSource } from '../core/random.js';

const { LOG2E } = Math;
/** ln 2 in two parts; the first has few enough bits that its product with an exponent is exact. */
const [LN2_HIGH, LN2_LOW] = [0.6931471803691238, 1.9082149292705877e-10];
const EXP_TERMS = Array.from({ length: 14 }, (_, at) => {
  let factorial = 1;
  for (let k = 2; k <= 13 - at; k++) factorial *= k;
  return 1 / factorial;
});
const LOG_TERMS = Array.from({ length: 12 }, (_, at) => 1 / (23 - 2 * at));
const [LOWEST, HIGHEST] = [-700, 700];
const POWERS = powersOfTwo(1020);

function powersOfTwo(most: number): Float64Array {
  const powers = new Float64Array(2 * most + 1);
  powers[most] = 1;
  for (let k = 1; k <= most; k++) {
    powers[most + k] = powers[most + k - 1] * 2;
    powers[most - k] = powers[most - k + 1] / 2;
  }
  return powers;
}

/** e^x for -700 <= x <= 700, to about 2e-16 of its value; beyond, the value at the end of that range. */
export function portableExp(x: number): number {
  const inside = x < LOWEST ? LOWEST : x > HIGHEST ? HIGHEST : x;
  const k = Math.round(inside * LOG2E);
  const rest = inside - k * LN2_HIGH - k * LN2_LOW;
  let sum = EXP_TERMS[0];
  for (let at = 1; at < EXP_TERMS.length; at++) sum = sum * rest + EXP_TERMS[at];
  return sum * POWERS[1020 + k];
}

/** ln x for 0 < x <= 1, to about 4e-16 of its value: by the series of the inverse hyperbolic tangent. */
function portableLog(x: number): number {
  let [mantissa, k] = [x, 0];
  while (mantissa < 0.7) {
    mantissa *= 2;
    k++;
  }
  const s = (mantissa - 1) / (mantissa + 1);
  const square = s * s;
  let sum = LOG_TERMS[0];
  for (let at = 1; at < LOG_TERMS.length; at++) sum = sum * square + LOG_TERMS[at];
  return 2 * s * sum - k * LN2_LOW - k * LN2_HIGH;
}

export const portableLogistic = (x: number): number => 1 / (1 + portableExp(-x));

/**
 * Standard normal numbers by the polar method: those of `numpy.random.RandomState(seed).normal()` for the stream of an
 * integer seed, up to the last bit of the logarithm.
 *
 * Source: Marsaglia and Bray 1964, SIAM Review 6:260.
 */
export class NormalStream {
  readonly #source: RandomSource;
  #saved = Number.NaN;

  constructor(source: RandomSource) {
    this.#source = source;
  }

  next(): number {
    const saved = this.#saved;
    if (!Number.isNaN(saved)) {
      this.#saved = Number.NaN;
      return saved;
    }
    for (;;) {
      const a = 2 * this.#source.random() - 1;
      const b = 2 * this.#source.random() - 1;
      const square = a * a + b * b;
      if (square >= 1 || square === 0) continue;
      const factor = Math.sqrt((-2 * portableLog(square)) / square);
      this.#saved = factor * a;
      return factor * b;
    }
  }
}
