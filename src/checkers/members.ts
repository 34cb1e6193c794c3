// Written by `npm run generate` from the files of the members. To add one, add its file.

import { classBalance } from './CVB001-class-balance/classBalance.js';
import { patientOverlap } from './CVL001-patient/patientOverlap.js';
import { duplicateRows } from './CVL002-duplicate/duplicateRows.js';
import { nearDuplicates } from './CVL003-near-duplicate/nearDuplicates.js';
import { temporalOrder } from './CVL004-temporal/temporalOrder.js';
import { featureStatistics } from './CVL005-feature-statistics/featureStatistics.js';
import { spatialProximity } from './CVL006-spatial-proximity/spatialProximity.js';
import { labelDistribution } from './CVL007-label-distribution/labelDistribution.js';
import { hierarchyOverlap } from './CVL008-hierarchical/hierarchyOverlap.js';
import { featureTarget } from './CVL009-feature-target/featureTarget.js';
import { preprocessing } from './CVL010-preprocessing/preprocessing.js';
import { identifierColumns } from './CVL011-identifier/identifierColumns.js';
import { siteConfounding } from './CVL012-site-confounding/siteConfounding.js';

export const CHECKS = [
  classBalance,
  patientOverlap,
  duplicateRows,
  nearDuplicates,
  temporalOrder,
  featureStatistics,
  spatialProximity,
  labelDistribution,
  hierarchyOverlap,
  featureTarget,
  preprocessing,
  identifierColumns,
  siteConfounding,
];
