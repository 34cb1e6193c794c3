/**
 * Whether columns are principal components of others as fitted to some rows. No components are computed: those that are
 * there are held against what defines them, which leaves signs, rotations and the number of components open.
 */
import type { Column } from '../features/columns.js';
import { dot } from '../features/orthonormalBasis.js';

/** How far the spread of components may be from what it should be. */
const SPREAD = 1e-4;

/**
 * The columns as a fit to `rows` would have given them, or undefined where they are no components of unit directions
 * (plain) or of unit variance (whitened).
 *
 * With Z the columns less their means over `rows`, P the components there and A = Z'P, components are P = Z W with
 * W = A (A'A)^-1 P'P exactly if their directions span a space that the covariance maps to itself: first each component by
 * itself (up to its sign), then all together (up to a rotation).
 *
 * Source: Jolliffe 2002, Principal Component Analysis, section 2.1 (what defines components).
 *
 * @param columns what they were made of
 * @param components what may be components of it, over the same rows
 */
export function componentsFitted(
  columns: readonly Column[],
  components: readonly Float64Array[],
  rows: Int32Array,
): Float64Array[][] {
  if (columns.some(({ kind, values }) => kind === 'category' || values.some((v) => !Number.isFinite(v)))) return [];
  const Z = columns.map(({ values }) => {
    let mean = 0;
    for (const row of rows) mean += values[row] / rows.length;
    return values.map((value) => value - mean);
  });
  const alone: Float64Array[] = [];
  for (const component of components) {
    const [found] = mapped(Z, [component], rows) ?? [];
    if (!found) break;
    alone.push(found);
  }
  const together = components.length > 1 ? mapped(Z, components, rows) : undefined;
  return [...(alone.length === components.length ? [alone] : []), ...(together ? [together] : [])];
}

function mapped(Z: readonly Float64Array[], P: readonly Float64Array[], rows: Int32Array): Float64Array[] | undefined {
  const A = P.map((p) => Float64Array.from(Z, (z) => dotOver(rows, z, p)));
  const PP = P.map((p) => P.map((q) => dotOver(rows, p, q)));
  const AA = A.map((a) => A.map((b) => dot(a, b)));
  // Whitening leaves unit variance, with either divisor.
  const whitened = [rows.length - 1, rows.length].some((m) => isIdentity(PP.map((line) => line.map((v) => v / m))));
  const M = solved(AA, PP);
  if (!M) return undefined;
  const W = M[0].map((_, q) => Float64Array.from(Z, (_, p) => A.reduce((sum, a, at) => sum + a[p] * M[at][q], 0)));
  if (!whitened && !isIdentity(W.map((v) => W.map((w) => dot(v, w))))) return undefined;
  return W.map((w) => {
    const out = new Float64Array(P[0].length);
    Z.forEach((z, at) => {
      for (let row = 0; row < out.length; row++) out[row] += w[at] * z[row];
    });
    return out;
  });
}

function dotOver(rows: Int32Array, a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < rows.length; at++) sum += a[rows[at]] * b[rows[at]];
  return sum;
}

const isIdentity = (matrix: readonly (readonly number[])[]) =>
  matrix.every((line, i) => line.every((value, j) => Math.abs(value - Number(i === j)) < SPREAD));

/** X with A X = B for a symmetric, positive A, by elimination with pivots; undefined where A has no inverse. */
function solved(A: readonly (readonly number[])[], B: readonly (readonly number[])[]): number[][] | undefined {
  const n = A.length;
  // Components differ in size by orders of magnitude: the scale of each is divided out first.
  const scale = A.map((line, i) => Math.sqrt(line[i]));
  if (scale.some((size) => !(size > 0))) return undefined;
  const lines = A.map((line, i) => [...line.map((v, j) => v / scale[i] / scale[j]), ...B[i].map((v) => v / scale[i])]);
  for (let step = 0; step < n; step++) {
    let pivot = step;
    for (let i = step; i < n; i++) if (Math.abs(lines[i][step]) > Math.abs(lines[pivot][step])) pivot = i;
    [lines[step], lines[pivot]] = [lines[pivot], lines[step]];
    if (Math.abs(lines[step][step]) < 1e-13) return undefined;
    for (let i = 0; i < n; i++) {
      if (i === step) continue;
      const factor = lines[i][step] / lines[step][step];
      for (let j = step; j < lines[i].length; j++) lines[i][j] -= factor * lines[step][j];
    }
  }
  return lines.map((line, i) => line.slice(n).map((v) => v / line[i] / scale[i]));
}
