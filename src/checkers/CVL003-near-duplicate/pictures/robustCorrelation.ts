/** How alike two pictures are in most places. */

/** Values further from 0 than so many times their mean size count as that. */
const CLIP = 2;
/**
 * So many blocks a side; of the squares of so many a side the one that differs most is left out if it differs by more than
 * so many times the rest: a part that is covered. In other pictures, also of one anatomy, no part is so different.
 */
const [BLOCKS, COVER, ODD_PART] = [7, 3, 4];
/** So are single places that differ by more than so many times the mean of the others. */
const ODD_PLACE = 3.4;

/**
 * Size of the correlation of u and v over the places where v is no NaN, without a part and single places that differ most; 0
 * where one of them is constant. Negatives count as alike.
 *
 * Source: Huber 1981, Robust Statistics, section 8.3 (correlation of values that are clipped).
 */
export function robustCorrelation(u: Float32Array, v: Float32Array, width: number): number {
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
  const sign = correlation(u, v, unitU, unitV, 1, Infinity).correlation < 0 ? -1 : 1;
  const odd = oddPart(u, v, unitU, sign * unitV, width);
  const { gap } = correlation(u, v, unitU, unitV, sign, Infinity, odd);
  return Math.abs(correlation(u, v, unitU, unitV, sign, ODD_PLACE * gap, odd).correlation);
}

const clipped = (value: number) => (value > CLIP ? CLIP : value < -CLIP ? -CLIP : value);

/** 1 for the places of the part that differs far more than the rest; undefined where there is none. */
function oddPart(u: Float32Array, v: Float32Array, unitU: number, unitV: number, width: number) {
  const height = u.length / width;
  const [tall, wide] = [height, width].map((side) => Math.max(1, Math.round(side / BLOCKS)));
  const [down, across] = [Math.ceil(height / tall), Math.ceil(width / wide)];
  const gaps = new Float64Array(down * across);
  const counts = new Float64Array(down * across);
  let [allGaps, all] = [0, 0];
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(y / tall) * across;
    for (let x = 0; x < width; x++, at++) {
      if (Number.isNaN(v[at])) continue;
      const gap = Math.abs(clipped(u[at] * unitU) - clipped(v[at] * unitV));
      const block = row + Math.floor(x / wide);
      gaps[block] += gap;
      counts[block]++;
      allGaps += gap;
      all++;
    }
  }
  let [most, top, left] = [ODD_PART, -1, -1];
  for (let y = 0; y + COVER <= down; y++) {
    for (let x = 0; x + COVER <= across; x++) {
      let [inside, count] = [0, 0];
      for (let i = y; i < y + COVER; i++) {
        for (let block = i * across + x; block < i * across + x + COVER; block++) {
          inside += gaps[block];
          count += counts[block];
        }
      }
      const ratio = inside / count / ((allGaps - inside) / (all - count));
      if (ratio > most) [most, top, left] = [ratio, y, x];
    }
  }
  if (top < 0) return undefined;
  const odd = new Uint8Array(u.length);
  for (let y = top * tall; y < Math.min(height, (top + COVER) * tall); y++) {
    odd.fill(1, y * width + left * wide, y * width + Math.min(width, (left + COVER) * wide));
  }
  return odd;
}

/** Correlation of the clipped values where they differ by at most so much, without odd places, and their mean difference. */
function correlation(
  u: Float32Array,
  v: Float32Array,
  unitU: number,
  unitV: number,
  sign: number,
  most: number,
  odd?: Uint8Array,
) {
  let n = 0;
  let gaps = 0;
  let su = 0;
  let sv = 0;
  let uu = 0;
  let vv = 0;
  let uv = 0;
  for (let at = 0; at < v.length; at++) {
    if (Number.isNaN(v[at]) || odd?.[at]) continue;
    let a = u[at] * unitU;
    let b = v[at] * unitV;
    if (Math.abs(a - sign * b) > most) continue;
    a = clipped(a);
    b = clipped(b);
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
