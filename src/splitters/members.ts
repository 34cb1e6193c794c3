// Written by `npm run generate` from the files of the members. To add one, add its file.

import { GroupKFold } from './grouped/groupKFold.js';
import { HierarchicalGroupKFold } from './grouped/hierarchicalGroupKFold.js';
import { LeaveOneGroupOut } from './grouped/leaveOneGroupOut.js';
import { LeavePGroupsOut } from './grouped/leavePGroupsOut.js';
import { MultilevelCV } from './grouped/multilevelCV.js';
import { NestedGroupedCV } from './grouped/nestedGroupedCV.js';
import { RepeatedGroupKFold } from './grouped/repeatedGroupKFold.js';
import { StratifiedGroupKFold } from './grouped/stratifiedGroupKFold.js';
import { BootstrapValidation } from './iid/bootstrapValidation.js';
import { HoldOut } from './iid/holdOut.js';
import { KFold } from './iid/kFold.js';
import { LOOCV } from './iid/loocv.js';
import { LPOCV } from './iid/lpocv.js';
import { MonteCarloCV } from './iid/monteCarloCV.js';
import { NestedCV } from './iid/nestedCV.js';
import { PredefinedSplit } from './iid/predefinedSplit.js';
import { RepeatedKFold } from './iid/repeatedKFold.js';
import { StratifiedKFold } from './iid/stratifiedKFold.js';
import { MultilabelStratifiedGroupKFold } from './multilabel/multilabelStratifiedGroupKFold.js';
import { MultilabelStratifiedKFold } from './multilabel/multilabelStratifiedKFold.js';
import { BufferedSpatialCV } from './spatial/bufferedSpatialCV.js';
import { ClusterKFold } from './spatial/clusterKFold.js';
import { EnvironmentalHealthCV } from './spatial/environmentalHealthCV.js';
import { KNNDM } from './spatial/knndm.js';
import { SpatialBlockCV } from './spatial/spatialBlockCV.js';
import { SpatiotemporalBlockCV } from './spatial/spatiotemporalBlockCV.js';
import { BlockedTimeSeries } from './temporal/blockedTimeSeries.js';
import { CombinatorialPurgedCV } from './temporal/combinatorialPurgedCV.js';
import { ExpandingWindowCV } from './temporal/expandingWindowCV.js';
import { NestedTemporalCV } from './temporal/nestedTemporalCV.js';
import { PurgedGroupTimeSeriesSplit } from './temporal/purgedGroupTimeSeriesSplit.js';
import { PurgedKFoldCV } from './temporal/purgedKFoldCV.js';
import { RollingWindowCV } from './temporal/rollingWindowCV.js';
import { TimeSeriesSplit } from './temporal/timeSeriesSplit.js';

export const SPLITTERS = [
  BootstrapValidation,
  HoldOut,
  KFold,
  LOOCV,
  LPOCV,
  MonteCarloCV,
  NestedCV,
  PredefinedSplit,
  RepeatedKFold,
  StratifiedKFold,
  GroupKFold,
  HierarchicalGroupKFold,
  LeaveOneGroupOut,
  LeavePGroupsOut,
  MultilevelCV,
  NestedGroupedCV,
  RepeatedGroupKFold,
  StratifiedGroupKFold,
  BlockedTimeSeries,
  CombinatorialPurgedCV,
  ExpandingWindowCV,
  NestedTemporalCV,
  PurgedGroupTimeSeriesSplit,
  PurgedKFoldCV,
  RollingWindowCV,
  TimeSeriesSplit,
  BufferedSpatialCV,
  ClusterKFold,
  EnvironmentalHealthCV,
  KNNDM,
  SpatialBlockCV,
  SpatiotemporalBlockCV,
  MultilabelStratifiedGroupKFold,
  MultilabelStratifiedKFold,
];
