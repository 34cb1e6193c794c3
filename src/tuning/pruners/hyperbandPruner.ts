import { InvalidOptionError, sentence } from '../../core/errors.js';
import { power, sum } from '../../core/numbers.js';
import { custom, type InputOf, integer, optionTable } from '../../core/options.js';
import { recordable } from '../../core/recordable.js';
import type { FrozenTrial } from '../../core/tuningTrial.js';
import type { Pruner } from '../pruner.js';
import type { StudyView } from '../sampler.js';

export const hyperbandPrunerOptions = optionTable('HyperbandPruner', {
  minResource: integer({ min: 1 })
    .default(1)
    .describe('The first step at which a trial may be pruned. Steps count from 1: the first epoch or fold.'),
  maxResource: custom<number | 'auto'>(
    "integer | 'auto'",
    "be an integer >= 2, or 'auto'",
    (v) => v === 'auto' || (Number.isSafeInteger(v) && Number(v) >= 2),
  )
    .default('auto')
    .describe(
      "Steps of a whole trial; a trial that has come so far is not pruned. 'auto': one more than the last step that complete trials reported; until there is one, no trial is pruned.",
    ),
  reductionFactor: integer({ min: 2 })
    .default(3)
    .describe('At each rung one trial in so many goes on, and the next rung is so many times as late.'),
});

export type HyperbandPrunerOptions = InputOf<typeof hyperbandPrunerOptions>;

/**
 * Successive halving in several brackets at once, which differ in how early they begin to prune: the first compares its
 * trials at `minResource` and at each `reductionFactor`-fold of it, the next begins one rung later, and the last prunes
 * late or never. So it does no great harm where values early on say little of those at the end.
 *
 * Early brackets are given more trials, in the proportions of the paper, spread evenly over the numbers of the trials: the
 * bracket of a trial depends on its number and on `maxResource` alone. It holds no state and sees nothing but the study;
 * with 'auto', brackets are drawn anew when a complete trial reports a later step than any before. As trials are judged when
 * they reach a rung, it works where they run one after the other; the first of a rung go on while they are the best so far.
 *
 * Few trials fill no brackets: with fewer than about 20, use the median.
 *
 * Source: Li et al. 2018, JMLR 18:185, algorithm 1; brackets over trials of unknown number as `HyperbandPruner` of Optuna 5,
 * which draws them by a hash of the study's name, shows its sampler one bracket alone, and prunes at `maxResource` too.
 *
 * @throws {InvalidOptionError} `maxResource` is not above `minResource`: nothing could be pruned.
 *
 * @example
 * const study = new Study({ direction: 'minimize', pruner: new HyperbandPruner({ minResource: 2, maxResource: 20 }), randomState: 1 });
 * await study.optimize((trial) => {
 *   const rate = trial.suggestFloat('rate', 0.01, 1);
 *   for (let epoch = 0; epoch < 20; epoch++) {
 *     trial.report(1 / (1 + rate * epoch), epoch);
 *     if (trial.shouldPrune()) throw new TrialPruned();
 *   }
 *   return 1 / (1 + rate * 20);
 * }, { nTrials: 20 });
 * console.log(study.trials.filter(({ state }) => state === 'pruned').length, 'of 20 trials were stopped');
 */
export class HyperbandPruner implements Pruner {
  readonly name = 'hyperband';
  readonly reads = 'progress';
  readonly #options;

  constructor(input: HyperbandPrunerOptions = {}) {
    this.#options = recordable(this, hyperbandPrunerOptions.resolve(input));
    const { minResource, maxResource } = this.#options;
    if (maxResource !== 'auto' && maxResource <= minResource) {
      const must = `be above \`minResource\`, which is ${minResource}`;
      throw new InvalidOptionError(sentence('The `maxResource` option of HyperbandPruner', must, maxResource));
    }
  }

  shouldPrune({ direction, trials }: StudyView, trial: FrozenTrial): boolean {
    const { minResource, reductionFactor } = this.#options;
    const end = this.#maxResource(trials);
    if (end === undefined) return false;
    const budgets = bracketBudgets(minResource, end, reductionFactor);
    const bracket = bracketOf(trial.number, budgets);
    const others = trials.filter(({ number }) => number !== trial.number && bracketOf(number, budgets) === bracket);
    const rungs = { first: minResource * power(reductionFactor, bracket), reductionFactor, end };
    return losesAtRung(trial, others, rungs, direction);
  }

  #maxResource(trials: readonly FrozenTrial[]): number | undefined {
    const { maxResource } = this.#options;
    if (maxResource !== 'auto') return maxResource;
    let end = 0;
    for (const { state, intermediateValues } of trials) {
      if (state === 'complete') for (const step of intermediateValues.keys()) end = Math.max(end, step + 1);
    }
    return end || undefined;
  }
}

/** Trials of each bracket, in proportion; from the one that prunes earliest to the one that prunes late or never. */
export function bracketBudgets(minResource: number, maxResource: number, reductionFactor: number): number[] {
  // By products: logarithms would lose a bracket at some powers, such as 3^5.
  let count = 1;
  while (minResource * power(reductionFactor, count) <= maxResource) count++;
  return Array.from({ length: count }, (_, bracket) => {
    const rungs = count - bracket;
    return Math.ceil((count * power(reductionFactor, rungs - 1)) / rungs);
  });
}

/** The bracket of a trial: multiples of the golden ratio fill the unit interval evenly, whatever the number of trials. */
export function bracketOf(number: number, budgets: readonly number[]): number {
  let rest = ((number * GOLDEN) % 1) * sum(budgets);
  const bracket = budgets.findIndex((budget) => {
    rest -= budget;
    return rest < 0;
  });
  return bracket === -1 ? budgets.length - 1 : bracket;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Whether a trial is out at a rung that it has just reached: it goes on where its value is among the best
 * 1 / `reductionFactor` of those that have reached the rung so far, itself included, or the best while these are too few. Its
 * value at a rung is the first one, NaN aside, that it reported there or later.
 *
 * Source: Jamieson & Talwalkar 2016, AISTATS; asynchronous, Li et al. 2020, MLSys, algorithm 2, where trials that are out may
 * be taken up later; first trials as in `SuccessiveHalvingPruner` of Optuna 5.
 *
 * @param others the other trials of its bracket
 * @param rungs the first, and the end, from which on a trial has nothing left to save; each further one is
 *   `reductionFactor` times as late
 */
export function losesAtRung(
  { intermediateValues }: FrozenTrial,
  others: readonly FrozenTrial[],
  { first, reductionFactor, end }: Readonly<Record<'first' | 'reductionFactor' | 'end', number>>,
  direction: StudyView['direction'],
): boolean {
  const last = [...intermediateValues].at(-1);
  if (!last) return false;
  const [step, value] = last;
  for (let rung = first; rung <= step && rung < end; rung *= reductionFactor) {
    const reached = valueAt(intermediateValues, rung);
    // It was judged there when it reported that.
    if (reached && reached[0] < step) continue;
    if (!reached) return true;
    const loss = (each: number) => (direction === 'minimize' ? each : -each);
    const losses = others.flatMap((other) => valueAt(other.intermediateValues, rung)?.slice(1) ?? []).map(loss);
    const place = Math.max(0, Math.floor((losses.length + 1) / reductionFactor) - 1);
    // Out where more than `place` others are better: equal values go on together.
    if (losses.filter((each) => each < loss(value)).length > place) return true;
  }
  return false;
}

function valueAt(values: FrozenTrial['intermediateValues'], from: number): readonly [number, number] | undefined {
  for (const report of values) if (report[0] >= from && !Number.isNaN(report[1])) return report;
  return undefined;
}
