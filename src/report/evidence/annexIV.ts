import type { Guideline } from './guideline.js';
import { disjointness, verdict } from './statements/checked.js';
import { classShares, events, hashes, missing, outcomeRead, preparation, size } from './statements/data.js';
import { externalTesting, internalTesting, partitions, seeds } from './statements/design.js';
import { compute, cutOffs, model, selection, software, training } from './statements/model.js';
import {
  calibration,
  crossTabulation,
  failedFolds,
  heterogeneity,
  measures,
  performance,
  uncertainty,
} from './statements/performance.js';

/** Annex IV, point 2, of the EU AI Act: what the technical documentation says of the elements of the system. */
export const annexIV: Guideline = {
  title: 'EU AI Act, Annex IV, point 2',
  source: 'Regulation (EU) 2024/1689, Annex IV, point 2 (a) to (h).',
  standing: [
    'Technical documentation of high-risk systems. The duties hold for medical devices from 2 August 2028 (Digital Omnibus), as it stood when this version was written (November 2026).',
  ],
  items: [
    {
      id: '2a',
      name: 'methods and steps of the development',
      by: [preparation, training, selection],
      left: 'parts made by others',
    },
    { id: '2b', name: 'design choices', by: [outcomeRead, measures, cutOffs], left: 'assumptions and trade-offs' },
    { id: '2c', name: 'architecture and compute', by: [model, software, compute] },
    {
      id: '2d',
      name: 'data',
      by: [size, events, classShares, missing, hashes],
      left: 'provenance, collection, labelling and cleaning',
    },
    { id: '2e', name: 'human oversight' },
    { id: '2f', name: 'predetermined changes' },
    {
      id: '2g',
      name: 'validation and testing',
      by: [
        partitions,
        internalTesting,
        externalTesting,
        disjointness,
        performance,
        uncertainty,
        calibration,
        heterogeneity,
        crossTabulation,
        failedFolds,
        seeds,
        verdict,
      ],
      left: 'test logs and reports, dated and signed',
    },
    { id: '2h', name: 'cybersecurity' },
  ],
};
