import { describe, expect, it } from 'vitest';
import {
  areaExceeds,
  correlationExceeds,
  targetAssociation,
} from '../../../src/checkers/CVL009-feature-target/association.js';
import { classColumn } from '../../../src/checkers/CVL009-feature-target/classColumn.js';
import {
  type Independent,
  independentOf,
  screenTargets,
  type Target,
} from '../../../src/checkers/CVL009-feature-target/targets.js';
import { labelsOf } from '../../../src/data/labels.js';
import reference from '../../reference/featureTarget.json' with { type: 'json' };

const { x, y, numbers, groups } = reference;
const associationOf = (values: ArrayLike<number>, target: Target, independent: Independent) =>
  targetAssociation(classColumn({ name: 'x', kind: 'number', values: Float64Array.from(values) }, independent), target);
const binary = screenTargets(labelsOf(y))[0];
const continuous = screenTargets(labelsOf(numbers))[0];
const rows = independentOf({}, y.length);
const patients = independentOf({ groups }, y.length);

describe('targetAssociation', () => {
  it('gives the area and the robust score test of classes, by rows and by patients', () => {
    const found = associationOf(x, binary, rows);
    expect(found.auc).toBeCloseTo(reference.auc, 12);
    expect(found.p).toBeCloseTo(reference.p.rows, 10);
    expect(associationOf(x, binary, patients).p).toBeCloseTo(reference.p.patients, 10);
  });

  it('does not care which way the feature points', () => {
    const turned = associationOf(
      x.map((value) => -value),
      binary,
      rows,
    );
    expect(turned.auc).toBeCloseTo(reference.auc, 12);
  });

  it('gives the rank correlation with numbers', () => {
    const found = associationOf(x, continuous, patients);
    expect(found.auc).toBeNull();
    expect(found.p).toBeCloseTo(reference.p.numbers, 10);
    expect(found.r).toBeCloseTo(reference.spearman, 12);
  });

  it('leaves rows without a value out', () => {
    const [target] = screenTargets(labelsOf([...y, 1]));
    const found = associationOf([...x, Number.NaN], target, independentOf({}, 81));
    expect(found.auc).toBeCloseTo(reference.auc, 12);
  });

  it('is undone by neither one row far out nor huge or tiny values', () => {
    const values = Float64Array.from({ length: 60 }, (_, at) => Math.sin(at ** 2));
    const other = Float64Array.from({ length: 60 }, (_, at) => Math.cos(3 * at ** 2));
    values[7] = other[7] = 1e6; // Pearson's correlation of all rows is 1 to six digits.
    const target: Target = screenTargets(labelsOf(other, { task: 'regression' }))[0];
    expect(associationOf(values, target, independentOf({}, 60)).r).toBeLessThan(0.5);
    for (const scale of [1e300, 1e-300]) {
      const found = associationOf(
        numbers.map((each) => each * scale),
        continuous,
        rows,
      );
      expect(found.r).toBe(1);
    }
  });

  it('is null where nothing varies', () => {
    expect(
      associationOf(
        x.map(() => 1),
        binary,
        rows,
      ),
    ).toEqual({ auc: null, r: null, p: null });
  });
});

describe('areaExceeds', () => {
  it('is a score test with the variance of Hanley and McNeil at the mark', () => {
    // Q1 = .9 / 1.1, Q2 = 1.62 / 1.9; (.09 + 39 (Q1 - .81) + 59 (Q2 - .81)) / 2400 = .00121848; .9 + 2.3263 SE = .98120.
    expect([0.9811, 0.9813].map((auc) => areaExceeds(auc, 0.9, 40, 60, 0.01))).toEqual([false, true]);
  });
});

describe('correlationExceeds', () => {
  it.each(reference.correlation)('has the p-value $p at r = $r of $units', ({ r, units, p }) => {
    expect(correlationExceeds(r, 0.95, units, p * (1 + 1e-9))).toBe(true);
    expect(correlationExceeds(r, 0.95, units, p * (1 - 1e-9))).toBe(false);
  });

  it('is silent below ten units', () => {
    expect(correlationExceeds(1, 0.95, 9, 0.01)).toBe(false);
    expect(correlationExceeds(1, 0.95, 10, 0.01)).toBe(true);
  });
});
