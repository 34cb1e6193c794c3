/**
 * Features cut into bins at quantiles of the training rows: what the learners that split search instead of every cut.
 */

const BINS = 48;

/** Per feature the cuts between bins, and the bin of each row (`codes[j][i]`: the number of cuts below the value). */
export function binned({ x, n, p }) {
  const cuts = [];
  const codes = [];
  const values = new Float64Array(n);
  for (let j = 0; j < p; j++) {
    for (let i = 0; i < n; i++) values[i] = x[i * p + j];
    const sorted = values.slice().sort();
    const found = [];
    for (let bin = 1; bin < BINS; bin++) {
      const at = Math.round((bin * n) / BINS);
      if (at < 1 || at >= n || sorted[at - 1] === sorted[at]) continue;
      const cut = (sorted[at - 1] + sorted[at]) / 2;
      if (cut !== found.at(-1)) found.push(cut);
    }
    const limits = Float64Array.from(found);
    cuts.push(limits);
    const code = new Uint8Array(n);
    for (let i = 0; i < n; i++) {
      let [low, high] = [0, limits.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (values[i] > limits[middle]) low = middle + 1;
        else high = middle;
      }
      code[i] = low;
    }
    codes.push(code);
  }
  return { cuts, codes, bins: BINS };
}
