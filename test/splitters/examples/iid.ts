import type { Examples } from './index.js';

export const iid: Examples = {
  // Cuts of whole groups are our own design, so that they are pinned; all other draws are proved in sklearn.ts.
  HoldOut: {
    golden: 'e8c7bd9641b4257ea3550fb3979b0e1c',
    examples: [{}, { stratify: true, testSize: 0.25 }, { testSize: 5 }],
  },
  LPOCV: { examples: [{ p: 1 }, { p: 2 }] },
  BootstrapValidation: { examples: [{ nIterations: 4 }, { nIterations: 3, estimator: '.632+' }] },
  MonteCarloCV: {
    golden: '15e49f38a1a6a1507526e4f10a8b7e09',
    examples: [{ nIterations: 4 }, { nIterations: 3, stratify: true, testSize: 0.25 }],
  },
  RepeatedKFold: { examples: [{ nRepeats: 2 }, { nRepeats: 3, stratify: true }] },
};
