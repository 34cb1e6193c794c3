import { type InputOf, type OptionsOf, optionTable } from '../core/options.js';
import { type RandomSource, sample } from '../core/random.js';
import type { Labels } from '../data/labels.js';
import { Resampler, randomStateOption, rowsByClass, samplingStrategyOption, wantedCounts } from './resampler.js';
import { Stage } from './table.js';

const options = optionTable('RandomUnderSampler', {
  samplingStrategy: samplingStrategyOption("'auto': every class keeps as many rows as the smallest has."),
  randomState: randomStateOption,
});

export type RandomUnderSamplerOptions = InputOf<typeof options>;

/**
 * Keeps a random part of the rows of the larger classes, in their order. In `preprocessing` it acts on the training rows of
 * each fold alone; predicted risks are then those of other class shares. Named as in imbalanced-learn.
 */
export class RandomUnderSampler extends Resampler<OptionsOf<typeof options>> {
  static readonly options = options;

  constructor(input?: RandomUnderSamplerOptions) {
    super(options, input);
  }

  protected async draw(stage: Stage, y: Labels, random: RandomSource) {
    const wanted = wantedCounts(this.name, this.getParams().samplingStrategy, y, false);
    const kept = rowsByClass(y).flatMap((rows, code) =>
      Array.from(sample(random, rows.length, wanted[code]), (place) => rows[place]),
    );
    const rows = Int32Array.from(kept).sort();
    return { stage: new Stage({ rows: stage.rows().take(rows) }), rows };
  }
}
