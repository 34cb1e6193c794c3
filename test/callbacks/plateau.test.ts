import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Plateau } from '../../src/callbacks/plateau.js';
import type { EpochLogs } from '../../src/runner/frameworkAdapter.js';

const watch = (monitor: string, minDelta = 0, mode?: 'min' | 'max') => {
  const plateau = new Plateau('Some', { monitor, minDelta, mode });
  return { improvedBy: (logs: EpochLogs) => plateau.epochsSinceBest(logs) === 0, plateau };
};

describe('Plateau', () => {
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

  it('never takes NaN for better', () => {
    const best = watch('loss');
    expect([1, Number.NaN, 2].map((loss) => best.improvedBy({ loss }))).toEqual([true, false, false]);
  });

  it('counts epochs since the best one; a restart counts anew and keeps the best', () => {
    const { plateau } = watch('loss');
    const after = (loss: number) => plateau.epochsSinceBest({ loss });
    expect([1, 2, 3, 0.5, 0.6].map(after)).toEqual([0, 1, 2, 0, 1]);
    plateau.restart();
    expect([0.7, 0.5, 0.4].map(after)).toEqual([1, 2, 0]);
  });

  it('takes a direction for other logs', () => {
    expect(watch('val_dense_loss', 0, 'min').improvedBy({ val_dense_loss: 3 })).toBe(true);
  });
});
