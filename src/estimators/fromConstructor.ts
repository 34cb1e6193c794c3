import { AdapterError, phrase, sentence } from '../core/errors.js';

interface Constructed {
  // biome-ignore lint/suspicious/noExplicitAny: rows and answers of another library
  predict(X: any): any;
}

/** What {@link fromConstructor} gives: a model with `fit` and `predict`. */
export interface ConstructedModel<M extends Constructed> {
  fit(X: unknown[], y: unknown[]): Promise<void>;
  predict(X: unknown[]): ReturnType<M['predict']>;
  /** The model that the last `fit` has made. */
  readonly model: M | undefined;
}

/**
 * A model with `fit` and `predict` from a class that takes its data in the constructor, as `KNN` of ml-knn does.
 *
 * @param make makes the model from rows and labels, when `fit` is called
 * @example
 * // as libraries have it that take the data in the constructor
 * class Nearest {
 *   constructor(rows, labels) {
 *     Object.assign(this, { rows, labels });
 *   }
 *   predict(rows) {
 *     const distance = (a, b) => Math.hypot(...a.map((value, at) => value - b[at]));
 *     return rows.map((row) => {
 *       const distances = this.rows.map((other) => distance(row, other));
 *       return this.labels[distances.indexOf(Math.min(...distances))];
 *     });
 *   }
 * }
 * const near = () => fromConstructor((rows, labels) => new Nearest(rows, labels));
 * const results = await runner.run({ model: near, data: [X, y], preprocessing });
 * console.log(results.meanScores.accuracy);
 */
export function fromConstructor<M extends Constructed>(
  // biome-ignore lint/suspicious/noExplicitAny: rows and labels as another library takes them
  make: (X: any[], y: any[]) => M | Promise<M>,
): ConstructedModel<M> {
  let model: M | undefined;
  return {
    async fit(X, y) {
      model = await make(X, y);
    },
    predict(X) {
      if (model) return model.predict(X);
      const subject = 'The model of fromConstructor';
      const must = 'be fitted before it predicts';
      throw new AdapterError(sentence(subject, must, phrase('neither')), { code: 'not_fitted' });
    },
    get model() {
      return model;
    },
  };
}
