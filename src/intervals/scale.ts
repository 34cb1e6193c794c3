/** The scale on which an interval is symmetric, so that it stays inside the range of its metric. */

export interface Scale {
  to(value: number): number;
  back(transformed: number): number;
  /** Derivative of `to`, for the delta method. */
  slope(value: number): number;
}

/**
 * A finite range takes the logit of the position within it, which on [-1, 1] is twice Fisher's z. One finite end takes
 * the log of the distance from it.
 */
export function scaleOf([low, high]: readonly [number, number]): Scale {
  if (Number.isFinite(low) && Number.isFinite(high)) {
    return {
      to: (value) => Math.log((value - low) / (high - value)),
      back: (u) => (u < 0 ? low + (high - low) / (1 + Math.exp(-u)) : high - (high - low) / (1 + Math.exp(u))),
      slope: (value) => (high - low) / ((value - low) * (high - value)),
    };
  }
  if (Number.isFinite(low)) {
    return {
      to: (value) => Math.log(value - low),
      back: (u) => low + Math.exp(u),
      slope: (value) => 1 / (value - low),
    };
  }
  if (Number.isFinite(high)) {
    return {
      to: (value) => -Math.log(high - value),
      back: (u) => high - Math.exp(-u),
      slope: (value) => 1 / (high - value),
    };
  }
  return { to: (value) => value, back: (u) => u, slope: () => 1 };
}
