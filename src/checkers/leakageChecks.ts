/** The leakage checks, in order of their codes: one check, one file, one code, one page in docs/checks. */
import type { Check } from './check.js';
import { duplicateRows } from './leakage/duplicateRows.js';
import { featureStatistics } from './leakage/featureStatistics.js';
import { featureTarget } from './leakage/featureTarget.js';
import { hierarchyOverlap } from './leakage/hierarchyOverlap.js';
import { identifierColumns } from './leakage/identifierColumns.js';
import { labelDistribution } from './leakage/labelDistribution.js';
import { nearDuplicates } from './leakage/nearDuplicates.js';
import { patientOverlap } from './leakage/patientOverlap.js';
import { preprocessing } from './leakage/preprocessing.js';
import { siteConfounding } from './leakage/siteConfounding.js';
import { spatialProximity } from './leakage/spatialProximity.js';
import { temporalOrder } from './leakage/temporalOrder.js';

export const leakageChecks: readonly Check[] = [
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
