/** What the two forms of `compareModels` take and give. The compiler (`npm run types`) judges; nothing is run. */
import { describe, expectTypeOf, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/index.js';
import type { CVResults, Splitter, ValidationResult } from '../../src/index.js';
import { StandardScaler } from '../../src/preprocessing/index.js';
import { compareModels, type ModelComparison, type ModelTable } from '../../src/stats/index.js';

describe('compareModels', () => {
  const call = (a: CVResults, b: ValidationResult, cv: Splitter) => {
    const data = { X: [[1], [2]], y: [0, 1], cv };
    const models = {
      factory: () => new LogisticRegression(),
      instance: new LogisticRegression(),
      url: new URL('file:'),
    };
    return {
      two: () => compareModels(a, b),
      twoWith: () => compareModels(a, b, { metric: 'roc_auc', rope: 0.02 }),
      models: () => compareModels({ models, ...data }),
      prepared: () =>
        compareModels({
          models,
          preparations: { none: null, scaled: new StandardScaler(), both: [new StandardScaler()] },
          data: [
            [[1], [2]],
            [0, 1],
          ],
          cv,
          reference: 'factory, none',
          epochs: 3,
          nJobs: 2,
        }),
      results: () => compareModels({ results: { a, b }, metric: 'roc_auc' }),
      list: () => compareModels({ results: [a, b] }),
      // @ts-expect-error one result alone
      alone: () => compareModels(a),
      // @ts-expect-error no such option
      misspelt: () => compareModels({ models, ...data, refrence: 'factory' }),
      // @ts-expect-error nothing is trained
      idle: () => compareModels({ results: [a, b], epochs: 3 }),
    };
  };
  type Forms = ReturnType<typeof call>;

  it('of two results is a comparison, at once', () => {
    expectTypeOf<ReturnType<Forms['two']>>().toEqualTypeOf<ModelComparison>();
    expectTypeOf<ReturnType<Forms['twoWith']>>().toEqualTypeOf<ModelComparison>();
  });

  it('of several models or results is the promise of a table', () => {
    expectTypeOf<ReturnType<Forms['models']>>().resolves.toEqualTypeOf<ModelTable>();
    expectTypeOf<ReturnType<Forms['prepared']>>().resolves.toEqualTypeOf<ModelTable>();
    expectTypeOf<ReturnType<Forms['results']>>().resolves.toEqualTypeOf<ModelTable>();
    expectTypeOf<ReturnType<Forms['list']>>().resolves.toEqualTypeOf<ModelTable>();
  });
});
