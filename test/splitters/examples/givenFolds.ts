import { smallDataSets } from '../../conformance/splitterData.js';
import type { Examples } from './index.js';

const [, , data] = smallDataSets();
const testFold = Array.from({ length: data.n }, (_, row) => (row % 5) - 1);
const folds = [
  { train: [0, 1, 2], test: [10, 11] },
  { train: [10, 11], test: [0, 1, 2], id: 'the-other-way-round' },
];

export const givenFolds: Examples = {
  PredefinedSplit: {
    examples: [{ testFold }, { folds }, { folds, n: data.n }, { testFold: testFold.map((fold) => fold + 1) }],
    dataSets: [data],
  },
};
