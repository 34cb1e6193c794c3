import type { Examples } from './index.js';

export const grouped: Examples = {
  GroupKFold: { golden: 'b6777b8c5fb1171bb1d61f2b5f4f5e20' },
};
