/** Test rows are predicted once; a model whose labels are not the most probable class keeps them. */
import { describe, expect, it } from 'vitest';
import { labelsText } from '../../src/runner/ownLabels.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../src/splitters/iid/loocv.js';
import type { Splitter } from '../../src/splitters/splitter.js';

const n = 60;
/** P(1) is the second number; the first one is the number of the row. */
const X = Array.from({ length: n }, (_, row) => [row, ((row * 37) % 97) / 97]);
const y = X.map(([row, p]) => Number(row % 5 === 0 ? p <= 0.5 : p > 0.5));

/** Gives {@link X}'s probability, and labels by the cut-off of its training rows; counts what it is asked by row. */
function spy({ cutoff = (_rows: number[][]): number => 0.5, round = (p: number) => p, tie = 0 } = {}) {
  const calls = { predict: new Map<number, number>(), proba: new Map<number, number>() };
  const count = (of: Map<number, number>, rows: number[][]) => {
    for (const [row] of rows) of.set(row, (of.get(row) ?? 0) + 1);
  };
  const model = () => {
    let cut = 0.5;
    const trained = new Set<number>();
    const testRows = (rows: number[][]) => rows.filter(([row]) => !trained.has(row));
    return {
      fit(rows: number[][]) {
        cut = cutoff(rows);
        for (const [row] of rows) trained.add(row);
      },
      predict(rows: number[][]) {
        count(calls.predict, testRows(rows));
        return rows.map(([, p]) => (round(p) === 0.5 ? tie : Number(round(p) > cut)));
      },
      predictProba(rows: number[][]) {
        count(calls.proba, testRows(rows));
        return rows.map(([, p]) => [1 - round(p), round(p)]);
      },
    };
  };
  return { calls, model };
}

const run = (model: () => object, cvSplitter: Splitter = new KFold({ nSplits: 5 })) =>
  new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({ model, data: [X, y], metrics: ['accuracy'] } as never);
const counts = (calls: Map<number, number>) => [...new Set(Array.from({ length: n }, (_, row) => calls.get(row) ?? 0))];

describe('the rows of a test fold', () => {
  it('are predicted once where the probabilities give the labels', async () => {
    for (const splitter of [new KFold({ nSplits: 5 }), new KFold({ nSplits: 3 })]) {
      const { calls, model } = spy();
      const { outOfFold } = await run(model, splitter);
      expect(counts(calls.proba)).toEqual([1]);
      expect(counts(calls.predict)).toEqual([0]);
      expect(outOfFold.yPred).toEqual(Array.from(outOfFold.row, (row) => Number(X[row][1] > 0.5)));
    }
  });

  it('of ten rows or fewer are asked for labels, too: a look at training rows would cost more', async () => {
    const { calls, model } = spy({ cutoff: () => 0.48 });
    const { outOfFold } = await run(model, new KFold({ nSplits: 6 }));
    expect(counts(calls.proba)).toEqual([1]);
    expect(outOfFold.yPred).toEqual(Array.from(outOfFold.row, (row) => Number(X[row][1] > 0.48)));
    const alone = spy({ cutoff: () => 0.48 });
    expect((await run(alone.model, new LOOCV())).outOfFold.yPred).toEqual(outOfFold.yPred);
  });

  it('keep the labels of a model that is sure of the rows it was trained on', async () => {
    // As nearest neighbours and full-grown trees: 0 or 1 for training rows, so that these show no cut-off.
    const kept = (cut: number) => () => {
      let seen = new Map<number, number>();
      const p = ([row, value]: number[]) => seen.get(row) ?? value;
      return {
        fit(rows: number[][], labels: number[]) {
          seen = new Map(rows.map(([row], at) => [row, labels[at]]));
        },
        predict: (rows: number[][]) => rows.map((each) => Number(p(each) > cut)),
        predictProba: (rows: number[][]) => rows.map((each) => [1 - p(each), p(each)]),
      };
    };
    for (const cut of [0.2, 0.5, 0.7]) {
      const { outOfFold, metadata } = await run(kept(cut), new KFold({ nSplits: 4 }));
      expect(outOfFold.yPred).toEqual(Array.from(outOfFold.row, (row) => Number(X[row][1] > cut)));
      expect(metadata.labels?.startsWith('those that the model gives')).toBe(cut !== 0.5);
    }
  });

  it('lose a cut-off of the model to `recalibrate` not without a warning', async () => {
    const { model } = spy({ cutoff: () => 0.2 });
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 4 }), verbose: 0 });
    const warned = async (more: object) =>
      (await runner.run({ model, data: [X, y], recalibrate: 'platt', ...more })).metadata;
    const lost = await warned({});
    expect(lost.labels).toBe('by .5 of the recalibrated probability');
    expect(lost.warnings.filter((text) => text.includes('`recalibrate` replaces them'))).toHaveLength(1);
    const chosen = await warned({ threshold: 'youden' });
    expect(chosen.labels).toBe('by the threshold of the fold');
    expect(chosen.warnings.some((text) => text.includes('`recalibrate` replaces'))).toBe(false);
  });

  it('are the same for folds that are trained again: labels are found in the same way', async () => {
    // Every 40th row goes its own way, which a look may or may not show.
    const model = () => ({
      fit: () => undefined,
      predict: (rows: number[][]) => rows.map(([row, p]) => Number(row % 40 === 39 ? p <= 0.5 : p > 0.5)),
      predictProba: (rows: number[][]) => rows.map(([, p]) => [1 - p, p]),
    });
    for (let randomState = 0; randomState < 20; randomState++) {
      const cvSplitter = new KFold({ nSplits: 3, shuffle: true, randomState });
      const runner = new UniversalCVRunner({ cvSplitter, verbose: 0, randomState });
      const { metadata } = await runner.run({ model, data: [X, y], metrics: ['accuracy'], verifyIsolation: true });
      expect(metadata.verifiedFolds).toHaveLength(2);
    }
  });

  it('keep the labels of a model with a cut-off of its own, fold by fold', async () => {
    // Only the models that did not see row 7 (fold 0 tests it) cut elsewhere.
    const cutoff = (rows: number[][]) => (rows.some(([row]) => row === 7) ? 0.5 : 0.2);
    const { calls, model } = spy({ cutoff });
    const { outOfFold } = await run(model);
    const expected = Array.from(outOfFold.row, (row) => Number(X[row][1] > (row < 12 ? 0.2 : 0.5)));
    expect(outOfFold.yPred).toEqual(expected);
    expect(counts(calls.proba)).toEqual([1]);
    expect([...calls.predict.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, row) => row));

    const later = spy({ cutoff: (rows) => (rows.some(([row]) => row === 59) ? 0.5 : 0.8) });
    const found = (await run(later.model)).outOfFold;
    expect(found.yPred).toEqual(Array.from(found.row, (row) => Number(X[row][1] > (row >= 48 ? 0.8 : 0.5))));
  });

  it('are said to have been looked at where they were', async () => {
    const labels = async (model: () => object, splitter?: Splitter) => (await run(model, splitter)).metadata.labels;
    const unseen =
      ', and of all test rows less sure than those; a cut-off from .45 to .55 that moves none of these rows is not detected';
    const follow = "the most probable class, as the model's own labels were on 48 training rows of the first model";
    expect(await labels(spy().model)).toBe(`${follow} and 48 of each of 4 later ones${unseen}`);
    expect(await labels(spy().model, new LOOCV())).toBe(`${follow.replace('48', '59')}${unseen}`);
    expect(await labels(spy({ cutoff: () => 0.2 }).model)).toBe(
      'those that the model gives, which are not always the most probable class',
    );
    expect(await labels(() => ({ ...spy().model(), predictProba: undefined }))).toBeNull();
  });

  it('ask for the labels of ties, and of nothing else', async () => {
    const round = (p: number) => Math.round(p * 4) / 4;
    for (const tie of [0, 1]) {
      const { calls, model } = spy({ round, tie });
      const { outOfFold } = await run(model);
      const p = (row: number) => round(X[row][1]);
      expect(outOfFold.yPred).toEqual(
        Array.from(outOfFold.row, (row) => (p(row) === 0.5 ? tie : Number(p(row) > 0.5))),
      );
      const asked = X.filter(([row]) => calls.predict.has(row)).map(([row]) => row);
      expect(asked).toEqual(X.filter(([row]) => p(row) === 0.5).map(([row]) => row));
    }
  });

  it('are asked for labels alone where the model gives no probabilities', async () => {
    const { calls, model } = spy();
    await run(() => ({ ...model(), predictProba: undefined }));
    expect(counts(calls.predict)).toEqual([1]);
  });
});

it('speaks of a cut-off where there are two classes, and of no cut-off where there are three', () => {
  const text = (task: string) =>
    labelsText([{ labels: { looked: 48, own: false }, adjustment: null, table: { task } }] as never);
  expect(text('binary')).toContain('; a cut-off from .45 to .55 that moves none of these rows is not detected');
  expect(text('multiclass')).toMatch(/those; another rule that moves none of these rows is not detected$/);
});
