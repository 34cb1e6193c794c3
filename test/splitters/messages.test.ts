/**
 * What splitters say. The page to review is `__snapshots__/messages.test.ts.snap`: one row per sentence. Other tests of this
 * room assert codes and facts.
 */

import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isPlainObject } from '../../src/core/options.js';
import { foldsFromJSON } from '../../src/splitters/foldsFromJSON.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { foldsToJSON } from '../../src/splitters/foldsToJSON.js';
import { MultilevelCV } from '../../src/splitters/grouped/multilevelCV.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { splitterRegistry } from '../../src/splitters/registry.js';
import { isSplitter, type Splitter } from '../../src/splitters/splitter.js';
import { RollingWindowCV } from '../../src/splitters/temporal/rollingWindowCV.js';
import { TimeSeriesSplit } from '../../src/splitters/temporal/timeSeriesSplit.js';
import { matrix } from '../helpers/matrix.js';
import { texts } from '../helpers/messages.js';
import { nestedFolds } from '../helpers/nestedFolds.js';
import { requiredOptions } from './examples/index.js';

const site = ['a', 'a', 'b', 'b', 'c', 'c'];
const patient = [1, 2, 3, 4, 5, 6];
const days = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04'];
const months = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const threeTimes = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2];
const lactate = [0, 1.14, 0.28, 1.43, 0.57, 1.71, 0.86, 2, 1.14, 2.29, 1.43, 2.57];
const features = [[1], [2], [3], [3]];
const square = matrix('0 0 | 0 1 | 1 0 | 1 1');
const townsAndTimes = { coordinates: square, timestamps: [0, 1, 2, 3] };
const exposed = {
  coordinates: square,
  timestamps: ['2023-10-01', '2023-11-01', '2024-01-01', '2024-02-01'],
  environment: { pm25: [5, 9, 7, 30], noise: [1, 1, 2, 2] },
};
const predictionPoints = matrix('1 2 | 30 40');
/** Places of later use, away from all rows. */
const away = Array.from({ length: 50 }, (_, at) => [at, 25]);
/** 12 of 20 rows are in one place. */
const crowded = Array.from({ length: 20 }, (_, row) => (row < 12 ? [0, 0] : [row, 3]));

/** Options of the class, then what `split` is given, where the sentence is about data. */
const REFUSED: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  HoldOut: [
    [{ stratify: true }, 10],
    [{ testSize: 10 }, 10],
    [{ testSize: 0 }],
    [{ testSize: 0.95 }, 10],
    [{ stratify: [1, 2] }, 10],
    [{ stratify: true, testSize: 8 }, 10, [0, 0, 0, 0, 0, 1, 1, 1, 2, 2]],
  ],
  KFold: [
    [{ nSplits: 5 }, 6, { groups: [1], patientIds: [1] }],
    [{ nSplits: 1 }],
    [{ nSplits: 2.5 }],
    [{ shuffle: 1 }],
    [{ shuffle: true, randomState: -1 }],
    [{ nSplit: 5 }],
    [{ bins: 5 }],
    [[5]],
    [{ shuffle: false, randomState: 1 }],
    [{ nSplits: 5, n_splits: 5 }],
    [{ nSplits: 5 }, 4],
    [{ nSplits: 5 }, undefined],
    [{ nSplits: 5 }, 0],
    [{ nSplits: 5 }, []],
    [{ nSplits: 5 }, 6, [0, 1]],
    [{ nSplits: 5 }, 6, { group: [1, 2] }],
    [{ nSplits: 5 }, 6, new Int8Array(7)],
  ],
  StratifiedKFold: [
    [{ bins: 1 }],
    [{ n_splits: 2, nSplits: 2 }],
    [{}, 4, [1, 0, 1, Number.NaN]],
    [{}, 3, matrix('0 1 | 1 1 | 0 1')],
    [{}, 12, lactate],
    [{ bins: 3 }, 4, ['0', '1', '0', '1']],
    [{ nSplits: 2 }, 6, ['b', 'b', 'b', 'c', 'a', 'a']],
    [{ nSplits: 3 }, 4, [0, 1, 0, 1]],
    [{ nSplits: 4, bins: 4 }, 12, lactate],
    [{}, 4],
  ],
  RepeatedKFold: [
    [{ nSplits: 7 }, 6],
    [{ stratify: true }, 6],
    [{ stratify: true, nSplits: 2 }, 6, [0, 0, 0, 0, 0, 1]],
    [{ nRepeats: 0 }],
    [{ stratify: [0, 1] }],
    [{ stratify: true, nSplits: 2 }, 6, [0.1, 2, 3.5, 1, 5, 7]],
  ],
  LOOCV: [[{ nSplits: 5 }], [{}, 1]],
  LPOCV: [[{}], [{ p: 0 }], [{ p: 1.5 }], [{ p: 3 }, 3], [{ p: 50 }, 100]],
  BootstrapValidation: [
    [{}, 1],
    [{}, 3, { groups: [7, 7, 7] }],
    [{ nIterations: 0 }],
    [{ nIterations: 1.5 }],
    [{ estimator: '0.632' }],
  ],
  MonteCarloCV: [
    [{ stratify: true }, 10],
    [{ testSize: 1.5 }],
    [{ stratify: 'y' }],
    [{ testSize: 10 }, 10],
    [{ stratify: true }, 10, [0, 0, 0, 0, 0, 1, 1, 1, 2, 2]],
    [{ stratify: true }, 4, ['a', 'a', 'a', 'b']],
    [{ stratify: [0, 0, 0.5, 0.5] }, 4],
    [{}, 3, { groups: ['a', 'a', 'a'] }],
    [{ stratify: true }, 4, [0, 0, 0, 1], { groups: [1, 2, 3, 3] }],
  ],
  NestedCV: [
    [{ outerCv: 5 }],
    [{ inner: new KFold() }],
    [{ outerCv: new KFold({ nSplits: 2 }), innerCv: new KFold({ nSplits: 3 }) }, 4],
  ],
  PredefinedSplit: [
    [{ folds: [[[0], [1]]], n: 4 }, 6],
    [{}],
    [{ folds: [] }],
    [{ testFold: [-1, -1] }],
    [{ testFold: [] }],
    [{ testFold: [0, 0.5] }],
    [{ folds: [[0, 1]] }],
    [{ testFold: [0, 1], n: 2 }],
    [{ testFold: [0, 1, 0] }, 4],
    [{ folds: [[[0, 1], [7]]] }, 4],
    [
      {
        folds: [matrix('0 1 | 1 2')],
      },
      4,
    ],
    [{ folds: [{ id: 'a', train: [0], test: [1.5] }] }, 4],
    [{ folds: [{ train: [], test: [1] }] }, 4],
    [{ testFold: [0], folds: [[[0], [1]]] }],
  ],
  GroupKFold: [
    [{ nSplits: 1 }],
    [{ shuffle: false, randomState: 3 }],
    [{ groups: [1] }],
    [{}, 6],
    [{}, 6, { groups: [1, 2, 3] }],
    [{}, 6, { groups: [1, 2, 3, Number.NaN, 5, 6] }],
    [{}, 6, { groups: 'patients' }],
    [{}, 6, { groups: [1, 1, 2, 2, 3, 3] }],
  ],
  StratifiedGroupKFold: [
    [{}, 6, [0, 1, 0, 1, 0, 1]],
    [{ onInfeasible: 'ignore' }],
    [{}, 6, { groups: [1, 2, 3, 4, 5, 6] }],
    [{}, 6, [0.5, 1.25, 2, 3, 4, 5], { groups: [1, 2, 3, 4, 5, 6] }],
    [{}, 6, [1, 1, 1, 1, 1, 1], { groups: [1, 2, 3, 4, 5, 6] }],
    [{ nSplits: 4 }, 6, [0, 1, 0, 1, 0, 1], { groups: [1, 2, 3, 4, 5, 6] }],
    [{ nSplits: 2 }, 6, ['no', 'no', 'no', 'no', 'yes', 'yes'], { groups: [1, 2, 3, 4, 5, 5] }],
    [{ nSplits: 3 }, 6, ['a', 'a', 'a', 'a', 'b', 'c'], { groups: [1, 2, 3, 4, 5, 6] }],
    [{ onInfeasible: 'pool' }, 6, [0, 1, 0, 1, 0, 1], { groups: [1, 1, 1, 1, 1, 1] }],
    [{ nSplits: 4 }, 7, [0, 1, 2, 3, 4, 5, 6], { groups: [0, 1, 2, 3, 4, 5, 6] }],
    [{ nSplits: 3 }, 4, [0, 1, 0, 1], { groups: [1, 1, 2, 3] }],
  ],
  LeavePGroupsOut: [
    [{ nGroups: 3 }, 4, { groups: [1, 2, 3, 3] }],
    [{ nGroups: 250 }, 500, { groups: Array.from({ length: 500 }, (_, row) => row) }],
    [{}],
    [{ nGroups: 0 }],
    [{ nGroups: 1.5 }],
    [{ nGroups: 1 }, 4, { groups: [1, 1, 1, 1] }],
  ],
  RepeatedGroupKFold: [
    [{}, 6],
    [{}, 6, { groups: [1, 1, 1, 1, 1, 1] }],
    [{ stratify: true }, 6, [0.5, 1.25, 2, 3, 4, 5], { groups: [1, 2, 3, 4, 5, 6] }],
    [{ stratify: true, nSplits: 2 }, 4, [0, 0, 0, 1], { groups: [1, 2, 3, 4] }],
    [{ shuffle: true }],
  ],
  HierarchicalGroupKFold: [
    [{ hierarchyLevel: '' }],
    [{ onCrossing: 'warn' }],
    [{}, 6],
    [{ hierarchyLevel: 'hospital' }, 6, { hierarchy: { site, patient } }],
    [{}, 6, { hierarchy: {} }],
    [{}, 6, { hierarchy: [site, [1, 2, 3, 4, 5, 6]] }],
    [{}, 6, { hierarchy: { site: ['a'], patient } }],
    [{}, 6, { hierarchy: { site, patient: 7 } }],
    [{}, 6, { hierarchy: { patient: [1, 2, Number.NaN, 4, 5, 6] } }],
    [{}, 6, { hierarchy: { patient, visit: ['u', 'v', 'w', undefined, 'x', 'y'] } }],
    [{}, 6, { groups: [1, 1, 1, 1, 1, 1] }],
    [{ hierarchyLevel: 'site' }, 6, { hierarchy: { site, patient } }],
    [{ nSplits: 2 }, 6, { hierarchy: { site, patient, visit: [1, 1, 1, 1, 1, 1] } }],
    [
      { nSplits: 2 },
      14,
      {
        hierarchy: {
          patient: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1],
          visit: [0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6],
        },
      },
    ],
    [
      { nSplits: 2, hierarchyLevel: 'site', onCrossing: 'error' },
      6,
      { hierarchy: { site, patient: [1, 2, 2, 3, 3, 4] } },
    ],
  ],
  MultilevelCV: [
    [{ level: 'site' }, 6],
    [{}],
    [{ level: 'image' }, 6, { hierarchy: { site, patient } }],
    [{ level: 'site', nSplits: 3 }, 6, { hierarchy: { site, patient: [1, 2, 2, 3, 4, 5], visit: [1, 2, 2, 3, 4, 5] } }],
    [{ level: 'site', shuffle: true }],
  ],
  NestedGroupedCV: [[{}, 10], [{ innerCv: new KFold() }]],
  PurgedKFoldCV: [
    [{}, 4],
    [{ nSplits: 2 }, 4, { timestamps: [1, 2, 3, 4], labelEndTimes: [9, 9, 9, 9] }],
    [{ nSplits: 2 }, 4, { timestamps: [1, 1, 1, 1] }],
    [{ nSplits: 2 }, 4, { timestamps: [1, 2, 3, 4], labelEndTimes: [1, 2, 3] }],
    [{ nSplits: 2 }, 4, { timestamps: [1, 2, 3, 4], labelEndTimes: ['2024', '2024', '2024', '2024'] }],
    [{ nSplits: 2 }, 2, { timestamps: days.slice(2), labelEndTimes: [1, 2] }],
    [{ nSplits: 2 }, 2, { timestamps: [1, 2], labelEndTimes: [1, Number.NaN] }],
    [{ nSplits: 2, purgeGap: 2, embargoSize: 0.3 }, 10],
  ],
  CombinatorialPurgedCV: [
    [{}, 4],
    [{ nSplits: 40, nTestSplits: 20, purgeGap: 2 }, 80],
    [{ nTestSplits: 0 }],
    [{ nSplits: 2 }],
    [{ nSplits: 60, nTestSplits: 30 }],
    [{ purgeGap: -1 }],
    [{ embargoSize: 1.5 }],
    [{ strictOrder: 'yes' }],
    [{ nSplits: 3 }, 6, { timestamps: [1, 1, 1, 1, 2, 2] }],
    [{ nSplits: 3, purgeGap: 2 }, 9],
  ],
  PurgedGroupTimeSeriesSplit: [
    [{ groupExclusive: true }, 12],
    [{ purgeGap: 1.5 }],
    [{ embargoSize: 1 }],
    [{ groupExclusive: 1 }],
    [{}, 5],
    [{ nSplits: 2 }, 6, { timestamps: [1, 1, 2, 3, 3, 3] }],
    [{ nSplits: 2, purgeGap: 2 }, 6],
    [{}, 12, { labelEndTimes: months }],
    [{}, 12, { timestamps: months, labelEndTimes: months.with(4, 3) }],
  ],
  NestedTemporalCV: [
    [
      {
        outerCv: new RollingWindowCV({ windowSize: 6, stepSize: 6, forecastHorizon: 2 }),
        innerCv: new TimeSeriesSplit({ nSplits: 3 }),
      },
      14,
      { timestamps: [0, 1, 2, 3, 4, 5, 6, 6, 6, 7, 7, 7, 8, 9] },
    ],
    [{ outerCv: new KFold() }],
    [{}, 50],
  ],
  TimeSeriesSplit: [
    [{}, 5],
    [{ testSize: 10 }, 10],
    [{ nSplits: 2, gap: 1 }, 10, { timestamps: threeTimes }],
    [{ nSplits: 2.5 }],
    [{ testSize: 0 }],
    [{ testSize: 1.5 }],
    [{ maxTrainSize: 0 }],
    [{ gap: 2, testSize: 4, nSplits: 2 }, 10],
    [{ nSplits: 4 }, 10, { timestamps: threeTimes }],
    [{ nSplits: 2, maxTrainSize: 3 }, 10, { timestamps: threeTimes }],
    [{ nSplits: 2 }, 3, { timestamps: [new Date(0), new Date(Number.NaN), new Date(1)] }],
  ],
  BlockedTimeSeries: [
    [{ nSplits: 2, blockSize: 1 }, 4, { timestamps: [1, 1, 2, 2] }],
    [{ blockSize: 'hour' }],
    [{ nSplits: 4 }, 4, { timestamps: days }],
    [{ nSplits: 2, blockSize: 'week' }, 4, { timestamps: days }],
    [{ nSplits: 2, blockSize: 2 }, 4],
    [{}, 4],
    [{ blockSize: 'month' }, 4, { timestamps: [1, 2, 3, 4] }],
    [{}, 4, { timestamps: ['2024-01-01', '2024-01-02', '2024-01-03', '2023-02-29'] }],
    [{}, 4, { timestamps: ['2024-01-02', '2024-01-03', '2024-01-04'] }],
  ],
  RollingWindowCV: [
    [{}],
    [{ windowSize: 0 }],
    [{ windowSize: 0.5 }],
    [{ windowSize: 4, stepSize: 0 }],
    [{ windowSize: 4, forecastHorizon: 0 }],
    [{ windowSize: 4, gap: -1 }],
    [{ windowSize: 4, gap: 4, forecastHorizon: 3 }, 10],
    [{ windowSize: 4, gap: 1 }, 10, { timestamps: [0, 0, 0, 0, 0, 0, 0, 1, 1, 1] }],
  ],
  ExpandingWindowCV: [
    [{}, 10],
    [{ initialTrainSize: 0 }],
    [{ stepSize: 1.5 }],
    [{ initialTrainSize: 2 }, 4, { timestamps: [1, 1, 1, 1] }],
    [{}, 2, { timestamps: [new Date(0), 5] }],
  ],
  SpatialBlockCV: [
    [{ blockSize: 0 }],
    [{ blockShape: 'circle' }],
    [{ blockShape: 'kmeans', blockSize: 2 }],
    [{ coordinates: 'here' }],
    [{}, 4],
    [{ coordinates: square }, 4, { coordinates: square }],
    [{}, 5, { coordinates: square }],
    [
      {},
      4,
      {
        coordinates: matrix('0 0 | 0 NaN | 1 0 | 1 1'),
      },
    ],
    [{}, 4, { coordinates: [[0, 0], [0, 1], [1, 0], [1]] }],
    [{}, 4, { coordinates: [[0, 0], null, [1, 0], [1, 1]] }],
    [
      {},
      4,
      {
        coordinates: matrix('0 0 | 0 1 | 1e300 0 | 1 1'),
      },
    ],
    [{ nSplits: 3, blockSize: 5 }, 4, { coordinates: square }],
    [{ blockShape: 'hex' }, 4, { coordinates: square }],
    [
      { nSplits: 2 },
      4,
      {
        coordinates: matrix('1 2 | 1 2 | 1 2 | 1 2'),
      },
    ],
  ],
  BufferedSpatialCV: [
    [{ nSplits: 2, bufferSize: 2, bufferUnit: 'fraction', randomState: 1 }, 4, { coordinates: square }],
    [{ bufferSize: -1 }],
    [{ distanceMetric: 'chebyshev' }],
    [{ bufferUnit: 'km' }],
    [
      { distanceMetric: 'haversine', nSplits: 2 },
      4,
      {
        coordinates: matrix('0 0 | 90.5 1 | 1 0 | 1 1'),
      },
    ],
    [{ nSplits: 2, bufferSize: 1.5, randomState: 1 }, 4, { coordinates: square }],
    [{ distanceMetric: 'haversine', nSplits: 2, bufferSize: 30000, randomState: 1 }, 4, { coordinates: square }],
  ],
  SpatiotemporalBlockCV: [
    [{}, 4, { coordinates: square }],
    [{ nSpatialBlocks: 0 }],
    [{ nTemporalBlocks: 1.5 }],
    [{ bufferSpace: -1 }],
    [{ bufferTime: '3 days' }],
    [
      {},
      2,
      {
        coordinates: matrix('0 0 | 1 1'),
        timestamps: [1, Number.NaN],
      },
    ],
    [{ nSpatialBlocks: 5 }, 4, townsAndTimes],
    [{ blockSize: 100 }, 4, townsAndTimes],
    [{ nTemporalBlocks: 7 }, 4, townsAndTimes],
    [{ nSpatialBlocks: 1, nTemporalBlocks: 1 }, 4, townsAndTimes],
    [{ nSpatialBlocks: 2, nTemporalBlocks: 2, bufferSpace: 40, randomState: 1 }, 4, townsAndTimes],
  ],
  EnvironmentalHealthCV: [
    [{ spatialBlocks: 0 }],
    [{ temporalStrategy: 'weekly' }],
    [{ environmentalVars: [] }],
    [{ environmentalVars: ['pm25', 'pm25'] }],
    [{ bufferConfig: {} }],
    [{ bufferConfig: { pm25: 0 } }],
    [{}, 4, { coordinates: square }],
    [{ environmentalVars: ['pm2'] }, 4, exposed],
    [{ environmentalVars: ['ozone'] }, 4, exposed],
    [{ environmentalVars: ['pm25'] }, 4, { coordinates: square, timestamps: exposed.timestamps }],
    [{ environmentalVars: ['pm25'] }, 4, { ...exposed, environment: { pm25: [1, 2, 3, Number.NaN] } }],
    [{}, 4, { ...exposed, environment: { pm25: [1, 2] } }],
    [{ spatialBlocks: 3, environmentalVars: ['noise'] }, 4, { ...exposed, coordinates: square.map(() => [0, 0]) }],
    [{ spatialBlocks: 31 }, 4, exposed],
    [{ spatialBlocks: 2, bufferConfig: { pm25: 100 }, randomState: 1 }, 4, exposed],
    [{ spatialBlocks: 1 }, 4, { ...exposed, timestamps: exposed.timestamps.map(() => '2024-01-01') }],
  ],
  ClusterKFold: [
    [{ features: 'age' }],
    [{ features, standardize: 'yes' }],
    [{}, 4],
    [{ features }, 4, { environment: { pm: [1, 2, 3, 4] } }],
    [{ features }, 5],
    [{ features: [[1, 2], [3], [4, 5], [6, 7]] }],
    [{ features: [[1], [Number.NaN], [2], [3]] }],
    [{}, 4, { environment: { pm: [1, 2, 3, Number.NaN] } }],
    [{}, 4, { environment: { pm: [1, 2, 3] } }],
    [{}, 4, { environment: {} }],
    [{ nSplits: 4, features }, 4],
    [{ nSplits: 2, features: [[7], [7], [7], [7]] }, 4],
    [{ features: [] }],
    [{ features: [1, 2] }],
    [{ features: [[], []] }],
    [{ features: [['1', 2]] }],
    [{ features: [[1], [-1.1e150]] }],
    [{}, 2, { environment: { pm: [1, 2], no2: [1, null] } }],
    [{}, 2, { environment: { pm: [Number.POSITIVE_INFINITY, 2] } }],
    [{}, 2, { environment: { pm: [2e150, 2] } }],
  ],
  KNNDM: [
    [{ predictionPoints: square, features: [[1], [2]] }],
    [{ predictionPoints, features: square }, 5],
    [{ predictionPoints: undefined }],
    [{ predictionPoints, maxShare: 0.1 }],
    [{ predictionPoints, maxShare: 1 }],
    [{ predictionPoints, distanceMetric: 'manhattan' }],
    [{ predictionPoints, nCandidates: 0 }],
    [{ predictionPoints, standardize: true }, 4, { coordinates: square }],
    [{ predictionPoints, features: square, distanceMetric: 'haversine' }],
    [{ predictionPoints, features: square, coordinates: square }],
    [{ predictionPoints }, 4],
    [{ predictionPoints: [] }],
    [{ predictionPoints: [[1, 2], [3]] }],
    [{ predictionPoints: [[1, 2, 3]] }],
    [{ predictionPoints: [[0, 361]], distanceMetric: 'haversine' }],
    [{ predictionPoints: away, randomState: 1 }, 20, { coordinates: crowded }],
  ],
  MultilabelStratifiedKFold: [
    [{}, 6],
    [{ shuffle: 1 }],
    [{ shuffle: true, randomState: -1 }],
    [{}, 6, [0, 1, 0, 1, 0, 1]],
    [{}, 6, matrix('1 1 | 0 1 | 1 1 | 0 1 | 1 1 | 0.5 1')],
    [{}, 6, [[1, 1], [0, 1], [1, 1], [0, 1], [1, 1], [0]]],
    [{ nSplits: 7 }, 6, matrix('0 1 | 1 1 | 0 1 | 1 1 | 0 1 | 1 1')],
    [{}, 2, matrix('0 1 | 2 0')],
    [{}, 2, matrix('0 1 | 1 NaN')],
  ],
  MultilabelStratifiedGroupKFold: [
    [{ nSplits: 2 }, 4, matrix('0 1 | 1 1 | 0 1 | 1 1'), { groups: [1, 1, 1, 1] }],
    [{ alpha: 0 }],
    [{ beta: -1 }],
    [{ eps: -1 }],
  ],
  LeaveOneGroupOut: [[{ nSplits: 3 }], [{}, 4], [{}, 4, { groups: [7, 7, 7, 7] }]],
};

/** As code, long lists cut. */
function written(value: unknown): string {
  if (isSplitter(value)) return String(value.toJSON?.());
  if (Array.isArray(value)) {
    return `[${[...value.slice(0, 8).map(written), ...(value.length > 8 ? ['...'] : [])].join(', ')}]`;
  }
  if (!isPlainObject(value) || Object.keys(value).length === 0) return inspect(value);
  const entries = Object.entries(value).map(([name, each]) => `${name}: ${written(each)}`);
  return `{ ${entries.join(', ')} }`;
}

describe.each(Object.entries(REFUSED))('%s', (name, rows) => {
  it('refuses', async () => {
    const calls = rows.map(([options, ...data]) => {
      const make = `${name}(${written(options)})`;
      const call = () => splitterRegistry.get(name).create(options);
      if (data.length === 0) return [make, call];
      return [`${make}.split(${data.map(written).join(', ')})`, () => call().split(...(data as [number]))];
    });
    expect(new Set(calls.map(([call]) => call)).size).toBe(calls.length);
    expect(await texts(Object.fromEntries(calls))).toMatchSnapshot();
  });
});

it('splitters describe themselves', async () => {
  const required: Record<string, object> = {
    LPOCV: { p: 2 },
    LeavePGroupsOut: { nGroups: 2 },
    PredefinedSplit: { testFold: [0, 0, 1, 1] },
    MultilevelCV: { level: 'site' },
    RollingWindowCV: { windowSize: 4 },
    KNNDM: { predictionPoints },
  };
  const optionsOf = (name: string) => required[name] ?? requiredOptions(name);
  const describe = (name: string) => () => (splitterRegistry.get(name).create(optionsOf(name)) as KFold).describe();
  const calls = splitterRegistry.names().map((name) => [name, describe(name)]);
  expect(await texts(Object.fromEntries(calls))).toMatchSnapshot();
});

it('warnings', async () => {
  const warning = (name: string, options: object, n: number, data: object) => () =>
    splitterRegistry.get(name).create(options).split(n, null, data).warnings?.join('\n');
  expect(
    await texts({
      'patient at two sites': warning('HierarchicalGroupKFold', { nSplits: 2, hierarchyLevel: 'site' }, 6, {
        hierarchy: { site, patient: [1, 2, 2, 3, 4, 5] },
      }),
      'places of use far away': warning('KNNDM', { nSplits: 3, randomState: 1, predictionPoints: away }, 20, {
        coordinates: Array.from({ length: 20 }, (_, row) => [row % 5, Math.floor(row / 5)]),
      }),
    }),
  ).toMatchSnapshot();
});

it('files of folds', async () => {
  const folds = foldsOf(new KFold({ nSplits: 2 }), 4);
  const ids = ['a', 'b'];
  expect(
    await texts({
      'no JSON': () => foldsFromJSON('not json'),
      'an empty list': () => foldsFromJSON('[]'),
      'a record without a format': () => foldsFromJSON({ folds: [] }),
      'one side': () => foldsFromJSON([[[0, 1]]], { ids }),
      'a case without an id': () => foldsFromJSON([{ train: ['a'], val: ['c'] }], { ids }),
      'cases and no ids': () => foldsFromJSON([{ train: ['a'], val: ['b'] }]),
      'row numbers and ids': () => foldsFromJSON([[[0], [1]]], { ids }),
      'nnunet without ids': () => foldsToJSON(folds, { format: 'nnunet' }),
      'too few ids': () => foldsToJSON(folds, { format: 'nnunet', ids: [1, 2] }),
      'ids for cvkit': () => foldsToJSON(folds, { ids: ['a', 'b', 'c', 'd'] }),
      'ids for sklearn': () => foldsToJSON(folds, { format: 'sklearn', ids: ['a', 'b', 'c', 'd'] }),
      'an unknown format': () => foldsToJSON(folds, { format: 'csv' as never }),
    }),
  ).toMatchSnapshot();
});

it('folds of others', async () => {
  const made = (claims: object, train: number[], test: number[], inner?: Splitter): Splitter => ({
    claims,
    getNSplits: () => 1,
    split: () => [
      { id: 'only', train: Int32Array.from(train), test: Int32Array.from(test), ...(inner ? { inner } : {}) },
    ],
  });
  const timestamps = [0, 10, 10, 20, 30, 30, 40, 50];
  const check =
    (...design: Parameters<typeof made>) =>
    () =>
      foldsOf(made(...design), 8, null, { timestamps });
  expect(
    await texts({
      'an unknown claim': check({ wholeGroups: true }, [0], [1]),
      'times on both sides': check({ keepsTies: true }, [0, 2, 4, 7], [1, 5]),
      'intervals that meet': check({ purged: true }, [0, 2, 4, 4], [1, 5]),
      'training after the test': check({ timeOrdered: true, keepsTies: true }, [1, 2, 3, 4, 5, 6, 7], [0]),
      'an inner row of the outer test set': () => nestedFolds(made({}, [0, 1], [2, 3], made({}, [0], [3])), 4),
    }),
  ).toMatchSnapshot();
});

it('perLevel of no record', async () => {
  const perLevel = (hierarchy: unknown) => () => new MultilevelCV({ level: 'site' }).perLevel(hierarchy as never);
  expect(
    await texts({ 'an empty record': perLevel({}), 'a list': perLevel([site]), nothing: perLevel(undefined) }),
  ).toMatchSnapshot();
});
