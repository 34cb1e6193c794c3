import type { Examples } from './index.js';

export const stratifiedGroups: Examples = {
  StratifiedGroupKFold: { examples: [{}, { onInfeasible: 'pool' }], golden: 'c74b953042d8cf94ea4b3c5a6145c1a9' },
};
