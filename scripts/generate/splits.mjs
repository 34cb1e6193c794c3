/** One picture per splitter on made-up data. */
import { refuse } from './refuse.mjs';

const N = 60;
const rows = Array.from({ length: N }, (_, row) => row);
const noise = (row, salt) => {
  const value = Math.sin(row * 12.9898 + salt * 78.233) * 43758.5453;
  return value - Math.floor(value);
};
const patient = (row) => Math.floor(row / 4);
const DAY = 86_400_000;
const time = rows.map((row) => new Date(Date.UTC(2023, 0, 1) + row * 6 * DAY));
const PLACES = 160;
const places = Array.from({ length: PLACES }, (_, i) => [
  100 * (i % 4 < 2 ? noise(i, 1) : 0.25 + 0.18 * (noise(i, 2) + noise(i, 3) - 1)),
  100 * (i % 4 < 2 ? noise(i, 4) : 0.65 + 0.2 * (noise(i, 5) + noise(i, 6) - 1)),
]);

/** The data that a picture is drawn from; a splitter gets what it needs or uses. */
const DATA = {
  n: N,
  y: rows.map((row) => Number(noise(patient(row), 7) + 0.5 * noise(row, 8) > 0.85)),
  groups: rows.map((row) => `patient ${10 + patient(row)}`),
  timestamps: time,
  labelEndTimes: time.map((at) => new Date(+at + 18 * DAY)),
  hierarchy: {
    site: rows.map((row) => 'ABCDEFG'[Math.floor(row / 9)]),
    patient: rows.map((row) => `patient ${10 + Math.floor(row / 3)}`),
  },
};
const LABELS = rows.map((row) => [0.5, 0.25, 0.12].map((share, at) => Number(noise(row, 20 + at) < share)));
const SPATIAL = {
  n: PLACES,
  coordinates: places,
  timestamps: places.map((_, i) => new Date(Date.UTC(2022, 11, 1) + Math.floor(365 * noise(i, 9)) * DAY)),
  environment: { temperature: places.map(([x], i) => x / 10 + noise(i, 10)) },
};

/** Samples around seven towns, for predictions on a grid over the whole country. */
const TOWNS = places.map((_, i) => [
  100 * noise(i % 7, 31) + 6 * (noise(i, 33) + noise(i, 34) - 1),
  100 * noise(i % 7, 32) + 6 * (noise(i, 35) + noise(i, 36) - 1),
]);
const SQUARES = Array.from({ length: 100 }, (_, i) => [(i % 10) * 10 + 5, Math.floor(i / 10) * 10 + 5]);

/** Options and data that make the point of a splitter; the defaults and all of DATA for the rest. */
export const SHOWN = {
  HoldOut: { options: { randomState: 1 } },
  KFold: { options: { shuffle: true, randomState: 1 } },
  StratifiedKFold: { options: { shuffle: true, randomState: 1 } },
  RepeatedKFold: { options: { nSplits: 3, nRepeats: 2, randomState: 1 } },
  LOOCV: { data: { n: 10 } },
  LPOCV: { options: { p: 2 }, data: { n: 5 } },
  BootstrapValidation: { options: { nIterations: 5, randomState: 1 } },
  MonteCarloCV: { options: { nIterations: 5, randomState: 1 } },
  PredefinedSplit: { options: { testFold: rows.map((row) => (row < 6 ? -1 : Math.floor(row / 20))) } },
  GroupKFold: { options: { randomState: 1 } },
  StratifiedGroupKFold: { options: { randomState: 1 } },
  LeaveOneGroupOut: { data: { ...DATA, groups: DATA.hierarchy.site } },
  LeavePGroupsOut: {
    options: { nGroups: 2 },
    data: { ...DATA, groups: rows.map((row) => 'ABCD'[Math.floor(row / 15)]) },
  },
  RepeatedGroupKFold: { options: { nSplits: 3, nRepeats: 2, randomState: 1 } },
  HierarchicalGroupKFold: { options: { hierarchyLevel: 'site', nSplits: 3, randomState: 1 }, without: ['groups'] },
  MultilevelCV: { options: { level: 'patient', nSplits: 4, randomState: 1 }, without: ['groups'] },
  BlockedTimeSeries: { options: { blockSize: 'month' } },
  RollingWindowCV: { options: { windowSize: 20, forecastHorizon: 6, stepSize: 8, gap: 2 } },
  ExpandingWindowCV: { options: { initialTrainSize: 20, forecastHorizon: 6, stepSize: 8, gap: 2 } },
  TimeSeriesSplit: { options: { gap: 2 } },
  PurgedKFoldCV: { options: { embargoSize: 0.05 } },
  CombinatorialPurgedCV: { options: { nSplits: 5, nTestSplits: 2, embargoSize: 0.03 } },
  PurgedGroupTimeSeriesSplit: { options: { embargoSize: 0.05 }, without: ['groups'] },
  NestedCV: {
    without: ['groups', 'hierarchy', 'timestamps', 'labelEndTimes'],
    options: (make) => ({ outerCv: make('KFold', { nSplits: 2 }), innerCv: make('KFold', { nSplits: 3 }) }),
  },
  NestedGroupedCV: {
    without: ['hierarchy', 'timestamps', 'labelEndTimes'],
    options: (make) => ({
      outerCv: make('GroupKFold', { nSplits: 2, randomState: 1 }),
      innerCv: make('GroupKFold', { nSplits: 3, randomState: 1 }),
    }),
  },
  NestedTemporalCV: {
    without: ['groups'],
    options: (make) => ({
      outerCv: make('TimeSeriesSplit', { nSplits: 2 }),
      innerCv: make('TimeSeriesSplit', { nSplits: 3 }),
    }),
  },
  SpatialBlockCV: { options: { nSplits: 3, randomState: 1 } },
  BufferedSpatialCV: { options: { nSplits: 3, bufferSize: 8, randomState: 1 } },
  SpatiotemporalBlockCV: { options: { nSpatialBlocks: 3, nTemporalBlocks: 2, bufferSpace: 4, randomState: 1 } },
  EnvironmentalHealthCV: { options: { spatialBlocks: 2, randomState: 1 } },
  ClusterKFold: {
    options: { nSplits: 3, features: places, randomState: 1 },
    without: ['environment'],
    also: ['coordinates'],
  },
  KNNDM: {
    options: { nSplits: 3, predictionPoints: SQUARES, randomState: 1 },
    data: { n: PLACES, coordinates: TOWNS },
  },
  MultilabelStratifiedKFold: { data: { n: N, y: LABELS } },
  MultilabelStratifiedGroupKFold: { options: { randomState: 1 }, data: { n: N, y: LABELS, groups: DATA.groups } },
};

/** The pictures by path in docs. */
export function splitPictures({ splitters, plotSplits }) {
  const make = (name, options) => splitters.find((each) => each.name === name).create(options);
  return Object.fromEntries(
    splitters.map((entry) => [`docs/images/splits/${entry.name}.svg`, `${drawn(entry, plotSplits, make)}\n`]),
  );
}

function drawn(entry, plotSplits, make) {
  const {
    options = {},
    data = entry.family === 'spatial' ? SPATIAL : DATA,
    without = [],
    also = [],
  } = SHOWN[entry.name] ?? {};
  const required = entry.options.rows().find((row) => row.required && !SHOWN[entry.name]);
  if (required)
    refuse(`${entry.name} requires \`${required.name}\`: its row in SHOWN of scripts/generate/splits.mjs is missing.`);
  const splitter = entry.create(typeof options === 'function' ? options(make) : options);
  const takes = [...entry.needs, ...(entry.needsOneOf ?? []), ...(entry.uses ?? []), ...also].filter(
    (name) => !without.includes(name),
  );
  const { n, y, ...side } = data;
  const given = Object.fromEntries(Object.entries(side).filter(([name]) => takes.includes(name)));
  const labels = entry.family === 'iid' || takes.includes('y') ? y : undefined;
  return String(plotSplits(splitter, n, labels ?? null, { ...given, maxFolds: 10 }));
}
