import type { Examples } from './index.js';

export const stratifiedGroups: Examples = {
  StratifiedGroupKFold: { golden: 'e43566ff6fc2d3e957afef1b803011db' },
};
