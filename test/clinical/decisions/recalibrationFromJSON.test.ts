import { describe, expect, it } from 'vitest';
import { betaCalibration } from '../../../src/clinical/decisions/betaCalibration.js';
import { isotonicRegression } from '../../../src/clinical/decisions/isotonicRegression.js';
import { plattScaling } from '../../../src/clinical/decisions/plattScaling.js';
import { recalibrationFromJSON } from '../../../src/clinical/decisions/recalibrationFromJSON.js';
import reference from '../../reference/decisions.json' with { type: 'json' };

describe('recalibrationFromJSON', () => {
  it.each([plattScaling, isotonicRegression, betaCalibration])('reads what %o wrote', (calibrate) => {
    const { yTrue, yProba } = reference.binary[1];
    const fitted = calibrate(yTrue, yProba);
    const read = recalibrationFromJSON(JSON.parse(JSON.stringify(fitted)));
    expect(read.apply(yProba)).toEqual(fitted.apply(yProba));
    expect(read.toJSON()).toEqual(fitted.toJSON());
  });

  it.each([null, {}, { method: 'platt', slope: 1 }, { method: 'isotonic', from: [0.2, 0.1], to: [0, 1] }, 'platt'])(
    'refuses %j',
    (json) => {
      expect(() => recalibrationFromJSON(json as never)).toThrow('A saved recalibration must be what its toJSON gave.');
    },
  );
});
