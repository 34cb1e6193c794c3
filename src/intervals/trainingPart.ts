import { mean, unbiasedVariance } from '../core/numbers.js';
import { type Metric, score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { HalfTest, Halves } from './halves.js';
import { blockInfluences, type Influential, isInfluential } from './influenceVariance.js';
import type { IntervalFold, IntervalInput } from './interval.js';
import { type PairTerms, pairTerms } from './pairTerms.js';
import { blocksAsCoded, unitBlocks } from './unitBlocks.js';

/** Fewer halvings say too little. */
export const MIN_HALVINGS = 5;
/** A half with fewer units of a class cannot be trained on, or tested. */
const MIN_UNITS_PER_CLASS = 2;

/** What one halving tells. All are contrasts of the halves A and B, in units of the metric. */
interface Contrast {
  /** Half of the difference that the units of A and B make as test units: sum of u over A less that over B. */
  readonly test: number;
  /** The same as training units, by what is left of half of m_A - m_B. */
  readonly training: number;
  /** Sum of squares of what the influences of the half run differ from those of the folds. */
  readonly noise: number;
  /** Mean of m_A and m_B. */
  readonly level: number;
}

/** The halvings of a metric: those that could be used, and how many could not. */
export interface HalfContrasts {
  readonly kind: Halves['kind'];
  readonly contrasts: readonly Contrast[];
  /** Halvings with a model that failed. */
  readonly failed: number;
  /** Halvings without a value: a class with fewer than two units in a half. */
  readonly skipped: number;
  /** Sum over units of the variance between halvings of their influences: terms of pairs "i tests while j trains". */
  readonly pairNoise: number;
  readonly pairs: PairTerms;
  readonly nFolds: number;
  readonly nRepeats: number;
}

/** A variance with its degrees of freedom. */
interface Variance {
  readonly variance: number;
  readonly df: number;
}

type Input = Pick<IntervalInput, 'metric' | 'folds'>;

/**
 * Reads the halvings for one metric; undefined for a metric without an influence function. m_A is the metric on half A by
 * the model that was trained on B, and m_B the reverse. A unit of A raises m_A as a test unit and m_B as a training unit,
 * so half of m_A - m_B is the contrast of test influences less that of training influences; with the test contrast known
 * from the folds, that of training is left.
 */
export function halfContrasts({ metric, folds }: Input, { kind, halvings }: Halves): HalfContrasts | undefined {
  if (!isInfluential(metric)) return undefined;
  const size = 1 + [...folds, ...halvings.flat()].reduce((most, { units }) => Math.max(most, largestOf(units)), -1);
  const repeats = unitBlocks({ metric, folds });
  const ofFolds = byUnit(metric, folds, size);
  const read = kind === 'crossed' ? crossed(metric, ofFolds, size) : sameTest(metric, size);
  const spread = new Spread(size);
  const contrasts: Contrast[] = [];
  let [failed, skipped] = [0, 0];
  for (const halves of halvings) {
    if (!isTested(halves)) {
      failed++;
      continue;
    }
    const found = halves.every((half) => hasClasses(half)) ? read(halves, spread) : undefined;
    if (found) contrasts.push(found);
    else skipped++;
  }
  const pairs = repeats.map((blocks) => pairsOf(metric, blocks));
  return {
    kind,
    contrasts,
    failed,
    skipped,
    pairNoise: spread.sum(),
    pairs: { excess: mean(pairs.map((each) => each.excess)), interaction: mean(pairs.map((each) => each.interaction)) },
    nFolds: folds.length / repeats.length,
    nRepeats: repeats.length,
  };
}

/**
 * The variance of an estimate about the training procedure, from that between the units tested and the half contrasts.
 * `docs/intervals.md` derives it. With x the test contrast and z the training contrast of a halving, P the variance of
 * the levels and Q the pair noise: C = mean of x z, T = mean of z^2 - noise, both without the terms of pairs; the part of
 * training is A = max(C + C' + T, 0), where C' is C when that is negative, and else what of C exceeds P - Q, at least 0.
 * The variance of A is a jackknife over the halvings, and Satterthwaite joins its degrees of freedom with the others.
 *
 * Source: Hoeffding 1948, Annals of Mathematical Statistics 19:293, for the expansion; Quenouille 1956 and Tukey 1958 for
 * the jackknife; Satterthwaite 1946, Biometrics Bulletin 2:110.
 */
export function withTraining(test: Variance, given: HalfContrasts): Variance & { readonly trainingShare: number } {
  const { contrasts, pairs } = given;
  const part = (kept: readonly Contrast[]) => trainingVariance(kept, given);
  const added = part(contrasts);
  const without = contrasts.map((_, at) => part(contrasts.filter((__, other) => other !== at)));
  const R = contrasts.length;
  const centre = mean(without);
  const uncertainty = ((R - 1) / R) * without.reduce((sum, each) => sum + (each - centre) ** 2, 0);
  const tested = Math.max(test.variance - pairs.excess, test.variance / 2);
  const variance = tested + added;
  const spread = tested ** 2 / test.df + uncertainty / 2;
  const df = spread > 0 ? variance ** 2 / spread : test.df;
  return { variance, df, trainingShare: variance > 0 ? added / variance : 0 };
}

/** A: what training adds to the variance between the units tested. */
function trainingVariance(contrasts: readonly Contrast[], { kind, pairs, pairNoise, ...given }: HalfContrasts): number {
  const training = mean(contrasts.map((each) => each.training ** 2 - each.noise));
  if (kind === 'test_set') return Math.max(training, 0);
  const { nFolds: K, nRepeats: r } = given;
  // How often repeats test two units in one fold: once in K of the pairs for one repeat, less spread out for more.
  const together = (r + K - 1) / (K * r);
  const shared = mean(contrasts.map((each) => each.test * each.training));
  const covariance =
    shared - together * pairs.excess - (together - 2 / K) * pairs.interaction - pairNoise / ((K - 1) * r);
  const reversed = Math.max(
    unbiasedVariance(contrasts.map(({ level }) => level)) - pairNoise + pairs.interaction / K,
    0,
  );
  const second = covariance < 0 ? covariance : Math.max(covariance - reversed, 0);
  return Math.max(covariance + second + training, 0);
}

type Tested = HalfTest & { readonly table: ScoreTable };
type Read = (halves: readonly [Tested, Tested], spread: Spread) => Contrast | undefined;

const isTested = (halves: readonly [HalfTest, HalfTest]): halves is readonly [Tested, Tested] =>
  halves.every(({ table }) => table !== undefined);

/** Whether every class has two units or more. */
function hasClasses({ table, units }: Tested): boolean {
  if (table.task !== 'binary' && table.task !== 'multiclass') return true;
  const seen = table.classes.map(() => new Set<number>());
  for (let row = 0; row < units.length; row++) {
    const found = seen[table.yTrue[row]];
    if (found.size < MIN_UNITS_PER_CLASS) found.add(units[row]);
  }
  return seen.every(({ size }) => size >= MIN_UNITS_PER_CLASS);
}

/** Each half is tested by the model of the other. */
function crossed(metric: Influential, ofFolds: Float64Array, size: number): Read {
  return (halves, spread) => {
    const values = halves.map(({ table }) => score(metric, table).value);
    const [a, b] = values;
    if (a === null || b === null) return undefined;
    const tests = halves.map((half) => ({ ...half, score: { value: 0 }, nTrain: 0, repeat: 0 }));
    const ofHalves = byUnit(metric, tests, size);
    const sums = halves.map(({ units }) => {
      const members = unitsIn(units, size);
      let [ofTest, apart, own] = [0, 0, 0];
      for (let at = 0; at < members.length; at++) {
        const unit = members[at];
        ofTest += ofFolds[unit];
        apart += ofHalves[unit] - ofFolds[unit];
        own += ofHalves[unit];
      }
      apart /= members.length;
      own /= members.length;
      let noise = 0;
      for (let at = 0; at < members.length; at++) {
        const unit = members[at];
        noise += (ofHalves[unit] - ofFolds[unit] - apart) ** 2;
        spread.add(unit, ofHalves[unit] - own);
      }
      return { ofTest, noise };
    });
    spread.next();
    const test = sums[0].ofTest - sums[1].ofTest;
    return { test, training: test - (a - b) / 2, noise: sums[0].noise + sums[1].noise, level: (a + b) / 2 };
  };
}

/** The units of some rows, each once. */
function unitsIn(units: Int32Array, size: number): Int32Array {
  const seen = new Uint8Array(size);
  const members = new Int32Array(units.length);
  let count = 0;
  for (let row = 0; row < units.length; row++) {
    if (seen[units[row]] === 0) members[count++] = units[row];
    seen[units[row]] = 1;
  }
  return members.subarray(0, count);
}

function largestOf(units: Int32Array): number {
  let largest = -1;
  for (let row = 0; row < units.length; row++) if (units[row] > largest) largest = units[row];
  return largest;
}

/** Both models are tested on the same units, which trained neither: no covariance of test and training. */
function sameTest(metric: Influential, size: number): Read {
  return (halves) => {
    const values = halves.map(({ table }) => score(metric, table).value);
    const [a, b] = values;
    if (a === null || b === null) return undefined;
    const [ofA, ofB] = halves.map((half) =>
      byUnit(metric, [{ ...half, score: { value: 0 }, nTrain: 0, repeat: 0 }], size),
    );
    const noise = ofA.reduce((sum, each, unit) => sum + (each - ofB[unit]) ** 2, 0) / 4;
    return { test: 0, training: (a - b) / 2, noise, level: (a + b) / 2 };
  };
}

/** Influence of each unit on the estimate over folds, by code; the mean over repeats. */
function byUnit(metric: Influential, folds: readonly IntervalFold[], size: number): Float64Array {
  const repeats = blocksAsCoded(metric, folds);
  const sums = new Float64Array(size);
  for (const blocks of repeats) {
    const found = blockInfluences(metric, blocks);
    if (!found) continue;
    const { influence, units } = found;
    for (let row = 0; row < units.length; row++) sums[units[row]] += influence[row] / repeats.length;
  }
  return sums;
}

/** Only the area under the ROC curve is a mean over pairs of rows; other metrics have no such terms. */
function pairsOf(metric: Metric, blocks: Parameters<typeof pairTerms>[0]): PairTerms {
  const found = metric.name === 'roc_auc' && isInfluential(metric) ? blockInfluences(metric, blocks) : undefined;
  return found ? pairTerms(blocks, found.estimate) : { excess: 0, interaction: 0 };
}

/** Sums over halvings of what each unit has, for its variance between them. */
class Spread {
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  #count = 0;

  constructor(size: number) {
    this.#sums = new Float64Array(size);
    this.#squares = new Float64Array(size);
  }

  add(unit: number, value: number): void {
    this.#sums[unit] += value;
    this.#squares[unit] += value ** 2;
  }

  next(): void {
    this.#count++;
  }

  /** Sum over units of the variance, with ddof 1. */
  sum(): number {
    const n = this.#count;
    if (n < 2) return 0;
    return this.#squares.reduce((sum, squares, unit) => sum + (squares - this.#sums[unit] ** 2 / n) / (n - 1), 0);
  }
}
