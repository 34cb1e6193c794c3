import type { SplitterData } from '../../conformance/splitterData.js';
import { multilabelCases, multilabelRows } from '../multilabelData.js';
import type { Examples } from './index.js';

/** Rows of several labels, of nine patients. */
const dataSets: SplitterData[] = multilabelCases.slice(0, 3).map((each) => {
  const y = multilabelRows(each).slice(0, 60);
  const groups = y.map((_, row) => (row * row) % 17);
  return { name: `${each.labels} labels`, n: y.length, y, side: { groups } };
});

export const multilabel: Examples = {
  MultilabelStratifiedKFold: { dataSets, golden: '4a5640b1ef74f742a6d0ec5867d8f3a8' },
  MultilabelStratifiedGroupKFold: {
    dataSets,
    examples: [{}, { alpha: 5, beta: 0.5, eps: 2 }],
    golden: 'e3e498b71937c43e462a91240f2d7751',
  },
};
