import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { type InputOf, number, oneOf, optionTable } from '../core/options.js';
import { sortedQuantile } from '../core/quantiles.js';
import { finite } from '../core/shape.js';
import { VERSION } from '../core/version.js';
import { type LabelsInput, labelsOf } from '../data/labels.js';
import { priorOf } from '../data/priorOf.js';
import { rowCount } from '../data/rowKinds.js';
import { weightsOf } from '../data/sideData.js';
import { hasSeveralTargets } from '../data/targets.js';
import { estimatorNotFitted, savedParts } from './savedEstimator.js';

const options = optionTable('DummyRegressor', {
  strategy: oneOf('mean', 'median', 'quantile', 'constant')
    .default('mean')
    .describe('What is predicted for every row: the mean, the median or a quantile of y, or `constant`.'),
  quantile: number({ min: 0, max: 1 }).optional().describe("The share of the strategy 'quantile'."),
  constant: number().optional().describe("The number of the strategy 'constant'."),
});

export type DummyRegressorOptions = InputOf<typeof options>;

/**
 * Predicts one number for every row: what a model must beat. As scikit-learn's `DummyRegressor`.
 *
 * @example
 * const average = new DummyRegressor({ strategy: 'median' }).fit([[0], [1], [2]], [3, 4, 9]);
 * console.log(average.predict([[5]]));
 */
export class DummyRegressor {
  /** Printed, and minifiers rename classes. */
  static readonly name: string = 'DummyRegressor';
  static readonly options = options;
  readonly #options: ReturnType<typeof options.resolve>;
  #constant: number | undefined;

  /** @throws {InvalidOptionError} `quantile` or `constant` without its strategy, or the reverse. */
  constructor(input?: DummyRegressorOptions) {
    this.#options = options.resolve(input);
    for (const name of ['quantile', 'constant'] as const) {
      if ((this.#options.strategy === name) === (this.#options[name] !== undefined)) continue;
      const subject = `The \`${name}\` option of DummyRegressor`;
      throw new InvalidOptionError(sentence(subject, `go with the strategy '${name}'`, phrase('one of them alone')));
    }
  }

  /** Learns from the labels alone. */
  fit(_X: unknown, y: LabelsInput, sampleWeight?: ArrayLike<number> | null): this {
    const labels = labelsOf(y, { task: 'regression' });
    const { numbers } = labels;
    if (hasSeveralTargets(labels)) {
      const got = phrase(`${labels.classes.length} targets`);
      throw new InvalidDataError(sentence(`y of ${options.owner}`, 'be one number per row', got));
    }
    const weights = sampleWeight ? weightsOf(sampleWeight, numbers.length) : undefined;
    const { strategy, quantile, constant } = this.#options;
    if (strategy === 'constant') this.#constant = constant;
    else if (strategy === 'mean') this.#constant = priorOf(labels, weights)[0];
    else if (weights) {
      const subject = `The \`strategy\` option of DummyRegressor with \`sampleWeight\``;
      throw new InvalidOptionError(sentence(subject, "be 'mean' or 'constant'", strategy));
    } else this.#constant = sortedQuantile(numbers.slice().sort(), strategy === 'median' ? 0.5 : (quantile as number));
    return this;
  }

  /** The same number for every row. */
  predict(X: unknown): number[] {
    const { constant } = this;
    return Array.from({ length: rowCount(X) }, () => constant);
  }

  /** The number that is predicted. */
  get constant(): number {
    if (this.#constant !== undefined) return this.#constant;
    throw estimatorNotFitted(options.owner);
  }

  /** Options and the number as plain JSON values. */
  toJSON(): Record<string, unknown> {
    return { estimator: options.owner, cvkit: VERSION, options: this.#options, fitted: this.#constant ?? null };
  }

  /** The model that `toJSON` told of. */
  static fromJSON(json: unknown): DummyRegressor {
    const { options: written, fitted } = savedParts<number>(options.owner, json, () => finite);
    const restored = new DummyRegressor(written);
    restored.#constant = fitted ?? undefined;
    return restored;
  }

  /** The options, with their defaults. */
  getParams(): ReturnType<typeof options.resolve> {
    return this.#options;
  }
}
