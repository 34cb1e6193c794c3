import { studentTQuantile } from '../core/incompleteBeta.js';
import { mean } from '../core/numbers.js';
import { encode } from '../data/encode.js';
import { gather, rowNumbers } from '../data/labels.js';
import { type Metric, score } from '../metrics/metric.js';
import { ascendingOrder } from '../metrics/rocPlacements.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { unitsUpTo } from './effectiveUnits.js';
import { type Halves, type IntervalFold, type ModelTest, numberOfCodes } from './interval.js';
import type { RangeShare } from './limits.js';
import { normalTail } from './normalTail.js';
import { blockInfluences, blocksAsCoded, type Influential, isInfluential, type UnitBlock } from './unitBlocks.js';

export const MIN_HALVINGS = 5;
/** A half with fewer units of a class cannot be trained on, or tested. */
const MIN_UNITS_PER_CLASS = 2;

interface Contrast {
  /** Test contrast times training contrast, without what units contribute to it alone: estimates their covariance. */
  readonly covariance: number;
  /** Square of the training contrast, without what units contribute to it alone. */
  readonly training: number;
}

export interface HalfContrasts {
  readonly kind: Halves['kind'];
  readonly contrasts: readonly Contrast[];
  readonly failed: number;
  /** Halvings without a value, as where a class has fewer than two units in a half. */
  readonly skipped: number;
  /** What sums of squared influences count twice: {@link pairExcess}. */
  readonly excess: number;
}

interface Variance {
  readonly variance: number;
  readonly df: number;
}

type Folds = readonly Pick<IntervalFold, 'table' | 'units' | 'repeat'>[];

interface Trained {
  readonly folds: Folds;
  readonly halves: Halves;
}

/**
 * For one metric, or for its difference between two models of the same folds and halvings. m_A is the metric on half A by the
 * model of B, m_B the reverse: half of m_A - m_B is the contrast of test influences less that of training influences, and
 * with the test contrast x from the folds that of training is left, z = x - (m_A - m_B) / 2. What units contribute to x z and
 * z^2 alone is noise of the models and is taken out. For losses and counts over all rows the sum of influences stands for
 * (m_A - m_B) / 2: both halves are divided by the same numbers, as the folds are. `docs/intervals-theory.md` derives it.
 */
export function halfContrasts(metric: Metric, ...models: readonly Trained[]): HalfContrasts | undefined {
  if (!isInfluential(metric)) return undefined;
  const [{ folds, halves }] = models;
  const { kind, halvings } = halves;
  const size = numberOfCodes([...folds, ...halvings.flat()]);
  const all = models.map((model) => model.folds);
  const read = kind === 'crossed' ? crossed(metric, byUnit(metric, all, size), size) : sameTest(metric, size);
  const contrasts: Contrast[] = [];
  let [failed, skipped] = [0, 0];
  for (let at = 0; at < halvings.length; at++) {
    const tests = models.map((model) => model.halves.halvings[at]);
    if (!tests.every(isTested)) {
      failed++;
      continue;
    }
    const [a, b] = [0, 1].map((side) => halfValue(metric, tests, side));
    if (a === null || b === null || !tests[0].every((half) => hasClasses(half))) skipped++;
    else contrasts.push(read(tests, [a, b]));
  }
  return { kind, contrasts, failed, skipped, excess: excessOf(metric, all) };
}

/**
 * V = V_te + max(2 C + T - E, 0), C and T the means over halvings of `covariance` and `training`, E the excess. Satterthwaite
 * joins the degrees of freedom; the variance of the second part is that of a normal variable, cut off at 0.
 *
 * Source: Hoeffding 1948, Annals of Mathematical Statistics 19:293; Satterthwaite 1946, Biometrics Bulletin 2:110.
 */
export function withTraining(
  test: Variance,
  { contrasts, excess }: Pick<HalfContrasts, 'contrasts' | 'excess'>,
): Variance & { readonly trainingShare: number } {
  const R = contrasts.length;
  const parts = contrasts.map(({ covariance, training }) => 2 * covariance + training - excess);
  const part = mean(parts);
  const squares = parts.reduce((sum, each) => sum + (each - part) ** 2, 0);
  const added = Math.max(part, 0);
  const variance = test.variance + added;
  const spread = test.variance ** 2 / test.df + varianceAbove0(part, squares / (R - 1) / R) / 2;
  // The plain mean of (x + z)^2 over the halvings has R degrees of freedom. Where a part near 0 leaves almost none by
  // Satterthwaite, half of that is kept.
  const df = spread > 0 ? Math.max(variance ** 2 / spread, Math.min(test.df, R / 2)) : test.df;
  return { variance, df, trainingShare: variance > 0 ? added / variance : 0 };
}

/** Variance of max(N, 0), N normal with this mean and variance. */
function varianceAbove0(centre: number, variance: number): number {
  if (variance === 0) return 0;
  const sd = Math.sqrt(variance);
  const z = centre / sd;
  const above = normalTail(-z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  const first = z * above + density;
  return variance * Math.max((z * z + 1) * above + z * density - first ** 2, 0);
}

/**
 * At a bound: the shares p with (share - p)^2 <= t^2 (p (1 - p) / n + A), A the part of training. The variance at
 * Wilson's limit inside the range stands for that between test units, which is 0 at the bound.
 */
export function widenedLimits(
  { share, n, level, width, plain }: RangeShare,
  found: HalfContrasts,
): readonly [lower: number, upper: number] {
  if (share > 1e-9 && share < 1 - 1e-9) return plain;
  const [lower, upper] = plain;
  const inside = share < 0.5 ? upper : lower;
  const tested = (inside * (1 - inside)) / n;
  const { variance, df } = withTraining({ variance: tested * width ** 2, df: n - 1 }, found);
  const added = Math.max(0, variance / width ** 2 - tested);
  const c2 = studentTQuantile((1 + level) / 2, df) ** 2;
  // The root d of d^2 (1 + c^2 / n) - d c^2 / n - c^2 A = 0: p lies d from the bound, and p (1 - p) is d (1 - d).
  const far = (c2 / n + Math.sqrt((c2 / n) ** 2 + 4 * (1 + c2 / n) * c2 * added)) / (2 * (1 + c2 / n));
  return share < 0.5 ? [0, Math.min(1, far)] : [Math.max(0, 1 - far), 1];
}

type Tested = ModelTest & { readonly table: ScoreTable };
type Halving = readonly [Tested, Tested];
type Read = (halvings: readonly Halving[], values: readonly [a: number, b: number]) => Contrast;

const isTested = (halves: readonly [ModelTest, ModelTest]): halves is Halving =>
  halves.every(({ table }) => table !== undefined);

function hasClasses({ table, units }: Tested): boolean {
  if (table.task !== 'binary' && table.task !== 'multiclass') return true;
  const found = unitsUpTo(MIN_UNITS_PER_CLASS, table.yTrue, units);
  return table.classes.every((_, code) => found[code] === MIN_UNITS_PER_CLASS);
}

function crossed(metric: Influential, ofFolds: Float64Array, size: number): Read {
  return (halvings, [a, b]) => {
    const tested = halvings.map((halves) => halves.map(asFold));
    const ofHalves = byUnit(metric, tested, size);
    let [test, contrast, shared, noise] = [0, 0, 0, 0];
    for (const [side, { units }] of halvings[0].entries()) {
      const members = unitsIn(units, size);
      let [own, half] = [0, 0];
      for (let at = 0; at < members.length; at++) {
        own += ofFolds[members[at]];
        half += ofHalves[members[at]];
      }
      const centre = (own - half) / members.length;
      for (let at = 0; at < members.length; at++) {
        const deviation = ofFolds[members[at]] - ofHalves[members[at]] - centre;
        shared += ofFolds[members[at]] * deviation;
        noise += deviation ** 2;
      }
      test += side === 0 ? own : -own;
      contrast += side === 0 ? half : -half;
    }
    const training = test - (metric.combine === 'mean' ? (a - b) / 2 : contrast);
    return { covariance: test * training - shared, training: training ** 2 - noise };
  };
}

function unitsIn(units: Int32Array, size: number): Int32Array {
  const known = new Uint8Array(size);
  const members = new Int32Array(units.length);
  let count = 0;
  for (let row = 0; row < units.length; row++) {
    if (known[units[row]] === 0) members[count++] = units[row];
    known[units[row]] = 1;
  }
  return members.subarray(0, count);
}

/** Both models are tested on the same units, which trained neither: no covariance of test and training. */
function sameTest(metric: Influential, size: number): Read {
  return (halvings, [a, b]) => {
    const [ofA, ofB] = [0, 1].map((side) => {
      const tested = halvings.map((halves) => [asFold(halves[side])]);
      return byUnit(metric, tested, size);
    });
    const noise = ofA.reduce((sum, each, unit) => sum + (each - ofB[unit]) ** 2, 0) / 4;
    return { covariance: 0, training: ((a - b) / 2) ** 2 - noise };
  };
}

function halfValue(metric: Metric, halvings: readonly Halving[], side: number): number | null {
  const [first, second] = halvings.map((halves) => score(metric, halves[side].table).value);
  return halvings.length === 1 ? first : difference(first, second);
}

const asFold = (half: Tested): Folds[number] => ({ ...half, repeat: 0 });

/** Influence of each unit on the estimate over folds, by code; the mean over repeats. Of two models, the difference. */
function byUnit(metric: Influential, models: readonly Folds[], size: number): Float64Array {
  const sums = new Float64Array(size);
  for (const [model, folds] of models.entries()) {
    const repeats = blocksAsCoded(metric, folds);
    const share = (model === 0 ? 1 : -1) / repeats.length;
    for (const blocks of repeats) {
      const found = blockInfluences(metric, blocks);
      if (!found) continue;
      const { influence, units } = found;
      for (let row = 0; row < units.length; row++) sums[units[row]] += share * influence[row];
    }
  }
  return sums;
}

const difference = (first: number | null, second: number | null) =>
  first === null || second === null ? null : first - second;

/** Of the area under the ROC curve. Its means over classes have an excess, too, which makes their intervals wider. */
function excessOf(metric: Influential, models: readonly Folds[]): number {
  if (metric.name !== 'roc_auc') return 0;
  const repeats = models.map((folds) => blocksAsCoded(metric, folds));
  return mean(
    repeats[0].map((_, repeat) => {
      const blocks = repeats.map((each) => each[repeat]);
      const [first, second] = blocks.map((each) => blockInfluences(metric, each)?.estimate ?? null);
      const estimate = models.length === 1 ? first : difference(first, second);
      return estimate === null ? 0 : pairExcess(blocks, estimate);
    }),
  );
}

/**
 * What the sum of squared influences of a mean area under the ROC curve counts twice, since a pair of rows is part of the
 * influence of both of its units. For fold k with m positive and n negative rows: the sum over units g, h of the square of
 * S_gh / (m n), S_gh the sum of psi - estimate over positive rows of g and negative rows of h, psi 1 where the positive row
 * scores higher and .5 for ties; summed over the folds that have both classes, and divided by the square of their number.
 *
 * Source: Hoeffding 1948, Annals of Mathematical Statistics 19:293; Lee 1990, U-Statistics, section 1.6.
 */
function pairExcess(models: readonly (readonly UnitBlock[])[], estimate: number): number {
  const found = models[0].flatMap((_, fold) => {
    const blocks = models.map((each) => each[fold]);
    return ofFold(blocks, estimate) ?? [];
  });
  return found.length === 0 ? 0 : found.reduce((sum, each) => sum + each, 0) / found.length ** 2;
}

function ofFold(models: readonly UnitBlock[], estimate: number): number | undefined {
  const [{ table, units }] = models;
  const [positive, negative] = [true, false].map((side) => sideOf(table, units, side));
  const pairs = positive.total * negative.total;
  if (pairs === 0) return undefined;
  const weightOf = (row: number) => (table.weight ? table.weight[row] : 1);
  const sides = models.map((model, at) => {
    const scores = model.table.yProba as Float64Array;
    const ascending = ascendingOrder(scores).filter((row) => negative.codeOf[row] >= 0);
    const sign = at === 0 ? 1 : -1;
    const ordered: Negatives = {
      scores: Float64Array.from(ascending, (row) => scores[row]),
      weights: Float64Array.from(ascending, (row) => sign * weightOf(row)),
      units: ascending.map((row) => negative.codeOf[row]),
    };
    return { scores, ordered };
  });
  const sums = new Float64Array(negative.weights.length);
  let excess = 0;
  for (let g = 0; g < positive.rows.length; g++) {
    sums.fill(0);
    for (const { scores, ordered } of sides) {
      const inOrder = positive.rows[g].map((row) => [scores[row], weightOf(row)] as const).sort(([a], [b]) => a - b);
      addPairs(sums, inOrder, ordered);
    }
    const expected = positive.weights[g] * estimate;
    for (let h = 0; h < sums.length; h++) {
      const deviation = sums[h] - expected * negative.weights[h];
      excess += deviation * deviation;
    }
  }
  return excess / pairs ** 2;
}

/** By unit: the code of each row's unit (-1 for other rows), rows and weights of the units. */
function sideOf({ yTrue, positive, weight, length }: ScoreTable, units: Int32Array, isPositive: boolean) {
  const rows = rowNumbers(length).filter(
    (row) => (yTrue[row] === positive) === isPositive && (!weight || weight[row] > 0),
  );
  const { codes, classes } = encode(gather(units, rows));
  const codeOf = new Int32Array(length).fill(-1);
  const weights = new Float64Array(classes.length);
  const rowsOf: number[][] = classes.map(() => []);
  let total = 0;
  rows.forEach((row, at) => {
    const w = weight ? weight[row] : 1;
    codeOf[row] = codes[at];
    weights[codes[at]] += w;
    rowsOf[codes[at]].push(row);
    total += w;
  });
  return { codeOf, weights, rows: rowsOf, total };
}

/** By ascending score, in arrays of their own: these loops are over all pairs. Weights have the sign of the model. */
interface Negatives {
  readonly scores: Float64Array;
  readonly weights: Float64Array;
  readonly units: Int32Array;
}

function addPairs(
  sums: Float64Array,
  positives: readonly (readonly [score: number, weight: number])[],
  { scores, weights, units }: Negatives,
): void {
  // From the lowest row up: negative rows below the next positive ones are below all that follow.
  let above = positives.reduce((total, [, weight]) => total + weight, 0);
  let at = 0;
  for (let next = 0; next < positives.length; ) {
    const [score] = positives[next];
    let tied = 0;
    for (; next < positives.length && positives[next][0] === score; next++) tied += positives[next][1];
    for (; at < scores.length && scores[at] < score; at++) sums[units[at]] += above * weights[at];
    for (; at < scores.length && scores[at] === score; at++) sums[units[at]] += (above - tied / 2) * weights[at];
    above -= tied;
  }
}
