import type { Guideline } from './guideline.js';
import { checked, disjointness, verdict } from './statements/checked.js';
import { classShares, events, size } from './statements/data.js';
import { externalTesting, internalTesting, partitions } from './statements/design.js';
import { model, selection } from './statements/model.js';
import { baseline, calibration, crossTabulation, performance } from './statements/performance.js';

/** Good machine learning practice: the ten guiding principles of the IMDRF. */
export const gmlp: Guideline = {
  title: 'Good machine learning practice (IMDRF N88)',
  source:
    'International Medical Device Regulators Forum, IMDRF/AIML WG/N88 FINAL:2025, Good machine learning practice for medical device development: guiding principles.',
  standing: ['Ten guiding principles, final since January 2025.'],
  items: [
    { id: '1', name: 'intended use and expertise' },
    { id: '2', name: 'engineering and security' },
    {
      id: '3',
      name: 'representative data',
      by: [size, events, classShares],
      left: 'whether these patients stand for those of the intended use',
    },
    {
      id: '4',
      name: 'independence of training and test',
      by: [partitions, disjointness, checked('preprocessing'), verdict],
      left: 'other ways in which the sets depend on each other, such as a common site or device',
    },
    { id: '5', name: 'reference standard' },
    {
      id: '6',
      name: 'model fits data and use',
      by: [model, selection, baseline],
      left: 'why this model suits the intended use',
    },
    { id: '7', name: 'human and AI as a team' },
    {
      id: '8',
      name: 'clinically relevant testing',
      by: [internalTesting, externalTesting, performance, calibration, crossTabulation],
      left: 'why these conditions are clinically relevant',
    },
    { id: '9', name: 'information for users' },
    { id: '10', name: 'monitoring' },
  ],
};
