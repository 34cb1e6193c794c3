import type { RandomSource } from '../../core/random.js';
import type { Distribution, ParamValue } from '../../core/tuningTrial.js';
import { atStep } from '../distribution.js';
import type { Sampler, StudyView, TrialView } from '../sampler.js';

/**
 * Draws every parameter by itself: choices and steps alike often, ranges uniformly, on the logarithmic scale where the range
 * says so.
 *
 * Source: Bergstra & Bengio 2012, JMLR 13:281.
 *
 * @example
 * const study = new Study({ direction: 'minimize', sampler: new RandomSampler(), randomState: 1 });
 * await study.optimize((trial) => (trial.suggestFloat('x', -10, 10) - 2) ** 2, { nTrials: 25 });
 * console.log(study.bestParams);
 */
export class RandomSampler implements Sampler {
  readonly name = 'random';
  readonly looksBack = false;

  sample(_study: StudyView, { random }: TrialView, _name: string, distribution: Distribution): ParamValue {
    return drawUniform(random, distribution);
  }
}

export function drawUniform(random: RandomSource, distribution: Distribution): ParamValue {
  if (distribution.kind === 'categorical') {
    const { choices } = distribution;
    return choices[Math.floor(random.random() * choices.length)];
  }
  const { low, high, log, step, kind } = distribution;
  const share = random.random();
  if (log) {
    // Whole numbers have half a unit on either side, as on the plain scale.
    const half = kind === 'int' ? 0.5 : 0;
    const drawn = Math.exp(Math.log(low - half) + share * (Math.log(high + half) - Math.log(low - half)));
    return clamp(kind === 'int' ? atStep(low, step, Math.round((drawn - low) / step)) : drawn, low, high);
  }
  // Not by the width, which may be more than the largest number.
  if (step === null) return clamp(low * (1 - share) + high * share, low, high);
  return atStep(low, step, Math.floor(share * (Math.round((high - low) / step) + 1)));
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
