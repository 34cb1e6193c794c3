import { KFold } from '../../../src/splitters/iid/kFold.js';
import { TimeSeriesSplit } from '../../../src/splitters/temporal/timeSeriesSplit.js';
import type { CheckScenes } from '../../conformance/checkSuite.js';

const X = Array.from({ length: 60 }, (_, i) => [Math.sin(i), Math.cos(3 * i)]);
const y = X.map((_, i) => i % 2);
const timestamps = X.map(
  (_, i) => `2024-${String(1 + Math.floor(i / 6)).padStart(2, '0')}-${String(1 + (i % 6)).padStart(2, '0')}`,
);

/** Shuffled days that are said to come later, and folds over time. */
export const temporalOrderScenes: CheckScenes = {
  leaking: {
    X,
    y,
    data: { timestamps },
    splitter: new KFold({ nSplits: 5, shuffle: true, randomState: 1 }),
    design: 'prospective',
  },
  clean: { X, y, data: { timestamps }, splitter: new TimeSeriesSplit({ nSplits: 5 }) },
};
