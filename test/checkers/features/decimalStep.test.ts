import { describe, expect, it } from 'vitest';
import { decimalStep } from '../../../src/checkers/features/decimalStep.js';

const step = (...values: number[]) => decimalStep(Float64Array.from(values));

describe('stepOf', () => {
  it('is the last decimal that any value has', () => {
    expect(step(3, -7, 0)).toBe(1);
    expect(step(3, 0.5, -7)).toBe(0.1);
    expect(step(12.34, 0.5)).toBe(0.01);
    expect(step(1.23456789e-3, 2)).toBe(0); // eleven decimals
    expect(step(1e-8, 1)).toBe(1e-8);
    expect(step(1e-300, 1)).toBe(0);
  });

  it('sees decimals through rounding errors, single precision and missing cells', () => {
    expect(step(0.1 + 0.2, 0.7)).toBe(0.1); // 0.30000000000000004
    expect(step(Math.fround(0.1), Math.fround(2.7))).toBe(0.1);
    expect(step(Number.NaN, 0.25)).toBe(0.01);
  });

  it('is 0 for numbers with all their decimals', () => {
    expect(step(Math.PI, Math.E)).toBe(0);
  });
});
