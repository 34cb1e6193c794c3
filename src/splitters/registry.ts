/** All splitters by name. A class listed here passes the conformance suite and appears in the documents. */
import type { OptionShape } from '../core/options.js';
import { createRegistry } from '../core/registry.js';
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
import type { IterableSplitter, SplitterFacts } from './splitter.js';
import { BlockedTimeSeries } from './temporal/blockedTimeSeries.js';
import { CombinatorialPurgedCV } from './temporal/combinatorialPurgedCV.js';
import { ExpandingWindowCV } from './temporal/expandingWindowCV.js';
import { NestedTemporalCV } from './temporal/nestedTemporalCV.js';
import { PurgedGroupTimeSeriesSplit } from './temporal/purgedGroupTimeSeriesSplit.js';
import { PurgedKFoldCV } from './temporal/purgedKFoldCV.js';
import { RollingWindowCV } from './temporal/rollingWindowCV.js';
import { TimeSeriesSplit } from './temporal/timeSeriesSplit.js';

/** A registered splitter: its facts and a way to make one. */
export interface SplitterEntry extends SplitterFacts {
  // biome-ignore lint/suspicious/noExplicitAny: each class checks its own options at its door
  create(options?: any): IterableSplitter;
}

interface SplitterClass {
  readonly facts: SplitterFacts<OptionShape>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  new (options?: any): IterableSplitter;
}

const BUILT_IN: readonly SplitterClass[] = [
  HoldOut,
  KFold,
  StratifiedKFold,
  RepeatedKFold,
  LOOCV,
  LPOCV,
  BootstrapValidation,
  MonteCarloCV,
  NestedCV,
  PredefinedSplit,
  GroupKFold,
  StratifiedGroupKFold,
  LeaveOneGroupOut,
  LeavePGroupsOut,
  RepeatedGroupKFold,
  HierarchicalGroupKFold,
  MultilevelCV,
  NestedGroupedCV,
  PurgedKFoldCV,
  CombinatorialPurgedCV,
  PurgedGroupTimeSeriesSplit,
  NestedTemporalCV,
  TimeSeriesSplit,
  BlockedTimeSeries,
  RollingWindowCV,
  ExpandingWindowCV,
  SpatialBlockCV,
  BufferedSpatialCV,
  SpatiotemporalBlockCV,
  EnvironmentalHealthCV,
  ClusterKFold,
  KNNDM,
  MultilabelStratifiedKFold,
  MultilabelStratifiedGroupKFold,
];

/** All splitters by class name and alias. */
export const splitterRegistry = createRegistry<SplitterEntry>('splitter');
for (const Class of BUILT_IN) splitterRegistry.add({ ...Class.facts, create: (options) => new Class(options) });
