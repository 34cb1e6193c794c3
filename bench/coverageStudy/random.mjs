/** A fast stream of random numbers for simulation: what the study draws owes nothing to the package but its seeds. */

/**
 * `uniform()` on (0, 1), `normal()`, and `t3()` with variance 1, from one seed (a 32-bit integer). The generator is
 * sfc32 (Doty-Humphrey's Small Fast Counter, PractRand); normal draws by Marsaglia's polar method.
 */
export function stream(seed) {
  let [a, b, c, counter] = [0, seed | 0, 0x9e3779b9 | 0, 1];
  const uniform = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return ((sum >>> 0) + 0.5) / 4294967296;
  };
  for (let warm = 0; warm < 15; warm++) uniform();

  let spare = Number.NaN;
  const normal = () => {
    if (!Number.isNaN(spare)) {
      const value = spare;
      spare = Number.NaN;
      return value;
    }
    for (;;) {
      const u = 2 * uniform() - 1;
      const v = 2 * uniform() - 1;
      const s = u * u + v * v;
      if (s >= 1 || s === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(s)) / s);
      spare = v * scale;
      return u * scale;
    }
  };
  // Student's t for 3 degrees of freedom has variance 3; the sum of three squares over 3 is its denominator.
  const t3 = () => {
    const square = normal() ** 2 + normal() ** 2 + normal() ** 2;
    return normal() / Math.sqrt(square);
  };
  return { uniform, normal, t3 };
}

/** The numbers 0 ... n - 1 in random order (Fisher and Yates). */
export function shuffled(n, uniform) {
  const order = Int32Array.from({ length: n }, (_, at) => at);
  for (let at = n - 1; at > 0; at--) {
    const other = Math.floor(uniform() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}
