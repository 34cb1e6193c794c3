import type { Examples } from './index.js';

// Calendar blocks need dates: test/splitters/temporal/blockedTimeSeries.test.ts runs the suite on those.
export const temporal: Examples = {
  TimeSeriesSplit: { examples: [{}, { gap: 3, testSize: 4 }, { testSize: 0.1, maxTrainSize: 9 }] },
  BlockedTimeSeries: { examples: [{ blockSize: 1 }, { blockSize: 5 }] },
  RollingWindowCV: { examples: [{ windowSize: 1 }, { windowSize: 10, stepSize: 3, forecastHorizon: 4, gap: 2 }] },
  ExpandingWindowCV: { examples: [{}, { initialTrainSize: 7, stepSize: 4, forecastHorizon: 3, gap: 1 }] },
};
