import { describe, expect, it } from 'vitest';
import { detectAdapter } from '../../src/runner/detectAdapter.js';
import { NearestMean } from '../helpers/nearestMean.js';

describe('detectAdapter', () => {
  it('a plain estimator is found by its methods', async () => {
    const model = new NearestMean();
    expect((await detectAdapter(model)).name).toBe('estimator');
    await expect(detectAdapter({ predict: () => 1 })).rejects.toMatchObject({ code: 'unknown_model' });
  });
});
