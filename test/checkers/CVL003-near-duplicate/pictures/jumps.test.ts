import { describe, expect, it } from 'vitest';
import {
  negLogP,
  spreadOf,
  stepOf,
  widestGap,
} from '../../../../src/checkers/CVL003-near-duplicate/pictures/searchPictures.js';

describe('jumps', () => {
  it('are measured by the steps behind them', () => {
    // 2, 4, 8 and 16 are 3, 2, 1 doublings from the last: a mean of 2.
    expect(spreadOf([2, 4, 8, 16])).toBeCloseTo(2 * Math.LN2, 12);
    expect(stepOf([1, 8, 8, 8, 8, 16])).toBeCloseTo(3, 12);
    expect(stepOf([1, 2])).toBeNaN();
  });

  it('lie behind one copy or several, and nowhere among few', () => {
    expect(widestGap([1, 8, 8, 8, 8, 16, 16])).toMatchObject({ from: 1, to: 8, at: 1 });
    expect(widestGap([1, 1.1, 8, 9, 10, 11, 12])).toMatchObject({ from: 1.1, to: 8, at: 2 });
    // Behind more than three it is the edge of a kind of pictures.
    expect(widestGap([1, 1, 1, 1, 8, 8, 8, 8, 9]).steps).toBeLessThan(1);
    expect(widestGap([1, 2, 3])).toEqual({ steps: 0, from: 0, to: 0, at: 0 });
  });

  it('are as sure as an exponential law makes them, and less where few steps tell how wide those are', () => {
    // Ten mean steps: exp(-10) if the mean is known, (1 + 10 / 6)^-6 if it is the mean of six.
    const jump = { from: 1, to: Math.exp(10) };
    expect(negLogP(jump, 1, 1e9)).toBeCloseTo(10, 6);
    expect(negLogP(jump, 1, 6)).toBeCloseTo(6 * Math.log(1 + 10 / 6), 12);
  });
});
