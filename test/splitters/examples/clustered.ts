import type { Examples } from './index.js';

/** Places of use: a grid over the square in which the data sets of the suite have their coordinates. */
const predictionPoints = Array.from({ length: 100 }, (_, i) => [10 * (i % 10) + 5, 10 * Math.floor(i / 10) + 5]);
/** A strip far away, next to which the rows are clustered. */
const farPoints = Array.from({ length: 100 }, (_, i) => [150 + 2 * i, 50]);

export const clustered: Examples = {
  ClusterKFold: { examples: [{}, { standardize: false }, { nSplits: 4 }], golden: '6c0f48b10535de8fb370ce9711a493a3' },
  KNNDM: {
    examples: [
      { predictionPoints: farPoints, nCandidates: 8 },
      { predictionPoints },
      { predictionPoints: [[45, 10]], maxShare: 0.8 },
    ],
    golden: '58ec95c785884b6fab890ba6f85b80b1',
  },
};
