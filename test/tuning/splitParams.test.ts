import { describe, expect, it } from 'vitest';
import { preparationOf } from '../../src/preprocessing/preparation.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { splitParams } from '../../src/tuning/splitParams.js';
import { thrown } from '../helpers/thrown.js';

const scale = preparationOf([['scale', new StandardScaler()]]);

describe('splitParams', () => {
  it('gives names with `__` to the preparation, and all others to the model', async () => {
    const params = { C: 1, scale__withMean: false, scale: 'l2', units_: 3 };
    expect(splitParams(params, scale)).toEqual({
      model: { C: 1, scale: 'l2', units_: 3 },
      preparation: { scale__withMean: false },
    });
    expect(splitParams({ C: 1 }, undefined)).toEqual({ model: { C: 1 }, preparation: {} });
    const texts = [
      await thrown(() => splitParams({ C: 1, scale__withMean: false }, undefined)),
      await thrown(() => splitParams({ scaler__withMean: false }, scale)),
      await thrown(() => splitParams({ clf__C: 1 }, scale)),
    ];
    expect(texts).toEqual([
      expect.stringMatching(/\(unknown_step\): .*'scale__withMean'.*`__`.*`preprocessing`/),
      expect.stringMatching(/\(unknown_step\): .*'scaler__withMean'.*'scaler'.*'scale'/),
      expect.stringMatching(/\(unknown_step\): .*'clf__C'.*'clf'/),
    ]);
  });

  it('asks a function nothing: it is given all of them', () => {
    const chosen = preparationOf(() => new StandardScaler(), { byParams: true });
    expect(splitParams({ any__name: 1, C: 2 }, chosen)).toEqual({ model: { C: 2 }, preparation: { any__name: 1 } });
  });
});
