import { type InputOf, type OptionsOf, optionTable } from '../core/options.js';
import { type RandomSource, randomInterval } from '../core/random.js';
import type { Labels } from '../data/labels.js';
import { Resampler, randomStateOption, rowsByClass, samplingStrategyOption, wantedCounts } from './resampler.js';
import { Stage } from './table.js';

const options = optionTable('RandomOverSampler', {
  samplingStrategy: samplingStrategyOption("'auto': every class gets as many rows as the largest has."),
  randomState: randomStateOption,
});

export type RandomOverSamplerOptions = InputOf<typeof options>;

/**
 * Repeats rows of the smaller classes, drawn with replacement. In `preprocessing` it acts on the training rows of each fold
 * alone; predicted risks are then those of other class shares. Named as in imbalanced-learn.
 */
export class RandomOverSampler extends Resampler<OptionsOf<typeof options>> {
  static readonly options = options;

  constructor(input?: RandomOverSamplerOptions) {
    super(options, input);
  }

  protected async draw(stage: Stage, y: Labels, random: RandomSource) {
    const wanted = wantedCounts(this.name, this.getParams().samplingStrategy, y, true);
    const more = rowsByClass(y).flatMap((rows, code) =>
      Array.from({ length: wanted[code] - rows.length }, () => rows[randomInterval(random, rows.length - 1)]),
    );
    const rows = Int32Array.from([...Array.from({ length: y.length }, (_, row) => row), ...more]);
    return { stage: new Stage({ rows: stage.rows().take(rows) }), rows };
  }
}
