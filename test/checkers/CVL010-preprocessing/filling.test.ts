import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillingOf, preprocessing } from '../../../src/checkers/CVL010-preprocessing/preprocessing.js';
import { randomSource } from '../../../src/core/random.js';
import { labelsOf } from '../../../src/data/labels.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import reference from '../../reference/preprocessing.json' with { type: 'json' };
import kinds from '../../reference/preprocessingKinds.json' with { type: 'json' };
import { judged } from '../judged.js';

// scikit-learn: test/reference/preprocessing.py and preprocessingKinds.py
const splitter = new KFold({ nSplits: 5, shuffle: true, randomState: 3 });
const cases = [...reference.cases, ...kinds.cases];
const made = (name: string) => cases.find((each) => each.name === name) as (typeof cases)[number];
const column = (values: ArrayLike<number>) => ({
  name: 'c',
  kind: 'number' as const,
  values: Float64Array.from(values),
});
const found = (values: ArrayLike<number>, y?: number[]) => fillingOf([column(values)], y && labelsOf(y))?.filling;

/** Whole numbers around 60, and holes where `hole` is the row. */
const ages = (random: { random(): number }, n = 200) =>
  Array.from({ length: n }, () => Math.round(60 + 20 * (random.random() + random.random() - 1)));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('filling', () => {
  it.each(['impute:mean', 'impute:median', 'impute:class-mean', 'target:mean'])(
    'sees the trace of what scikit-learn fitted to all rows: %s',
    async (name) => {
      const { all, train, labels } = made(name);
      const y = labels ? { y: kinds.y } : {};
      const [leaking, clean] = [all, train].map((X) => judged(preprocessing, { X: X as number[][], splitter, ...y }));
      expect(await leaking).toMatchObject({ status: 'needs_review', evidence: { signature: name } });
      expect((await leaking).severity).toBe(labels ? 'high' : 'low');
      expect((await clean).status).toBe('not_evaluated');
    },
  );

  it('says which value fills which column', async () => {
    const values = ages(randomSource(1));
    const known = values.filter((_, row) => row % 20 > 0);
    const X = values.map((value, row) => [row % 20 > 0 ? value : mean(known), 7 - value]);
    const finding = await judged(preprocessing, { X, splitter });
    expect(finding.message).toMatch(
      /^Over all rows, and not over the training rows of a fold, `feature 0` \(\d\d\.\d+ in 10 rows\): a value that comes again and again is the mean of the other rows, as if missing cells were filled with it before X was split\.$/,
    );
    expect(finding).toMatchObject({
      evidence: { scaled: 1, columns: 2, examples: [{ feature: 'feature 0', value: mean(known), rows: 10 }] },
      concerns: { count: 1, of: 2, unit: 'column' },
    });
    expect(finding.fix).toContain('missing cells as missing');
  });

  it('finds means that were rounded, or cut to single precision', () => {
    const values = ages(randomSource(5));
    const known = mean(values.filter((_, row) => row % 20 > 0));
    for (const value of [known, Math.fround(known), Number(known.toFixed(3))]) {
      expect(found(values.map((each, row) => (row % 20 > 0 ? each : value)))).toBe('impute:mean');
    }
    // Rounded like the others, it is as common as they are.
    expect(found(values.map((each, row) => (row % 20 > 0 ? each : Math.round(known))))).toBeUndefined();
  });

  it('finds filling by class where the mean of all does not show it', () => {
    const random = randomSource(3);
    const y = Array.from({ length: 200 }, () => Number(random.random() < 0.4));
    const values = ages(random).map((value, row) => value + 10 * y[row]);
    const ofClass = [0, 1].map((code) => mean(values.filter((_, row) => y[row] === code && row % 20 > 0)));
    const filled = values.map((value, row) => (row % 20 > 0 ? value : ofClass[y[row]]));
    expect([found(filled, y), found(filled)]).toEqual(['impute:class-mean', undefined]);
  });

  it('finds codes by the label of either class, and of numbers', () => {
    const random = randomSource(4);
    const levels = Array.from({ length: 200 }, () => Math.floor(8 * random.random()));
    const y = levels.map((level) => Number(random.random() < 0.2 + 0.05 * level));
    const share = (labels: number[]) => levels.map((at) => mean(labels.filter((_, row) => levels[row] === at)));
    expect(found(share(y), y)).toBe('target:mean');
    expect(found(share(y.map((each) => 1 - each)), y)).toBe('target:mean');
    const numbers = y.map((each) => each + random.random());
    expect(found(share(numbers), numbers)).toBe('target:mean');
    expect(found(y, y)).toBeUndefined();
  });

  it('finds codes of many levels, in whichever order the rows come', () => {
    const random = randomSource(8);
    const levels = Array.from({ length: 6000 }, () => Math.floor(150 * random.random()));
    const y = levels.map((level) => Number(random.random() < 0.2 + 0.004 * level));
    const [sums, counts] = [new Float64Array(150), new Float64Array(150)];
    levels.forEach((level, row) => {
      sums[level] += y[row];
      counts[level]++;
    });
    const coded = levels.map((at) => sums[at] / counts[at]);
    expect(found(coded, y)).toBe('target:mean');
  });

  it('accuses no column of measurements: values that repeat, zeros of many, levels around their middle, limits', () => {
    const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
    const kindsOfColumns: Record<string, (random: { random(): number }, row: number) => number> = {
      ages: (random) => Math.round(40 + 40 * random.random()),
      'changes, none in many': (random) => (random.random() < 0.3 ? 0 : random.random() - 0.5),
      'a limit of detection': (random) => Math.max(0.2, random.random()),
      'levels of a seventh': (_, row) => (row % 5) / 7,
      'a line': (_, row) => row / 199,
      'unknown is a half': (random, row) => (row % 10 ? Number(random.random() < 0.5) : 0.5),
      'three levels': (random) => [0, 0.5, 1][Math.floor(3 * random.random())],
    };
    for (const [name, draw] of Object.entries(kindsOfColumns)) {
      fc.assert(
        fc.property(seeds, (seed) => {
          const random = randomSource(seed);
          const y = Array.from({ length: 200 }, () => Number(random.random() < 0.4));
          const drawn = y.map((_, row) => draw(random, row));
          expect(found(drawn, y), name).toBeUndefined();
        }),
        { numRuns: 60, seed: 5 },
      );
    }
  });

  it('tells the rows of the fit from others, and one class from all', () => {
    const values = ages(randomSource(5));
    const known = mean(values.filter((_, row) => row % 20 > 0));
    const filled = column(values.map((each, row) => (row % 20 > 0 ? each : known)));
    const trace = fillingOf([filled], undefined);
    expect(trace?.holdsFor(Int32Array.from(values.keys()))).toBe(true);
    expect(trace?.holdsFor(Int32Array.from(values.keys()).subarray(40))).toBe(false);
    const one = { ...labelsOf(values.map((_, row) => row % 2)), codes: new Int32Array(200) };
    expect(fillingOf([filled], one)?.filling).toBe('impute:mean');
  });
});
