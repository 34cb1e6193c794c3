import { type SplitterData, smallDataSets } from '../../conformance/splitterData.js';
import type { Examples } from './index.js';

/** 12 sites, 36 patients of whom two are seen at two sites, and one image that two patients share. */
const crossing: SplitterData = (() => {
  const rows = Array.from({ length: 72 }, (_, row) => row);
  const patient = rows.map((row) => `patient ${Math.floor(row / 2)}`);
  const site = rows.map((row) => 10 * Math.floor(row / 6));
  [patient[6], patient[30]] = [patient[5], patient[29]];
  const image = rows.map((row) => (row === 60 ? 'image 1' : `image ${row}`));
  return {
    name: 'patients at two sites',
    n: rows.length,
    y: rows.map((row) => row % 3),
    side: { hierarchy: { site, patient, image }, groups: patient },
  };
})();

const dataSets = [...smallDataSets(), crossing];

export const grouped: Examples = {
  GroupKFold: { golden: 'b6777b8c5fb1171bb1d61f2b5f4f5e20' },
  LeavePGroupsOut: { examples: [{ nGroups: 1 }, { nGroups: 2 }] },
  RepeatedGroupKFold: {
    examples: [{ nRepeats: 2 }, { nRepeats: 3, stratify: true }],
    golden: '14dcf8ddf31a6904864e050073350ae0',
  },
  // On the first data set patients are the groups, so that both have the folds of GroupKFold.
  HierarchicalGroupKFold: {
    examples: [{}, { hierarchyLevel: 'site' }],
    dataSets,
    golden: 'b6777b8c5fb1171bb1d61f2b5f4f5e20',
  },
  MultilevelCV: {
    examples: [{ level: 'patient' }, { level: 'site' }],
    dataSets,
    golden: 'b6777b8c5fb1171bb1d61f2b5f4f5e20',
  },
};
