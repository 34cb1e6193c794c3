/** Rows that are predicted cannot be passed to `fit`. The compiler (`npm run types`) judges; nothing is run. */
import type { Matrix } from 'ml-matrix';
import { describe, expectTypeOf, it } from 'vitest';
import type { FrameworkAdapter, HeldOut, Rows, ScoringFunction, TestRows } from '../../src/index.js';
import {
  type ForeignTransformer,
  FunctionTransformer,
  Pipeline,
  SMOTE,
  StandardScaler,
  tabular,
} from '../../src/preprocessing/index.js';

/** Compiled, never called. */
async function misuses(X: TestRows, read: HeldOut<number[][]>): Promise<unknown[]> {
  const scaler = new StandardScaler();
  const steps = new Pipeline([scaler]);
  return [
    await scaler.transform(X),
    await scaler.transform(await X.toArrays()),
    await steps.transform(X.take(Int32Array.of(0))),
    await steps.transform(read),
    // @ts-expect-error rows that are predicted
    await scaler.fit(X),
    // @ts-expect-error some of them
    await scaler.fit(X.take(Int32Array.of(0))),
    // @ts-expect-error what is read of them, as lists
    await scaler.fit(await X.toArrays()),
    // @ts-expect-error as a block of numbers
    await scaler.fit(await X.toDense()),
    // @ts-expect-error rows that a model of the caller says are predicted
    await scaler.fit(read),
    // @ts-expect-error also with labels
    await scaler.fitTransform(X, [0, 1]),
    // @ts-expect-error a pipeline
    await steps.fit(X),
    // @ts-expect-error a table
    await tabular().fitTransform(X),
    // @ts-expect-error a function
    await new FunctionTransformer((rows) => rows).fit(X),
    // @ts-expect-error more rows made from them
    await new SMOTE().fitResample(X, [0, 1]),
  ];
}

describe('rows that are predicted', () => {
  it('are what adapters, scoring functions and models get to predict', () => {
    expectTypeOf(misuses).returns.resolves.toEqualTypeOf<unknown[]>();
    expectTypeOf<Parameters<FrameworkAdapter['predict']>[1]>().toEqualTypeOf<TestRows>();
    expectTypeOf<Parameters<ScoringFunction>[1]>().toEqualTypeOf<HeldOut<unknown[]>>();
  });

  it('are rows like others where nothing is fitted', () => {
    expectTypeOf<TestRows>().toExtend<Rows>();
    expectTypeOf<Rows>().toExtend<TestRows>();
    expectTypeOf<HeldOut<number[][]>>().toExtend<number[][]>();
    type Fit = Parameters<StandardScaler['fit']>[0];
    expectTypeOf<number[][]>().toExtend<Fit>();
    expectTypeOf<Record<string, unknown>[]>().toExtend<Fit>();
    expectTypeOf<Record<string, number[]>>().toExtend<Fit>();
    expectTypeOf<{ data: Float32Array; shape: number[] }>().toExtend<Fit>();
    expectTypeOf<Matrix>().toExtend<Fit>();
    expectTypeOf<Rows>().toExtend<Fit>();
    expectTypeOf<StandardScaler>().toExtend<ForeignTransformer>();
  });
});
