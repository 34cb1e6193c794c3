import type { Guideline } from './guideline.js';
import { disjointness, shift, verdict } from './makers/checked.js';
import { classShares, events, preparation, size } from './makers/data.js';
import { externalTesting, partitions, subgroups } from './makers/design.js';
import { cutOffs, model, software, training } from './makers/model.js';
import { analysisUnit, crossTabulation, measures, performance, uncertainty } from './makers/performance.js';

/** Topics of the FDA's draft guidance on device software functions with artificial intelligence. */
export const fdaDraft: Guideline = {
  title: 'FDA draft guidance of January 2025',
  source:
    'U.S. Food and Drug Administration, Artificial Intelligence-Enabled Device Software Functions: Lifecycle Management and Marketing Submission Recommendations, draft of January 2025.',
  standing: [
    'A draft, not for implementation: it was still a draft when last looked up. The topics are ours, the draft has no numbers.',
  ],
  items: [
    { id: 'study design', name: 'performance validation: design of the study' },
    { id: 'sites', name: 'performance validation: sites' },
    { id: 'subgroups', name: 'performance validation: subgroups', by: [subgroups] },
    {
      id: 'endpoints',
      name: 'performance validation: endpoints',
      by: [measures, performance, crossTabulation],
      left: 'why these endpoints, and what was to be reached',
    },
    { id: 'intervals', name: 'performance validation: intervals', by: [uncertainty] },
    { id: 'unit of analysis', name: 'performance validation: unit of analysis', by: [analysisUnit] },
    {
      id: 'independence',
      name: 'data management: independence of the test data',
      by: [partitions, disjointness, externalTesting, verdict],
    },
    {
      id: 'representativeness',
      name: 'data management: representativeness',
      by: [size, events, classShares, shift],
      left: 'whether these patients stand for those of the intended use',
    },
    {
      id: 'model description',
      name: 'description of the model',
      by: [model, preparation, training, cutOffs, software],
    },
  ],
};
