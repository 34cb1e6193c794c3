import { describe, expect, it } from 'vitest';
import type { EpochContext } from '../../../src/runner/callback.js';
import { EarlyStopping } from '../../../src/runner/callbacks/earlyStopping.js';

const ctx = {} as EpochContext;
const stopsAt = (callback: EarlyStopping, values: number[], log = 'val_loss') => {
  callback.onFoldStart();
  return values.findIndex((value) => callback.onEpochEnd(ctx, { [log]: value }) === 'stop');
};

describe('EarlyStopping', () => {
  it('stops after `patience` epochs without improvement, counted from the best', () => {
    // As Keras: the second epoch without improvement is the one that stops.
    expect(stopsAt(new EarlyStopping({ patience: 2 }), [1, 0.9, 0.95, 0.94, 0.93, 0.92])).toBe(3);
    expect(stopsAt(new EarlyStopping({ patience: 1 }), [1, 0.9, 0.95])).toBe(2);
    expect(stopsAt(new EarlyStopping({ patience: 0 }), [1, 0.9, 0.95])).toBe(2);
    expect(stopsAt(new EarlyStopping({ patience: 2 }), [5, 4, 3, 2, 1])).toBe(-1);
  });

  it('counts only changes larger than minDelta', () => {
    expect(stopsAt(new EarlyStopping({ patience: 2, minDelta: 0.1 }), [1, 0.95, 0.94, 0.5])).toBe(2);
  });

  it("watches an accuracy with mode 'max'", () => {
    const callback = new EarlyStopping({ monitor: 'val_acc', mode: 'max', patience: 0 });
    expect(stopsAt(callback, [0.5, 0.6, 0.55], 'val_acc')).toBe(2);
  });

  it('does not guess which way is better', () => {
    expect(() => new EarlyStopping({ monitor: 'val_acc' })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`mode\` option of EarlyStopping must be 'min' or 'max', since 'val_acc' does not tell which is better. Got nothing.]`,
    );
  });

  it('starts anew with every fold', () => {
    const callback = new EarlyStopping({ patience: 0 });
    expect(stopsAt(callback, [0.1, 0.2])).toBe(1);
    expect(stopsAt(callback, [0.9, 0.8, 0.7])).toBe(-1);
  });

  it('refuses a log that is not there, naming those that are', () => {
    const callback = new EarlyStopping({ monitor: 'val_auc', mode: 'max' });
    expect(() => callback.onEpochEnd(ctx, { loss: 1, val_loss: 2 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`monitor\` option of EarlyStopping must be one of the logs loss, val_loss. Got 'val_auc'.]`,
    );
  });
});
