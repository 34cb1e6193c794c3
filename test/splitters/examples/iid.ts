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
    golden: '166a4735ca8a5b18dac454a13a78ca11',
    examples: [{ nIterations: 4 }, { nIterations: 3, stratify: true, testSize: 0.25 }],
  },
  RepeatedKFold: { examples: [{ nRepeats: 2 }, { nRepeats: 3, stratify: true }] },
};
