/** Segmentation masks, several inputs and further outputs through a whole run. */
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { product } from '../../src/data/dense.js';
import { type Dense, rowsOf } from '../../src/data/rows.js';
import type { FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import { readData } from '../../src/runner/readData.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { failure } from '../helpers/failure.js';

const SIDE = 6;
const N = 40;
const random = randomSource(5);

/** Bright squares in noise; every fifth image has none. The age comes beside, in months. */
const y = { data: new Uint8Array(N * SIDE * SIDE), shape: [N, SIDE, SIDE] };
const image = { data: new Float32Array(N * SIDE * SIDE), shape: [N, SIDE, SIDE, 1] };
const age = Array.from({ length: N }, () => 200 + 700 * random.random());
for (let row = 0; row < N; row++) {
  const [top, left, size] = [0, 0, 0].map(() => random.uint32() % 3);
  for (let at = 0; at < SIDE * SIDE; at++) {
    const [i, j] = [Math.floor(at / SIDE), at % SIDE];
    const inside = row % 5 > 0 && i >= top && j >= left && i <= top + size && j <= left + size;
    y.data[row * SIDE * SIDE + at] = Number(inside);
    image.data[row * SIDE * SIDE + at] = Number(inside) + 0.9 * random.random();
  }
}
const X = { image, age };
const patientIds = Array.from({ length: N }, (_, row) => `p${Math.floor(row / 2)}`);

/** What each batch of a run held. */
interface Seen {
  inputs: (string | undefined)[];
  shape: readonly number[] | undefined;
  auxiliary: Record<string, unknown[]>;
  rows: number[];
}

/** A pixel is as likely as it is bright: nothing to learn, but it reads batches as an adapter does. */
function brightness(): { adapter: FrameworkAdapter; seen: Seen[] } {
  const seen: Seen[] = [];
  const adapter: FrameworkAdapter = {
    name: 'brightness',
    capabilities: { trains: true, epochs: false, probabilities: true, saves: false, auxiliary: true },
    matches: () => true,
    build: async () => ({}),
    async fit(_model, train) {
      seen.push({
        inputs: (await train.X.toInputs()).map(({ name }) => name),
        shape: train.y.shape,
        auxiliary: Object.fromEntries(
          Object.entries(train.auxiliary ?? {}).map(([output, labels]) => [output, labels.toArray()]),
        ),
        rows: Array.from(train.indices),
      });
      return { epochs: [] };
    },
    async predict(_model, rows) {
      const [{ data, shape }] = await rows.toInputs();
      const probabilities = Float64Array.from(data, (value) => Math.min(1, value / 1.9));
      return { probabilities: { data: probabilities, shape: [shape[0], SIDE * SIDE] } };
    },
  };
  return { adapter, seen };
}

/** Dice by hand, from the images themselves. */
const diceOf = (rows: readonly number[]) => {
  const values = rows.map((row) => {
    let [both, sum] = [0, 0];
    for (let at = row * SIDE * SIDE; at < (row + 1) * SIDE * SIDE; at++) {
      const predicted = Math.min(1, image.data[at] / 1.9) > 0.5 ? 1 : 0;
      both += y.data[at] * predicted;
      sum += y.data[at] + predicted;
    }
    return sum === 0 ? 1 : (2 * both) / sum;
  });
  return values.reduce((sum, value) => sum + value, 0) / values.length;
};

const run = (
  more: object = {},
  cvSplitter: Splitter = new KFold({ nSplits: 4 }),
  adapter: FrameworkAdapter = brightness().adapter,
) => new UniversalCVRunner({ cvSplitter, adapter, verbose: 0 }).run({ model: {}, data: { X, y, ...more } });

describe('masks', () => {
  it('are scored by dice and iou, row by row', async () => {
    const cv = await run();
    expect(Object.keys(cv.scores)).toEqual(['dice', 'iou']);
    cv.indices.forEach(({ test }, fold) => {
      expect(cv.scores.dice[fold].value).toBeCloseTo(diceOf(Array.from(test)), 12);
    });
    expect(cv.summary()).toContain('Task    multilabel: y is masks of 6 x 6');
    expect(cv.metadata.classes).toEqual([]);
  });

  it('stand in the out-of-fold table as pixels, from which the scores follow', async () => {
    const { outOfFold: table, probabilities } = await run();
    expect(table.yTrue).toHaveLength(N);
    Array.from(table.row).forEach((row, at) => {
      expect(table.yTrue[at]).toEqual(y.data.subarray(row * SIDE * SIDE, (row + 1) * SIDE * SIDE));
    });
    expect(probabilities[0]).toHaveLength(10 * SIDE * SIDE);
    const [scored] = (await run()).folds;
    expect(scored.status === 'completed' && scored.table.shape).toEqual([SIDE, SIDE]);
  });

  it('are kept whole by groups', async () => {
    const cv = await run({ groups: patientIds }, new GroupKFold({ nSplits: 4, randomState: 1 }));
    expect(cv.metadata.nGroups).toBe(20);
  });

  it('may be given to a splitter as { data, shape } without options', () => {
    const folds = [...new KFold({ nSplits: 4 }).split(N, y)];
    expect(folds).toHaveLength(4);
    expect(failure(() => new KFold().split(N, { ...y, shape: [N + 1, SIDE, SIDE] }))).toMatch(
      /length_mismatch: y .* 40.* 41/,
    );
  });

  it('of a model with fit and predict are nested lists, as they were given', async () => {
    const size = 4;
    const nested = (await rowsOf(y).toArrays()) as number[][][];
    const cv = await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: size }), verbose: 0 }).run({
      model: () => ({
        empty: [] as number[][],
        fit(_rows: unknown[], masks: number[][][]) {
          this.empty = masks[0].map((line) => line.map(() => 0));
        },
        predict(rows: unknown[]) {
          return rows.map(() => this.empty);
        },
      }),
      data: { X: image, y: nested },
    });
    // Nothing is found: only the eight images without a square are right.
    expect(cv.meanScores).toEqual({ dice: 0.2, iou: 0.2 });
  });
});

describe('several inputs and outputs', () => {
  it('reach the adapter by name, row for row', async () => {
    const { adapter, seen } = brightness();
    await run({ auxiliary: { age } }, undefined, adapter);
    expect(seen).toHaveLength(4);
    for (const { inputs, shape, auxiliary, rows } of seen) {
      expect({ inputs, shape }).toEqual({ inputs: ['image', 'age'], shape: [SIDE, SIDE] });
      expect(auxiliary).toEqual({ age: rows.map((row) => age[row]) });
    }
  });

  it('of a row source are the same', async () => {
    const source = {
      length: N,
      take: async (rows: Int32Array) => ({
        image: (await rowsOf(image).take(rows).toDense()) as Dense,
        age: Array.from(rows, (row) => age[row]),
      }),
    };
    expect((await run({ X: source })).scores).toEqual((await run()).scores);
  });
});

describe('spacing', () => {
  it('is of each row, and has an interval by patients', async () => {
    const metrics = ['hd95', 'nsd_by_patient'];
    const dim = () => ({
      fit: () => undefined,
      predict: (rows: number[][][][]) => rows.map((lines) => lines.map((line) => line.map(([v]) => Number(v > 0.7)))),
    });
    const validate = (spacing: number[] | number[][], more = {}) =>
      new CVKitValidator({ nBootstrap: 100, nSplits: 4 }).validate({
        ...{ model: dim, X: image, y, patientIds, metrics, spacing, verbose: 0 as const },
        ...more,
      });
    // Where no square is, noise is found.
    expect((await validate([1, 1])).confidenceIntervals.hd95).toMatchObject({ estimate: null });
    const full = Array.from({ length: N }, (_, row) => row).filter((row) => row % 5 > 0);
    const part = (spacing: number[] | number[][]) =>
      validate(spacing, {
        X: {
          data: Float32Array.from(full.flatMap((row) => [...image.data.slice(row * 36, row * 36 + 36)])),
          shape: [32, 6, 6, 1],
        },
        y: {
          data: Uint8Array.from(full.flatMap((row) => [...y.data.slice(row * 36, row * 36 + 36)])),
          shape: [32, 6, 6],
        },
        patientIds: full.map((row) => patientIds[row]),
      });
    const one = (await part([1, 1])).confidenceIntervals;
    const two = (await part(full.map(() => [2, 2]))).confidenceIntervals;
    expect(one.hd95.estimate).toBeGreaterThan(0);
    for (const bound of ['estimate', 'lower', 'upper'] as const)
      expect(two.hd95[bound]).toBeCloseTo(2 * (one.hd95[bound] as number), 9);
    expect(two.nsd_by_patient.lower).toBeLessThan(two.nsd_by_patient.estimate as number);
    expect([two.hd95, two.nsd_by_patient].map(({ averagedOver }) => averagedOver)).toEqual(['row', 'patient']);
  });

  it.each([
    [{ spacing: [1, 0] }, 'spacing must be numbers above 0, in millimetres. Got 0.'],
    [{ spacing: [[1, 1]] }, 'spacing must be one list for all rows, or one for each of the 40 rows. Got 1.'],
    [{ spacing: [1, 1, 1] }, 'spacing must be one number per axis of space. Got 3 numbers for masks of 6 x 6.'],
    [{ spacing: [1, 1], y: age.map((a) => a > 500) }, 'The `spacing` option of run has no effect: y is no masks.'],
  ])('refuses %j', async (more, message) => {
    await expect(run(more)).rejects.toThrow(message);
  });

  it.each([
    [[6, 6, 3], [4, 4, 1], undefined, '6 x 6 with 3 classes'],
    [[6, 6, 3], [6, 6, 3, 1], undefined, '6 x 6 x 3'],
    [[6, 6, 3], [4], [1, 1], '6 x 6 with 3 classes'],
    [[6, 6, 3], [4, 4, 1], [1, 1, 1], '6 x 6 x 3'],
    [[2, 6, 6, 3], [4], undefined, '2 x 6 x 6 with 3 classes'],
    [[6, 6, 3], [6, 6, 3], [1, 1], '6 x 6 with 3 classes'],
    [[6, 6, 3], [6, 6, 3], [1, 1, 1], '6 x 6 x 3'],
  ])('tells which axis of %j is the classes, by X of %j and %j', (shape, ofX, spacing, text) => {
    const ones = (each: readonly number[]) => ({
      data: new Uint8Array(2 * product(each)).fill(1),
      shape: [2, ...each],
    });
    const problem = readData({ X: ones(ofX), y: ones(shape), ...(spacing && { spacing }) }, {});
    expect(problem.y.why).toMatch(new RegExp(`^y is masks of ${text}(;|$)`));
  });

  it('must say whether rows of X and y of one shape are volumes', () => {
    const cube = { data: new Uint8Array(2 * 216).fill(1), shape: [2, 6, 6, 6] };
    expect(() => readData({ X: cube, y: cube }, {})).toThrow(
      '`spacing` must say which axes are space. Got rows of X and y of 6 x 6 x 6. Pass 3 numbers for volumes, 2 for pictures',
    );
  });
});

describe('the validator', () => {
  const validator = new CVKitValidator({ nBootstrap: 100, nSplits: 4 });

  it('splits masks by rows or by patients, says so, and gives intervals', async () => {
    const common = { model: {}, X, y, verbose: 0 as const };
    const byRows = await validator.validate({ ...common, adapter: brightness().adapter });
    expect(byRows.manifest).toMatchObject({ method: 'kfold', methodReason: 'y is masks', splitter: 'KFold' });
    const { lower, upper, estimate } = byRows.confidenceIntervals.dice;
    expect([lower as number, upper as number].map(Number.isFinite)).toEqual([true, true]);
    expect(estimate).toBeCloseTo(diceOf(Array.from({ length: N }, (_, row) => row)), 12);
    const byPatients = await validator.validate({ ...common, patientIds, adapter: brightness().adapter });
    expect(byPatients.manifest).toMatchObject({ method: 'patient_grouped_kfold', methodReason: 'patients repeat' });
    expect(byPatients.checks[0]).toMatchObject({ code: 'CVL001', status: 'passed' });
    expect(JSON.parse(JSON.stringify(byRows.toJSON())).outOfFold.yTrue[0]).toHaveLength(SIDE * SIDE);
  });

  it('hands on further outputs, also with a given test set, whose own are not asked for', async () => {
    const { adapter, seen } = brightness();
    await validator.validate({ model: {}, X, y, auxiliary: { age }, adapter, verbose: 0 });
    expect(Object.keys(seen[0].auxiliary)).toEqual(['age']);
    const [train, test] = [0, N / 2].map((from) => Int32Array.from({ length: N / 2 }, (_, i) => from + i));
    const sets = {
      ...{ XTrain: rowsOf(X).take(train), yTrain: await rowsOf(y).take(train).toDense() },
      ...{ XTest: rowsOf(X).take(test), yTest: await rowsOf(y).take(test).toDense() },
      auxiliary: { age: age.slice(0, N / 2) },
    };
    const result = await new CVKitValidator({ nBootstrap: 100 }).fitValidate({
      ...{ ...sets, model: {}, adapter, verbose: 0 },
    });
    expect(result.scores.dice[0].value).toBeCloseTo(diceOf(Array.from(test)), 12);
    expect(seen.at(-1)?.auxiliary).toEqual(sets.auxiliary);
  });
});
