/** Monitors of metrics that are registered with the first data of their kind: the callback is made before. */
import { describe, expect, it } from 'vitest';
import { Plateau } from '../../src/callbacks/plateau.js';

const watch = (monitor: string, mode?: 'min' | 'max') =>
  new Plateau('EarlyStopping', { monitor, mode, minDelta: 0 } as never);

describe('which way is better', () => {
  it.each(['val_brier_by_patient', 'val_mse_1', 'val_integrated_brier', 'val_brier_at_365'])('%s: less', (monitor) => {
    expect(() => watch(monitor)).not.toThrow();
    expect(() => watch(monitor, 'max')).toThrow("must be 'min'");
  });
  it.each(['val_concordance', 'val_concordance_uno', 'val_roc_auc_at_365', 'val_roc_auc_by_patient', 'val_roc_auc_0'])(
    '%s: more',
    (monitor) => {
      expect(() => watch(monitor)).not.toThrow();
      expect(() => watch(monitor, 'min')).toThrow("must be 'max'");
    },
  );
  it('is asked for where nothing tells it', () => {
    expect(() => watch('val_own')).toThrow('does not tell which is better');
  });
});
