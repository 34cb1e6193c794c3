import type { Guideline } from './guideline.js';
import { checked, disjointness, shift } from './statements/checked.js';
import { events, flow, missing, outcomeRead, preparation, size } from './statements/data.js';
import { partitions } from './statements/design.js';
import { selection } from './statements/model.js';
import {
  calibration,
  failedFolds,
  heterogeneity,
  measures,
  performance,
  uncertainty,
} from './statements/performance.js';

const RATING = 'the rating, which is for those who assess the study';

/** PROBAST+AI: four domains; evidence for each, and never a rating. */
export const probastAI: Guideline = {
  title: 'PROBAST+AI 2025',
  source: 'Moons KGM et al., BMJ 2025;388:e082505.',
  standing: [
    'A tool to assess quality, risk of bias and applicability of prediction models, with 16 and 18 signalling questions in four domains, read from secondary listings. Here is evidence per domain and never a rating.',
  ],
  items: [
    { id: '1', name: 'participants and data', by: [size, flow, disjointness, shift], left: RATING },
    {
      id: '2',
      name: 'predictors',
      by: [preparation, checked('preprocessing', 'feature_target', 'identifier')],
      left: RATING,
    },
    {
      id: '3',
      name: 'outcome',
      by: [outcomeRead, events],
      left: `definition and assessment of the outcome; ${RATING}`,
    },
    {
      id: '4',
      name: 'analysis',
      by: [partitions, missing, selection, measures, uncertainty, performance, calibration, heterogeneity, failedFolds],
      left: RATING,
    },
  ],
};
