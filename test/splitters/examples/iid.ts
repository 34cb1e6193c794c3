import type { Examples } from './index.js';

export const iid: Examples = {
  HoldOut: { examples: [{}, { stratify: true, testSize: 0.25 }, { testSize: 5 }] },
  RepeatedKFold: { examples: [{ nRepeats: 2 }, { nRepeats: 3, stratify: true }] },
};
