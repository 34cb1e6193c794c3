/** Scalers of channels and of sequences. Expected numbers: test/reference/channelScalers.py (scikit-learn). */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rowsOf } from '../../src/data/rows.js';
import {
  ChannelScaler,
  FunctionTransformer,
  Pipeline,
  Resize,
  SequenceScaler,
  transformerFromJSON,
} from '../../src/preprocessing/index.js';
import { preparationOf } from '../../src/preprocessing/preparation.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { thrown } from '../helpers/thrown.js';

interface Case {
  readonly name: string;
  readonly shape: number[];
  readonly fit: (number | null)[];
  readonly laterShape: number[];
  readonly later: (number | null)[];
  readonly mean: number[];
  readonly scale: number[];
  readonly expected: (number | null)[];
}

const { cases } = JSON.parse(readFileSync('test/reference/channelScalers.json', 'utf8')) as { cases: Case[] };
const SCALERS = { ChannelScaler, SequenceScaler } as Record<string, typeof ChannelScaler>;
const dense = (values: (number | null)[], shape: number[]) => ({
  data: Float64Array.from(values, (value) => value ?? Number.NaN),
  shape,
});
const near = (got: ArrayLike<number>, wanted: (number | null)[]) => {
  expect(got.length).toBe(wanted.length);
  wanted.forEach((value, at) => {
    if (value === null) expect(got[at]).toBeNaN();
    else expect(Math.abs(got[at] - value)).toBeLessThan(1e-9 * Math.max(1, Math.abs(value)));
  });
};

it.each(cases.map((each): [string, Case] => [`${each.name} of [${each.shape}]`, each]))(
  '%s is what StandardScaler is for each channel',
  async (_, { name, shape, fit, laterShape, later, mean, scale, expected }) => {
    const X = dense(fit, shape);
    const source = {
      length: shape[0],
      take: (rows: Int32Array) => {
        const width = X.data.length / shape[0];
        const data = Array.from(rows, (row) => [...X.data.subarray(row * width, (row + 1) * width)]).flat();
        return { data: Float64Array.from(data), shape: [rows.length, ...shape.slice(1)] };
      },
    };
    for (const rows of [X, source]) {
      const scaler = await new SCALERS[name]().fit(rows);
      near(scaler.mean, mean);
      near(scaler.scale, scale);
      const after = await scaler.transform(dense(later, laterShape));
      near(after.data, expected);
      const again = transformerFromJSON(JSON.parse(JSON.stringify(scaler))) as ChannelScaler;
      expect(await again.transform(dense(later, laterShape))).toEqual(after);
      expect(await thrown(() => scaler.clone().transform(X))).toContain('(not_fitted)');
    }
  },
);

it('another value may be padding, or none', async () => {
  const X = { data: Float32Array.of(1, 3, -9, -9), shape: [2, 2, 1] };
  expect((await new SequenceScaler({ maskValue: -9 }).fit(X)).mean).toEqual(Float64Array.of(2));
  const all = await new SequenceScaler({ maskValue: null, withStd: false }).fitTransform(X);
  expect(all).toEqual({ data: Float32Array.of(4.5, 6.5, -5.5, -5.5), shape: [2, 2, 1] });
  expect(X.data[0]).toBe(1);
});

it('refuses other channels, and channels without numbers', async () => {
  const colours = { data: new Float32Array(12).fill(2), shape: [1, 2, 2, 3] };
  const scaler = await new ChannelScaler().fit(colours);
  expect(await thrown(() => scaler.transform({ data: new Float32Array(4), shape: [1, 2, 2, 1] }))).toMatch(
    /\(column_mismatch\): .*that it was fitted on, 3\. Got 1/,
  );
  const none = { data: Float32Array.of(Number.NaN, 1), shape: [1, 1, 1, 2] };
  expect(await thrown(() => new ChannelScaler().fit(none))).toMatch(/\(empty_channel\): .*Channel 0 .*Got none/);
  expect(await thrown(() => new SequenceScaler().fit({ data: new Float32Array(4), shape: [2, 2, 1] }))).toContain(
    'Got none',
  );
  const infinite = { data: Float32Array.of(Infinity, 1), shape: [1, 2, 1] };
  expect(await thrown(() => new SequenceScaler().fit(infinite))).toContain('Got infinite ones');
  const damaged = JSON.parse(JSON.stringify(scaler).replace(/"scale",\{"float64":\[1/, '"scale",{"float64":[-1'));
  expect(await thrown(() => transformerFromJSON(damaged))).toContain('(other_json)');
});

it('is no way to vectors of a frozen network before it is fitted', () => {
  class Frozen extends FunctionTransformer {
    override frozenSteps = () => ['a network'];
  }
  const frozen = new Frozen((rows) => rows);
  const X = rowsOf({ data: new Float32Array(8), shape: [2, 2, 2] });
  expect(preparationOf([new Resize({ size: 1 }), frozen]).embedded(X)?.length).toBe(2);
  expect(preparationOf([new ChannelScaler(), frozen]).embedded(X)).toBeUndefined();
});

it('learns in each fold on its training rows', async () => {
  const data = Float32Array.from({ length: 8 * 16 }, (_, at) => (at < 64 ? 0 : 10) + (at % 5));
  const means: number[] = [];
  const results = await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 }).run({
    model: () => ({
      fit: (X: number[][][]) => means.push(X.flat(2).reduce((sum, value) => sum + value, 0)),
      predict: (X: unknown[]) => X.map((_, at) => at % 2),
    }),
    data: [{ data, shape: [8, 4, 4] }, [0, 1, 0, 1, 0, 1, 0, 1]],
    preprocessing: new Pipeline([new Resize({ size: 2 }), new ChannelScaler()]),
    metrics: ['accuracy'],
  });
  for (const mean of means) expect(mean).toBeCloseTo(0, 4);
  expect(results.metadata.preprocessing).toMatchObject({ steps: 'Resize({ size: 2 }), ChannelScaler', learns: true });
});
