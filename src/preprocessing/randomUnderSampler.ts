import { type InputOf, optionTable, seed } from '../core/options.js';
import { type RandomSource, sample } from '../core/random.js';
import type { Labels } from '../data/labels.js';
import { samplingStrategyOption } from './randomOverSampler.js';
import { Resampler, rowsByClass, wantedCounts } from './resampler.js';
import { Stage } from './table.js';

const options = optionTable('RandomUnderSampler', {
  samplingStrategy: samplingStrategyOption("'auto': every class keeps as many rows as the smallest has."),
  randomState: seed().default(null).describe('Seed of `fitResample`; inside a run the seed of the fold is taken.'),
});

export type RandomUnderSamplerOptions = InputOf<typeof options>;

/**
 * Keeps a random part of the rows of the larger classes, in their order. In `preprocessing` it acts on the training rows of
 * each fold alone; predicted risks are then those of other class shares. Named as in imbalanced-learn.
 */
export class RandomUnderSampler extends Resampler {
  static readonly options = options;
  readonly name = options.owner;
  readonly #options: ReturnType<typeof options.resolve>;

  constructor(input?: RandomUnderSamplerOptions) {
    super();
    this.#options = options.resolve(input);
  }

  /** The options, with their defaults. */
  getParams(): ReturnType<typeof options.resolve> {
    return this.#options;
  }

  protected async draw(stage: Stage, y: Labels, random: RandomSource) {
    const wanted = wantedCounts(this.name, this.#options.samplingStrategy, y, false);
    const kept = rowsByClass(y).flatMap((rows, code) =>
      Array.from(sample(random, rows.length, wanted[code]), (place) => rows[place]),
    );
    const rows = Int32Array.from(kept).sort();
    return { stage: new Stage({ rows: stage.rows().take(rows) }), rows };
  }
}
