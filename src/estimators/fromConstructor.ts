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
 * const results = await runner.run({ model: () => fromConstructor((X, y) => new KNN(X, y, { k: 5 })), data: [X, y] });
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
