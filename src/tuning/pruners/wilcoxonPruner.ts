import { mean, power } from '../../core/numbers.js';
import { type InputOf, integer, number, optionTable } from '../../core/options.js';
import { recordable } from '../../core/recordable.js';
import type { FrozenTrial } from '../../core/tuningTrial.js';
import { normalTail } from '../../intervals/normalTail.js';
import { ascendingOrder } from '../../metrics/rocPlacements.js';
import { bestOf } from '../bestTrial.js';
import type { Pruner } from '../pruner.js';
import type { StudyView } from '../sampler.js';

export const wilcoxonPrunerOptions = optionTable('WilcoxonPruner', {
  pThreshold: number({ above: 0, max: 1 })
    .default(0.1)
    .describe(
      'A trial is pruned where p is below this. After k folds p is at least 1 / 2^k: .1 asks for 4 folds, .13 for 3, .26 for 2.',
    ),
  nStartupSteps: integer({ min: 0 })
    .default(2)
    .describe('Folds that both trials must have a score of, for a trial to be pruned. There are always at least 2.'),
});

export type WilcoxonPrunerOptions = InputOf<typeof wilcoxonPrunerOptions>;

/**
 * Ends a trial that is worse than the best complete one, fold by fold: signed-rank test of the differences at the inner folds
 * that both have a score of, one-sided. A trial goes on where the mean of its scores is at least as good as that of the best
 * trial, and where one of the two reported NaN or an infinite value.
 *
 * What it can do with few folds: after k folds the smallest p is 1 / 2^k, so .25, .125, .063 and .031 after 2 to 5 folds. With
 * `pThreshold` .1 a trial is pruned after 4 folds at the earliest, and only if it lost all of them. So 3 or 4 inner folds never
 * save a fold, and 5 save one at most; repeated inner folds, or 10 of them, save more. `pThreshold` .13 prunes after 3 lost
 * folds, .26 after 2. See {@link WilcoxonPruner.fewestFolds}.
 *
 * What p is not: the chance of a wrong decision. The test is repeated after each fold, the folds share training rows
 * (Nadeau & Bengio 2003, Machine Learning 52:239), and the best trial is the best of many, so that its scores are lucky ones.
 * Each makes p smaller than it should be: equal trials are pruned more often than `pThreshold` says.
 *
 * Source: Wilcoxon 1945, Biometrics Bulletin 1:80; as `WilcoxonPruner` of Optuna 5.
 *
 * @example
 * const tuned = await runner.runWithHyperparameterTuning({
 *   modelFn: ({ C }) => new LogisticRegression({ C }),
 *   paramGrid: { C: { low: 0.001, high: 100, log: true } },
 *   data: [X, y],
 *   preprocessing,
 *   scoring: 'roc_auc',
 *   nTrials: 5,
 *   pruner: new WilcoxonPruner({ pThreshold: 0.13 }),
 * });
 * console.log(tuned.perFoldParams.length);
 */
export class WilcoxonPruner implements Pruner {
  readonly name = 'wilcoxon';
  readonly reads = 'folds';
  readonly #options;

  constructor(input: WilcoxonPrunerOptions = {}) {
    this.#options = recordable(this, wilcoxonPrunerOptions.resolve(input));
  }

  /** Folds after which a trial can be pruned at the earliest. Inner folds that are no more than this are all run. */
  get fewestFolds(): number {
    const { pThreshold, nStartupSteps } = this.#options;
    let folds = Math.max(LEAST, nStartupSteps);
    while (power(0.5, folds) >= pThreshold) folds++;
    return folds;
  }

  shouldPrune({ direction, trials }: StudyView, { intermediateValues }: FrozenTrial): boolean {
    const loss = (value: number) => (direction === 'minimize' ? value : -value);
    const best = bestOf(trials, direction)?.intermediateValues;
    if (!best) return false;
    const paired = [...intermediateValues].filter(([place]) => best.has(place));
    const differences = Float64Array.from(paired, ([place, value]) => loss(value) - loss(best.get(place) as number));
    if (differences.length < Math.max(LEAST, this.#options.nStartupSteps)) return false;
    const [own, others] = [intermediateValues, best].map((values) => [...values.values()].map(loss));
    if (![...own, ...others].every(Number.isFinite) || mean(own) <= mean(others)) return false;
    return signedRank(differences) < this.#options.pThreshold;
  }
}

const LEAST = 2;

/** Most differences whose distribution is exact, and most of them where some are equal or 0. */
const [MOST, MOST_TIED] = [50, 13];

/**
 * One-sided p-value of the signed-rank test: how often the ranks of the positive differences would add up to at least this
 * much, if each difference were positive or negative by the toss of a coin. Differences of 0 are ranked, and half of their
 * ranks counts on either side.
 *
 * Exact up to 50 differences, up to 13 where some are equal in size or 0; else the normal approximation for ties without
 * correction for continuity. So does scipy 1.17, `wilcoxon(d, zero_method='zsplit', alternative='greater')`, to 1e-10.
 *
 * Source: Wilcoxon 1945, Biometrics Bulletin 1:80; ranks of zeros, Pratt 1959, JASA 54:655; the exact distribution with ties,
 * Streitberg & Röhmel 1986, Statistical Software Newsletter 12:10.
 *
 * @param differences at least one, all finite
 */
export function signedRank(differences: Float64Array): number {
  const n = differences.length;
  const sizes = differences.map(Math.abs);
  const order = ascendingOrder(sizes);
  // Ranks are doubled, so that those of ties are whole.
  const ranks = new Float64Array(n);
  let [positive, zero, ties] = [0, 0, 0];
  for (let from = 0; from < n; ) {
    let to = from + 1;
    while (to < n && sizes[order[to]] === sizes[order[from]]) to++;
    for (let at = from; at < to; at++) {
      const place = order[at];
      if (differences[place] === 0) zero += from + 1 + to;
      else ranks[place] = from + 1 + to;
      if (differences[place] > 0) positive += from + 1 + to;
    }
    ties += power(to - from, 3) - (to - from);
    from = to;
  }
  if (n <= (ties > 0 || zero > 0 ? MOST_TIED : MOST)) return exactTail(ranks.filter(Boolean), positive);
  const sum = (positive + zero / 2) / 2;
  const variance = (n * (n + 1) * (2 * n + 1) - ties / 2) / 24;
  return normalTail((sum - (n * (n + 1)) / 4) / Math.sqrt(variance));
}

function exactTail(numbers: Float64Array, least: number): number {
  // Counts stay below 2^50, where every whole number is exact.
  const ways = new Float64Array(1 + numbers.reduce((total, each) => total + each, 0));
  ways[0] = 1;
  for (const number of numbers) {
    for (let total = ways.length - 1; total >= number; total--) ways[total] += ways[total - number];
  }
  return ways.subarray(least).reduce((total, each) => total + each, 0) / 2 ** numbers.length;
}
