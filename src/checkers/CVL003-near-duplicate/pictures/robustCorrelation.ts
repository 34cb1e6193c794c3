/** How alike two pictures are in most places. */

/** Values further from 0 than so many times their mean size count as that. */
const CLIP = 2;
/** Places that differ by more than so many times the usual are left out: a black square is one part of a picture. */
const ODD = 3.4;

/**
 * Size of the correlation of u and v over the places where v is no NaN, without those that differ most; 0 where one of
 * them is constant. Negatives count as alike.
 *
 * Source: Huber 1981, Robust Statistics, section 8.3 (correlation of values that are clipped).
 */
export function robustCorrelation(u: Float32Array, v: Float32Array): number {
  let sizeU = 0;
  let sizeV = 0;
  let n = 0;
  for (let at = 0; at < v.length; at++) {
    if (Number.isNaN(v[at])) continue;
    n++;
    sizeU += Math.abs(u[at]);
    sizeV += Math.abs(v[at]);
  }
  if (!(sizeU > 0 && sizeV > 0)) return 0;
  const [unitU, unitV] = [n / sizeU, n / sizeV];
  const sign = clipped(u, v, unitU, unitV, Infinity, 1).correlation < 0 ? -1 : 1;
  const { gap } = clipped(u, v, unitU, unitV, Infinity, sign);
  return Math.abs(clipped(u, v, unitU, unitV, ODD * gap, sign).correlation);
}

/** Correlation of the clipped values where they differ by at most so much, and their mean difference. */
function clipped(u: Float32Array, v: Float32Array, unitU: number, unitV: number, most: number, sign: number) {
  let n = 0;
  let gaps = 0;
  let su = 0;
  let sv = 0;
  let uu = 0;
  let vv = 0;
  let uv = 0;
  for (let at = 0; at < v.length; at++) {
    if (Number.isNaN(v[at])) continue;
    let a = u[at] * unitU;
    let b = v[at] * unitV;
    if (Math.abs(a - sign * b) > most) continue;
    a = a > CLIP ? CLIP : a < -CLIP ? -CLIP : a;
    b = b > CLIP ? CLIP : b < -CLIP ? -CLIP : b;
    n++;
    gaps += Math.abs(a - sign * b);
    su += a;
    sv += b;
    uu += a * a;
    vv += b * b;
    uv += a * b;
  }
  const both = (uu - (su * su) / n) * (vv - (sv * sv) / n);
  return { correlation: both > 0 ? (uv - (su * sv) / n) / Math.sqrt(both) : 0, gap: gaps / n };
}
