import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Best } from '../../../src/runner/callbacks/watch.js';

const watch = (monitor: string, minDelta = 0, mode?: 'min' | 'max') => new Best('Some', { monitor, minDelta, mode });

describe('Best', () => {
  it('finds the records of a log, downwards or upwards', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (values) => {
        const [down, up] = [watch('val_loss'), watch('val_roc_auc')];
        values.forEach((value, at) => {
          const before = values.slice(0, at);
          expect(down.improvedBy({ val_loss: value })).toBe(value < Math.min(...before));
          expect(up.improvedBy({ val_roc_auc: value })).toBe(value > Math.max(...before));
        });
      }),
    );
  });

  it('of a metric with a target is what lies nearest to it', () => {
    const best = watch('val_calibration_slope');
    const found = [3, 1.5, 0.4, 0.6, 1].map((slope) => best.improvedBy({ val_calibration_slope: slope }));
    expect(found).toEqual([true, true, false, true, true]);
  });

  it('never takes NaN for better, and forgets at a reset', () => {
    const best = watch('loss');
    expect([1, Number.NaN, 2].map((loss) => best.improvedBy({ loss }))).toEqual([true, false, false]);
    best.reset();
    expect(best.improvedBy({ loss: 2 })).toBe(true);
  });

  it('knows the direction of losses and metrics alone', () => {
    expect(() => watch('val_dense_loss')).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`mode\` option of Some must be 'min' or 'max', since 'val_dense_loss' does not tell which is better. Got nothing.]`,
    );
    expect(() => watch('val_los')).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`mode\` option of Some must be 'min' or 'max', since 'val_los' does not tell which is better. Got nothing. Did you mean 'val_loss'?]`,
    );
    expect(() => watch('val_loss', 0, 'max')).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`mode\` option of Some must be 'min' for 'val_loss'. Got 'max'. Leave it out.]`,
    );
    expect(() => watch('val_calibration_slope', 0, 'max')).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`mode\` option of Some must be left out for 'val_calibration_slope'. Got 'max'. Leave it out.]`,
    );
    expect(watch('val_dense_loss', 0, 'min').improvedBy({ val_dense_loss: 3 })).toBe(true);
  });
});
