import { custom, type InputOf, optionTable, seed } from '../core/options.js';
import { type RandomSource, randomInterval } from '../core/random.js';
import type { Labels } from '../data/labels.js';
import { isSamplingStrategy, Resampler, rowsByClass, type SamplingStrategy, wantedCounts } from './resampler.js';
import { Stage } from './table.js';

/** The option `samplingStrategy`; `what` tells what it does by default. */
export const samplingStrategyOption = (what: string) =>
  custom<SamplingStrategy>(
    "'auto' | number | record of class -> count",
    "be 'auto', a share above 0 and at most 1, or a record of class to a count of rows",
    isSamplingStrategy,
  )
    .default('auto')
    .describe(`${what} A share: smaller over larger class, of two. A record: rows of each class.`);

const options = optionTable('RandomOverSampler', {
  samplingStrategy: samplingStrategyOption("'auto': every class gets as many rows as the largest has."),
  randomState: seed().default(null).describe('Seed of `fitResample`; inside a run the seed of the fold is taken.'),
});

export type RandomOverSamplerOptions = InputOf<typeof options>;

/**
 * Repeats rows of the smaller classes, drawn with replacement. In `preprocessing` it acts on the training rows of each fold
 * alone; predicted risks are then those of other class shares. Named as in imbalanced-learn.
 */
export class RandomOverSampler extends Resampler {
  static readonly options = options;
  readonly name = options.owner;
  readonly #options: ReturnType<typeof options.resolve>;

  constructor(input?: RandomOverSamplerOptions) {
    super();
    this.#options = options.resolve(input);
  }

  /** The options, with their defaults. */
  getParams(): ReturnType<typeof options.resolve> {
    return this.#options;
  }

  protected async draw(stage: Stage, y: Labels, random: RandomSource) {
    const wanted = wantedCounts(this.name, this.#options.samplingStrategy, y, true);
    const more = rowsByClass(y).flatMap((rows, code) =>
      Array.from({ length: wanted[code] - rows.length }, () => rows[randomInterval(random, rows.length - 1)]),
    );
    const rows = Int32Array.from([...Array.from({ length: y.length }, (_, row) => row), ...more]);
    return { stage: new Stage({ rows: stage.rows().take(rows) }), rows };
  }
}
