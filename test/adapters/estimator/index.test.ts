import { describe, expect, it } from 'vitest';
import type { Estimator } from '../../../adapters/estimator/index.js';
import { estimatorAdapter } from '../../../adapters/estimator/index.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { batchOf, context, fitOptions, NO_HOOKS, table } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const { X, y } = table(20);
const words = y.map((label) => (label ? 'yes' : 'no'));

const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 });

/** Remembers what it was trained with and predicts the first label. */
class Recorder implements Estimator {
  seen: unknown[] = [];
  freed = 0;
  fit(rows: unknown[], labels: unknown[], sampleWeight?: number[]) {
    this.seen = [rows, labels, sampleWeight];
  }
  predict(rows: unknown[]) {
    return rows.map(() => (this.seen[1] as unknown[])[0]);
  }
  free() {
    this.freed++;
  }
}

const trainOn = (model: Estimator, batch = batchOf(X, words), options = fitOptions()) =>
  estimatorAdapter.fit(model, batch, options, NO_HOOKS);
const predict = (model: Estimator, classes: unknown[] = ['no', 'yes']) =>
  estimatorAdapter.predict(model, batchOf(X, words).X, { task: 'binary', classes: classes as never });

it('nameOf is the name of the class, which a run tells; plain objects have none', async () => {
  const run = (model: () => Estimator) => runner.run({ model, data: [X, words] });
  expect((await run(() => new Recorder())).metadata.model).toBe('Recorder');
  const plain = { fit: (_: unknown[]) => undefined, predict: (rows: unknown[]) => rows.map(() => 'yes') };
  expect((await run(() => ({ ...plain }))).metadata.model).toBeNull();
  for (const unnamed of [new (class {})(), null]) expect(estimatorAdapter.nameOf?.(unnamed)).toBeUndefined();
});

describe('build', () => {
  it('calls a factory, sync or async, and refuses what is no model', async () => {
    const model = new Recorder();
    expect(await estimatorAdapter.build(async () => model, context())).toBe(model);
    expect(await thrown(() => estimatorAdapter.build(() => ({ predict: 1 }) as never, context()))).toMatch(
      /\(invalid_model\): .*Got an object with/,
    );
  });

  it('copies an instance or refuses it', async () => {
    const model = Object.assign(new Recorder(), { freed: 3 });
    const free = await thrown(() => estimatorAdapter.build(model, context())); // it has free()
    expect(free).toContain('() => new Recorder(...)');
    const methods = { ...model, fit: () => 1, predict: () => 1, free: undefined };
    const plain = Object.assign(Object.create(methods), { a: [1] });
    expect(await estimatorAdapter.build(plain, context())).toEqual(plain);
  });
});

describe('a model without predict', () => {
  const model = {
    fit: () => undefined,
    predict_proba: (rows: unknown[]) => rows.map((_, row) => (row % 3 ? [0.2, 0.8] : [0.7, 0.3])),
  };

  it('gives probabilities alone, from which labels follow', async () => {
    expect(await predict(model)).not.toHaveProperty('values');
    const run = (each: object) =>
      runner.run({ model: () => ({ ...each }), data: [X, y], metrics: ['accuracy', 'roc_auc'] });
    const both = { ...model, predict: (rows: unknown[]) => rows.map((_, row) => (row % 3 ? 1 : 0)) };
    const [alone, beside] = [await run(model), await run(both)];
    expect(alone.outOfFold.yPred).toEqual(beside.outOfFold.yPred);
    expect(alone.scores).toEqual(beside.scores);
  });
});

describe('fit', () => {
  it('passes rows and labels as the caller wrote them, and no epochs', async () => {
    const model = new Recorder();
    expect(await trainOn(model)).toEqual({ epochs: [], model: expect.objectContaining({ class: expect.any(String) }) });
    expect(model.seen).toEqual([X, words, undefined]);
    const records = X.map(([a, b]) => ({ a, b }));
    await trainOn(model, batchOf(records, words));
    expect(model.seen[0]).toEqual(records);
  });

  it('passes weights as the third argument', async () => {
    const model = new Recorder();
    const sampleWeight = Float64Array.from(y, (_, row) => 1 + (row % 2));
    await trainOn(model, batchOf(X, words, { sampleWeight }), fitOptions({ classWeight: { no: 3, yes: 0 } }));
    expect(model.seen[2]).toEqual(y.map((label) => (label ? 0 : 3))); // by hand: 1 * 3, as given
  });

  it('seeds Math.random while it trains', async () => {
    const drawn: number[] = [];
    const model: Estimator = { fit: () => void drawn.push(Math.random()), predict: () => [] };
    await trainOn(model, undefined, fitOptions({ seed: 1 }));
    await trainOn(model, undefined, fitOptions({ seed: 1 }));
    await trainOn(model, undefined, fitOptions({ seed: 2 }));
    expect(drawn[0]).toBe(drawn[1]);
    expect(drawn[2]).not.toBe(drawn[0]);
  });

  it('waits for async training and does not start once aborted', async () => {
    let done = false;
    const model: Estimator = {
      train: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        done = true;
      },
      predict: () => [],
    };
    const reason = new Error('stop');
    await expect(trainOn(model, undefined, fitOptions({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(done).toBe(false);
    await trainOn(model);
    expect(done).toBe(true);
  });
});

describe('predict', () => {
  it('gives labels, and probabilities where the model has them', async () => {
    const model = new Recorder();
    await trainOn(model);
    expect(await predict(model)).toEqual({ values: words.map(() => 'no') });
    const sure = Object.assign(model, { predictProba: (rows: unknown[]) => rows.map(() => [1, 0]) });
    expect((await predict(sure)).probabilities?.shape).toEqual([20, 2]);
  });

  it('gives numbers for regressions', async () => {
    const model: Estimator = { fit: () => undefined, predict: (rows) => rows.map((_, row) => [row / 2]) };
    const { values } = await estimatorAdapter.predict(model, batchOf(X, y).X, { task: 'regression', classes: [] });
    expect(values).toEqual(Float64Array.from(X, (_, row) => row / 2));
  });
});

it('dispose calls free or dispose, one of them, once', () => {
  const model = new Recorder();
  estimatorAdapter.dispose?.(model);
  expect(model.freed).toBe(1);
  let disposed = 0;
  estimatorAdapter.dispose?.({ predict: () => [], dispose: () => void disposed++ });
  estimatorAdapter.dispose?.({ predict: () => [] });
  expect(disposed).toBe(1);
});
