import { type RandomSource, randomInterval } from '../core/random.js';

/** How often each unit is drawn. */
export type Draws = Int32Array | Uint16Array | Uint8Array;

/** Larger counts have a probability below 2^-33 and are cut to this one. */
const MOST = 15;
/** Sixteen bits do not decide. */
const UNDECIDED = 255;

/** P(X <= k) of a Poisson variable X of mean 1, in units of 2^-32. */
const BELOW = Float64Array.from({ length: MOST }, (_, k) => {
  let [term, sum] = [1, 0];
  for (let j = 0; j <= k; j++) {
    sum += term;
    term /= j + 1;
  }
  return Math.round(sum * Math.exp(-1) * 2 ** 32);
});

function countOf(bits: number): number {
  let k = 0;
  while (k < MOST && bits >= BELOW[k]) k++;
  return k;
}

/** The count by the first sixteen of 32 bits, where it does not depend on the others. Built on first use. */
function madeHalves(): Uint8Array {
  const halves = new Uint8Array(2 ** 16);
  for (let bits = 0; bits < halves.length; bits++) {
    const first = countOf(bits * 2 ** 16);
    halves[bits] = first === countOf((bits + 1) * 2 ** 16 - 1) ? first : UNDECIDED;
  }
  return halves;
}

let kept: Uint8Array | undefined;

/**
 * Multinomial counts of n draws with equal probabilities, unit by unit: drawing one by one jumps about in memory. Each
 * unit gets a Poisson number of mean 1; given their sum S these are multinomial with S draws. Then n - S further draws
 * are added, or S - n of them, each equally likely, are taken back.
 *
 * Source: Hanley & MacGibbon 2006, Computer Methods and Programs in Biomedicine 83:57, for the Poisson numbers.
 *
 * @param n from 1 to 2^32 - 1
 */
export function manyDraws(random: RandomSource, n: number): Uint8Array {
  kept ??= madeHalves();
  const halves = kept;
  const draws = new Uint8Array(n);
  let drawn = 0;
  for (let unit = 0, word = 0; unit < n; unit++) {
    word = unit & 1 ? word >>> 16 : random.uint32();
    const bits = word & 0xffff;
    let times = halves[bits];
    if (times === UNDECIDED) times = countOf(bits * 2 ** 16 + (random.uint32() >>> 16));
    draws[unit] = times;
    drawn += times;
  }
  for (; drawn < n; drawn++) draws[randomInterval(random, n - 1)]++;
  while (drawn > n) {
    // A unit is accepted in proportion to how often it was drawn.
    const unit = randomInterval(random, n - 1);
    if (randomInterval(random, MOST) >= draws[unit]) continue;
    draws[unit]--;
    drawn--;
  }
  return draws;
}
