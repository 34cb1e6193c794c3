import { describe, expect, it } from 'vitest';
import { MinMaxScaler } from '../../src/preprocessing/minMaxScaler.js';

describe('MinMaxScaler', () => {
  it('knows no range of a column without a value, as scikit-learn, also after JSON', async () => {
    const scaler = await new MinMaxScaler().fit([
      [1, Number.NaN],
      [3, Number.NaN],
    ]);
    const again = MinMaxScaler.fromJSON(JSON.parse(JSON.stringify(scaler)));
    for (const each of [scaler, again]) expect(await each.transform([[2, 7]])).toEqual([[0.5, Number.NaN]]);
  });
});
