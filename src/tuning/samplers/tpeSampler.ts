import { boolean, type InputOf, integer, type OptionsOf, optionTable } from '../../core/options.js';
import type { RandomSource } from '../../core/random.js';
import { recordable } from '../../core/recordable.js';
import type { Distribution, FrozenTrial, Params, ParamValue } from '../../core/tuningTrial.js';
import { valuesOf } from '../distribution.js';
import type { Sampler, StudyView, TrialView } from '../sampler.js';
import { codeOf, paramOf, parzenEstimator } from '../tpe/parzenEstimator.js';
import { hasOneValue, type JointSpace, jointSpace, type SplitTrials, splitTrials } from '../tpe/splitTrials.js';
import { drawUniform } from './randomSampler.js';

export const tpeSamplerOptions = optionTable('TPESampler', {
  nStartupTrials: integer({ min: 0 }).default(10).describe('Trials that are drawn at random before the method begins.'),
  nEICandidates: integer({ min: 1 })
    .default(24)
    .describe('Candidates that are drawn for each trial; the best is tried.'),
  multivariate: boolean()
    .default(true)
    .describe('Draws parameters together, so that it learns which values go together. false: each by itself.'),
  constantLiar: boolean()
    .default(true)
    .describe('Counts trials that go on as bad ones, so that trials at once do not try the same.'),
});

export type TPESamplerOptions = InputOf<typeof tpeSamplerOptions>;

/**
 * The tree-structured Parzen estimator: draws candidates from the density of the parameters that did well, and tries the one
 * that is most likely under it compared with the density of the others.
 *
 * Semantics and defaults are those of `TPESampler` of Optuna 5 for one objective; the streams of random numbers differ.
 *
 * Source: Bergstra et al. 2011 (NIPS 24); Bergstra, Yamins & Cox 2013 (ICML 28); Falkner, Klein & Hutter 2018 (ICML) for
 * parameters together; Watanabe 2023, arXiv:2304.11127, for all parts and what they do.
 *
 * @example
 * const study = new Study({ direction: 'minimize', sampler: new TPESampler({ nStartupTrials: 5 }), randomState: 1 });
 * await study.optimize((trial) => (trial.suggestFloat('x', -10, 10) - 2) ** 2, { nTrials: 25 });
 * console.log(study.bestParams);
 */
export class TPESampler implements Sampler {
  readonly name = 'tpe';
  readonly looksBack = true;
  readonly #options: OptionsOf<typeof tpeSamplerOptions>;
  /** The parameters of a trial are drawn from the same trials: these are split once. Nothing is kept of a study. */
  readonly #splits = new WeakMap<readonly FrozenTrial[], SplitTrials & { readonly own: number }>();

  /** @throws {InvalidOptionError} an option out of its range. */
  constructor(input: TPESamplerOptions = {}) {
    this.#options = recordable(this, tpeSamplerOptions.resolve(input));
  }

  get nStartupTrials(): number {
    return this.#options.nStartupTrials;
  }

  sampleTogether(study: StudyView, trial: TrialView): Params {
    const { multivariate, nStartupTrials } = this.#options;
    if (!multivariate) return {};
    const split = this.#splitFor(study, trial);
    if (split.ended.length < nStartupTrials) return {};
    const open = Object.entries(jointSpace(split.ended)).filter(([name]) => !Object.hasOwn(trial.params, name));
    return open.length > 0 ? this.#propose(split, Object.fromEntries(open), trial.random) : {};
  }

  sample(study: StudyView, trial: TrialView, name: string, distribution: Distribution): ParamValue {
    if (hasOneValue(distribution)) return (valuesOf(distribution) as readonly ParamValue[])[0];
    const split = this.#splitFor(study, trial);
    return split.ended.length < this.#options.nStartupTrials
      ? drawUniform(trial.random, distribution)
      : this.#propose(split, { [name]: distribution }, trial.random)[name];
  }

  #splitFor(study: StudyView, { number: own }: TrialView): SplitTrials {
    const known = this.#splits.get(study.trials);
    if (known?.own === own) return known;
    const split = { ...splitTrials(study, own, this.#options.constantLiar), own };
    // A list that may still change is read anew each time.
    if (Object.isFrozen(study.trials)) this.#splits.set(study.trials, split);
    return split;
  }

  /** The best of the candidates: that with the largest ratio of the two densities. */
  #propose({ better, worse }: SplitTrials, space: JointSpace, random: RandomSource): Record<string, ParamValue> {
    const [good, bad] = [estimatorOf(space, better), estimatorOf(space, worse)];
    let best: readonly number[] = [];
    let most = Number.NaN;
    for (let drawn = 0; drawn < this.#options.nEICandidates; drawn++) {
      const candidate = good.draw(random);
      const ratio = good.logDensity(candidate) - bad.logDensity(candidate);
      // Written so that the first one is taken whatever its ratio.
      if (!(ratio <= most)) [best, most] = [candidate, ratio];
    }
    return Object.fromEntries(
      Object.entries(space).map(([name, distribution], at) => [name, paramOf(distribution, best[at])]),
    );
  }
}

function estimatorOf(space: JointSpace, trials: readonly FrozenTrial[]) {
  const names = Object.keys(space);
  const distributions = Object.values(space);
  const columns = names.map(() => new Float64Array(trials.length));
  let rows = 0;
  for (const { params } of trials) {
    let isWhole = true;
    for (let at = 0; isWhole && at < names.length; at++) {
      const number = codeOf(distributions[at], params[names[at]]);
      columns[at][rows] = number;
      isWhole = !Number.isNaN(number);
    }
    if (isWhole) rows++;
  }
  return parzenEstimator(
    distributions,
    columns.map((column) => column.subarray(0, rows)),
  );
}
