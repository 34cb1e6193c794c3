import type { Guideline } from './guideline.js';
import { disjointness, shift, verdict } from './statements/checked.js';
import { classShares, events, preparation, size } from './statements/data.js';
import { externalTesting, partitions, subgroups } from './statements/design.js';
import { cutOffs, model, software, training } from './statements/model.js';
import { analysisUnit, crossTabulation, measures, performance, uncertainty } from './statements/performance.js';

/** Topics of the FDA's draft guidance on device software functions with artificial intelligence. */
export const fdaDraft: Guideline = {
  title: 'FDA draft guidance of January 2025',
  source:
    'U.S. Food and Drug Administration, Artificial Intelligence-Enabled Device Software Functions: Lifecycle Management and Marketing Submission Recommendations, draft of January 2025.',
  standing: [
    'A draft, not for implementation: it was still a draft when this version was written (November 2026). The topics are ours, the draft has no numbers.',
  ],
  items: [
    { id: 'study design', name: 'performance validation' },
    { id: 'sites', name: 'performance validation' },
    { id: 'subgroups', name: 'performance validation', by: [subgroups] },
    {
      id: 'endpoints',
      name: 'performance validation',
      by: [measures, performance, crossTabulation],
      left: 'why these endpoints, and what was to be reached',
    },
    { id: 'intervals', name: 'performance validation', by: [uncertainty] },
    { id: 'unit of analysis', name: 'performance validation', by: [analysisUnit] },
    {
      id: 'independence',
      name: 'data management',
      by: [partitions, disjointness, externalTesting, verdict],
      left: 'other ways in which the sets depend on each other, such as a common site or device',
    },
    {
      id: 'representativeness',
      name: 'data management',
      by: [size, events, classShares, shift],
      left: 'whether these patients stand for those of the intended use',
    },
    {
      id: 'model description',
      name: 'description of the device',
      by: [model, preparation, training, cutOffs, software],
    },
  ],
};
