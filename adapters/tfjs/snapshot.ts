/** The weights of a model at one moment. */
import { AdapterError, phrase, sentence } from '../../src/core/errors.js';
import type { WeightSnapshot } from '../../src/runner/frameworkAdapter.js';
import type { LayersModel, Variable } from './structures.js';

/**
 * All weights of `model`, moving statistics included. A clone shares the numbers of its variable until that is given
 * others (on wasm it is a copy), so the snapshot holds one set of weights at most.
 */
export function snapshot(model: LayersModel): WeightSnapshot {
  const clones = model.weights.map(({ val }) => ({ variable: val as Variable, clone: val.clone() }));
  return {
    restore() {
      if (clones.some(({ clone }) => clone.isDisposed)) {
        throw new AdapterError(
          sentence('A snapshot of weights', 'be restored before it is released', phrase('one that was released')),
          { code: 'snapshot_released' },
        );
      }
      // Not `setWeights`: it applies constraints anew, which need not give the same bits.
      for (const { variable, clone } of clones) variable.assign(clone);
    },
    release() {
      for (const { clone } of clones) clone.dispose();
    },
  };
}
