import { describe, expect, it } from 'vitest';
import { Pipeline } from '../../src/preprocessing/pipeline.js';
import { SimpleImputer } from '../../src/preprocessing/simpleImputer.js';
import { SMOTE } from '../../src/preprocessing/smote.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { transformerFromJSON } from '../../src/preprocessing/transformerFromJSON.js';
import { thrown } from '../helpers/thrown.js';

const rows = [[1], [null], [3]];

describe('Pipeline', () => {
  it('does its steps one after the other', async () => {
    const pipeline = new Pipeline([new SimpleImputer(), new StandardScaler()]);
    const made = await pipeline.fitTransform(rows);
    const byHand = await new StandardScaler().fitTransform(await new SimpleImputer().fitTransform(rows));
    expect(made).toEqual(byHand);
    expect(pipeline.getFeatureNamesOut()).toEqual(['x0']);
    expect(pipeline.describe()).toBe('SimpleImputer, StandardScaler');
    expect((pipeline.namedSteps.standardscaler as StandardScaler).mean[0]).toBe(2);
  });

  it('comes back from JSON as it was, fitted or not', async () => {
    const pipeline = new Pipeline([
      ['fill', new SimpleImputer({ strategy: 'median' })],
      ['scale', new StandardScaler()],
    ]);
    const read = () => transformerFromJSON(JSON.parse(JSON.stringify(pipeline))) as Pipeline;
    expect(await thrown(() => read().transform(rows))).toMatch(/\(not_fitted\): .*Got one that is/);
    await pipeline.fit(rows);
    expect(await read().transform(rows)).toEqual(await pipeline.transform(rows));
    expect(read().steps.map(([name]) => name)).toEqual(['fill', 'scale']);
  });

  it('leaves steps that resample out of transform', async () => {
    const X = [[0], [1], [2], [3], [9], [10]];
    const pipeline = new Pipeline([new SMOTE({ kNeighbors: 1, randomState: 1 }), new StandardScaler()]);
    expect(await pipeline.fitTransform(X, [0, 0, 0, 0, 1, 1])).toHaveLength(6);
    expect(pipeline.resamplers()).toEqual(['SMOTE']);
  });

  it('copies itself without what it has learnt', async () => {
    const pipeline = await new Pipeline([new StandardScaler()]).fit([[1], [2]]);
    expect(await thrown(() => pipeline.clone().transform([[1]]))).toContain('not_fitted');
    const own = { fit: () => undefined, transform: (X: unknown[]) => X };
    expect(await thrown(() => new Pipeline([own]).clone())).toMatch(/\(instance_refused\): .*`clone`/);
  });

  it('numbers two steps of a class', () => {
    const twice = new Pipeline([new StandardScaler(), new StandardScaler()]);
    expect(twice.steps.map(([name]) => name)).toEqual(['standardscaler-1', 'standardscaler-2']);
  });
});
