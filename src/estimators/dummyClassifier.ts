import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { custom, type InputOf, isPlainObject, oneOf, optionTable, seed } from '../core/options.js';
import { freshSeed, type RandomSource, randomInterval, randomSource } from '../core/random.js';
import { fields, shareList } from '../core/shape.js';
import { VERSION } from '../core/version.js';
import type { Label, LabelsInput } from '../data/labels.js';
import { priorOf } from '../data/priorOf.js';
import { rowCount } from '../data/rowKinds.js';
import { weightsOf } from '../data/sideData.js';
import { classLabels } from './classLabels.js';
import { distinctLabels, estimatorNotFitted, savedParts } from './savedEstimator.js';

const options = optionTable('DummyClassifier', {
  strategy: oneOf('prior', 'mostFrequent', 'stratified', 'uniform', 'constant')
    .default('prior')
    .describe(
      "What is predicted: the most frequent class ('prior' with the shares of the classes as probabilities, 'mostFrequent' with 1), a class drawn by these shares or evenly, or `constant`.",
    ),
  constant: custom<Label>('label', 'be a class', (v) => ['string', 'number', 'boolean'].includes(typeof v))
    .optional()
    .describe("The class of the strategy 'constant'."),
  randomState: seed().default(null).describe("Seed of 'stratified' and 'uniform'."),
});

export type DummyClassifierOptions = InputOf<typeof options>;

/**
 * Predicts from the labels alone, whatever the rows say: what a model must beat. As scikit-learn's `DummyClassifier`.
 *
 * @example
 * const results = await runner.run({ model: () => new DummyClassifier(), data: [X, y] });
 * console.log(results.meanScores.accuracy);
 */
export class DummyClassifier {
  /** Printed, and minifiers rename classes. */
  static readonly name: string = 'DummyClassifier';
  static readonly options = options;
  /** Tells the adapter that it is no model of regression. */
  readonly takesClasses = true;
  readonly #options: ReturnType<typeof options.resolve>;
  #fitted: { readonly classes: readonly Label[]; readonly shares: Float64Array } | undefined;

  /** @throws {InvalidOptionError} `constant` without its strategy, or the reverse. */
  constructor(input?: DummyClassifierOptions) {
    this.#options = options.resolve(input);
    const { strategy, constant } = this.#options;
    if ((strategy === 'constant') === (constant !== undefined)) return;
    const subject = 'The `constant` option of DummyClassifier';
    throw new InvalidOptionError(sentence(subject, "go with the strategy 'constant'", phrase('one of them alone')));
  }

  /** Learns from the labels alone. Numbers with a fraction are no classes: an {@link InvalidDataError}. */
  fit(_X: unknown, y: LabelsInput, sampleWeight?: ArrayLike<number> | null): this {
    const labels = classLabels(y, options.owner);
    const { classes, length } = labels;
    const weights = sampleWeight ? weightsOf(sampleWeight, length) : undefined;
    const { constant } = this.#options;
    if (constant !== undefined && !classes.includes(constant)) {
      const subject = 'The labels for DummyClassifier';
      throw new InvalidDataError(sentence(subject, 'hold the class `constant`', phrase('others')));
    }
    this.#fitted = { classes, shares: priorOf(labels, weights) };
    return this;
  }

  /** A class for each row. */
  predict(X: unknown): Label[] {
    const { classes } = this.#known();
    if (this.#options.strategy === 'uniform') {
      const random = randomSource(this.#options.randomState ?? freshSeed());
      return Array.from({ length: rowCount(X) }, () => classes[randomInterval(random, classes.length - 1)]);
    }
    return this.predictProba(X).map((row) => classes[row.indexOf(Math.max(...row))]);
  }

  /** Probability of each class, in the order of `classes`. What is drawn is the same for the same seed. */
  predictProba(X: unknown): number[][] {
    const { classes, shares } = this.#known();
    const random = randomSource(this.#options.randomState ?? freshSeed());
    return Array.from({ length: rowCount(X) }, () => rowOf(this.#options, { classes, shares }, random));
  }

  /** The classes of `y`, ascending. */
  get classes(): readonly Label[] {
    return this.#known().classes;
  }

  /** The options, with their defaults. */
  getParams(): ReturnType<typeof options.resolve> {
    return this.#options;
  }

  /** Options and shares of the classes as plain JSON values. */
  toJSON(): Record<string, unknown> {
    const fitted = this.#fitted ? { ...this.#fitted, shares: Array.from(this.#fitted.shares) } : null;
    return { estimator: options.owner, cvkit: VERSION, options: this.#options, fitted };
  }

  /** The model that `toJSON` told of. */
  static fromJSON(json: unknown): DummyClassifier {
    type Read = { readonly classes: Label[]; readonly shares: number[] };
    const { options: written, fitted } = savedParts<Read>(options.owner, json, (read) => {
      const { length } = ((isPlainObject(read) && read.classes) || []) as unknown[];
      return fields({ classes: distinctLabels(1), shares: shareList(length) });
    });
    const restored = new DummyClassifier(written);
    if (fitted) restored.#fitted = { classes: fitted.classes, shares: Float64Array.from(fitted.shares) };
    return restored;
  }

  #known() {
    if (this.#fitted) return this.#fitted;
    throw estimatorNotFitted(options.owner);
  }
}

function rowOf(
  { strategy, constant }: ReturnType<typeof options.resolve>,
  { classes, shares }: { readonly classes: readonly Label[]; readonly shares: Float64Array },
  random: RandomSource,
): number[] {
  const one = (code: number) => classes.map((_, k) => (k === code ? 1 : 0));
  switch (strategy) {
    case 'prior':
      return Array.from(shares);
    case 'mostFrequent':
      return one(shares.indexOf(Math.max(...shares)));
    case 'constant':
      return one(classes.indexOf(constant as Label));
    case 'uniform':
      return classes.map(() => 1 / classes.length);
    case 'stratified': {
      let rest = random.random();
      const drawn = shares.findIndex((share) => {
        rest -= share;
        return rest < 0;
      });
      return one(drawn < 0 ? classes.length - 1 : drawn);
    }
  }
}
