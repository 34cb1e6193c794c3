import type { Examples } from './index.js';

const PROTECTIONS = [{}, { purgeGap: 2 }, { embargoSize: 0.07 }, { purgeGap: 1, embargoSize: 0.1 }];

export const purged: Examples = {
  PurgedKFoldCV: { examples: PROTECTIONS },
  // nTestSplits has to be less than nSplits, so both are set
  CombinatorialPurgedCV: {
    examples: [
      ...PROTECTIONS.map((each) => ({ nSplits: 5, ...each })),
      { nSplits: 6, nTestSplits: 3, purgeGap: 1 },
      { nSplits: 2, nTestSplits: 1 },
      { nSplits: 5, strictOrder: false, embargoSize: 0.05 },
    ],
  },
  PurgedGroupTimeSeriesSplit: { examples: PROTECTIONS },
};
