import { describe, expect, it } from 'vitest';
import { checkLength, checkSideData, groupsOf, weightsOf } from '../../src/core/sideData.js';
import { failure } from '../helpers/failure.js';

describe('groupsOf', () => {
  it('gives codes in ascending order of the ids', () => {
    const groups = groupsOf(['p10', 'p2', 'p10'], 3);
    expect(groups.ids).toEqual(['p10', 'p2']);
    expect(Array.from(groups.codes)).toEqual([0, 1, 0]);
    expect(groups.count).toBe(2);
    expect(groupsOf(Int32Array.of(10, 9, 10), 3).ids).toEqual([9, 10]);
  });

  it('takes mixed ids as text, so that 7 and "7" are one patient', () => {
    expect(groupsOf([7, '7', 'a'], 3).ids).toEqual(['7', 'a']);
  });

  it('leaves what it reads alone', () => {
    const groups = Object.freeze(['b', 'a']);
    groupsOf(groups, 2).codes.fill(7);
    expect(groups).toEqual(['b', 'a']);
  });

  it('messages (reviewed)', () => {
    expect(failure(() => groupsOf(['a', null as unknown as string], 2))).toMatchInlineSnapshot(
      `"missing_group: groups row 1 must be an id (a number or a string). Got null."`,
    );
    expect(failure(() => groupsOf([1, Number.NaN], 2, 'patientIds'))).toMatchInlineSnapshot(
      `"missing_group: patientIds row 1 must be an id (a number or a string). Got NaN."`,
    );
    expect(failure(() => groupsOf([1, 2, 3], 2))).toMatchInlineSnapshot(
      `"length_mismatch: groups must have as many values as X has rows, 2. Got 3."`,
    );
    expect(failure(() => groupsOf(5 as never, 2))).toMatchInlineSnapshot(
      `"invalid_data: groups must be an array. Got 5."`,
    );
  });
});

describe('checkLength', () => {
  it('names the argument and both numbers', () => {
    expect(failure(() => checkLength([1], 3, 'y'))).toMatchInlineSnapshot(
      `"length_mismatch: y must have as many values as X has rows, 3. Got 1."`,
    );
    expect(failure(() => checkLength(null, 3, 'y'))).toMatchInlineSnapshot(
      `"invalid_data: y must be an array. Got null."`,
    );
    expect(() => checkLength(new Float32Array(3), 3, 'y')).not.toThrow();
  });
});

describe('checkSideData', () => {
  const good = {
    groups: ['a', 'b'],
    timestamps: [new Date(0), new Date(1)],
    labelEndTimes: ['2026-01-01', '2026-01-02'],
    coordinates: [
      [0, 1],
      [1, 1],
    ],
    hierarchy: { site: [1, 2], patient: ['x', 'y'] },
    environment: { ozone: Float32Array.of(1, 2) },
  };

  it('takes arrays of the length of X, and none at all', () => {
    expect(() => checkSideData(good, 2)).not.toThrow();
    expect(() => checkSideData({}, 2)).not.toThrow();
  });

  it.each(['groups', 'timestamps', 'labelEndTimes', 'coordinates'])('refuses another length of %s', (name) => {
    expect(failure(() => checkSideData({ ...good, [name]: [1] }, 2))).toBe(
      `length_mismatch: ${name} must have as many values as X has rows, 2. Got 1.`,
    );
  });

  it.each(['hierarchy', 'environment'])('refuses another length of a level of %s', (name) => {
    expect(failure(() => checkSideData({ ...good, [name]: { fine: [1, 2], short: [1] } }, 2))).toBe(
      `length_mismatch: ${name}.short must have as many values as X has rows, 2. Got 1.`,
    );
  });
});

describe('weightsOf', () => {
  it('copies to doubles', () => {
    const weights = [1, 0, 2.5];
    const got = weightsOf(weights, 3);
    expect(got).toEqual(Float64Array.of(1, 0, 2.5));
    got.fill(9);
    expect(weights).toEqual([1, 0, 2.5]);
  });

  it('messages (reviewed)', () => {
    expect(failure(() => weightsOf([1, -1], 2))).toMatchInlineSnapshot(
      `"invalid_data: sampleWeight row 1 must be a finite number >= 0. Got -1."`,
    );
    expect(failure(() => weightsOf([1, Number.NaN], 2))).toMatchInlineSnapshot(
      `"invalid_data: sampleWeight row 1 must be a finite number >= 0. Got NaN."`,
    );
    expect(failure(() => weightsOf([0, 0], 2, 'sampleWeightTest'))).toMatchInlineSnapshot(
      `"invalid_data: sampleWeightTest must hold at least one weight above 0. Got only zeros."`,
    );
    expect(failure(() => weightsOf([1], 2))).toMatchInlineSnapshot(
      `"length_mismatch: sampleWeight must have as many values as X has rows, 2. Got 1."`,
    );
  });
});
