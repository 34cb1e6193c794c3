import { describe, expect, it } from 'vitest';
import { preparationOf } from '../../src/preprocessing/preparation.js';
import { splitParams } from '../../src/preprocessing/splitParams.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
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
    expect(texts).toMatchInlineSnapshot(`
      [
        "InvalidOptionError (unknown_step): The parameter 'scale__withMean' must be one of a step of \`preprocessing\`, as \`__\` in its name says. Got no \`preprocessing\`. Pass the step, or leave \`__\` out of the names of parameters of the model.",
        "InvalidOptionError (unknown_step): The parameter 'scaler__withMean' must begin with the name of a step. Got 'scaler'. Did you mean 'scale'?",
        "InvalidOptionError (unknown_step): The parameter 'clf__C' must begin with the name of a step. Got 'clf'. The steps are: scale.",
      ]
    `);
  });

  it('asks a function nothing: it is given all of them', () => {
    const chosen = preparationOf(() => new StandardScaler(), { byParams: true });
    expect(splitParams({ any__name: 1, C: 2 }, chosen)).toEqual({ model: { C: 2 }, preparation: { any__name: 1 } });
  });
});
