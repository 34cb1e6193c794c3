/** Planted and clean data for what time, hierarchy, space and sites check: CVL001, CVL004, CVL008, CVL006, CVL012. */
import {
  BufferedSpatialCV,
  ExpandingWindowCV,
  GroupKFold,
  HierarchicalGroupKFold,
  KFold,
  LeaveOneGroupOut,
  SpatialBlockCV,
  StratifiedGroupKFold,
  TimeSeriesSplit,
} from 'cvkit';

const seedOf = (random) => random.uint32();
const list = (n, make) => Array.from({ length: n }, (_, at) => make(at));
const normalOf = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const shuffled = (random) => new KFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) });

/** Features of all kinds: normal, skewed, heavy-tailed, integer, categorical; the first carries the label. */
function featuresOf(random, labels, signal) {
  const tail = () => normalOf(random) / Math.max(1e-6, Math.abs(normalOf(random)));
  return labels.map((label) => [
    signal * label + normalOf(random),
    Math.exp(normalOf(random)),
    tail(),
    Math.floor(6 * random.random()),
    'abc'[Math.floor(3 * random.random())],
  ]);
}

/** Patients of `rows` rows each with one label, unrelated to anything but the first feature. */
function cohort(random, patients, rows, { signal = 1, prevalence = 0.4 } = {}) {
  const groups = list(patients * rows, (row) => Math.floor(row / rows));
  const labels = list(patients, () => Number(random.random() < prevalence));
  const y = groups.map((patient) => labels[patient]);
  return { X: featuresOf(random, y, signal), y, groups, labels };
}

// ---- time -------------------------------------------------------------------------------------------------------

const day = (count) => new Date(Date.UTC(2020, 0, 1 + count)).toISOString().slice(0, 10);

function overTime(random, n, cv, extra = {}) {
  const { X, y } = cohort(random, n, 1);
  return { X, y, timestamps: list(n, (row) => day(Math.floor(row / 2))), cv, ...extra };
}

const temporal = [60, 300, 1000].flatMap((n) =>
  [
    {
      kind: 'planted',
      effect: 'shuffled folds declared prospective',
      make: (random) => overTime(random, n, shuffled(random), { design: 'prospective' }),
    },
    {
      kind: 'planted',
      effect: 'folds over rows cut through days',
      make: (random) => {
        const parts = overTime(random, n, undefined, { design: 'prospective' });
        const at = 1 + 2 * Math.floor(n / 4);
        const fold = { id: 'cut', train: list(at, (row) => row), test: list(n - at, (row) => at + row) };
        return { ...parts, cv: { split: () => [fold], getNSplits: () => 1 } };
      },
    },
    {
      kind: 'clean',
      effect: 'folds over time',
      make: (random) => overTime(random, n, new TimeSeriesSplit({ nSplits: 4 })),
    },
    {
      kind: 'clean',
      effect: 'expanding window',
      make: (random) =>
        overTime(
          random,
          n,
          new ExpandingWindowCV({ initialTrainSize: n / 2, stepSize: n / 10, forecastHorizon: n / 10 }),
        ),
    },
    {
      kind: 'clean',
      effect: 'shuffled folds that claim no order',
      make: (random) => overTime(random, n, shuffled(random)),
    },
  ].map((scenario) => ({ check: 'CVL004', n, ...scenario })),
);

// ---- patients ---------------------------------------------------------------------------------------------------

const wholeGroups = (random) => new GroupKFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) });

function repeated(random, patients, rows) {
  const { labels: _, ...parts } = cohort(random, patients, rows);
  return parts;
}

const patients = [60, 300].flatMap((count) =>
  [
    {
      kind: 'planted',
      effect: '4 rows per patient, shuffled folds',
      make: (random) => ({ ...repeated(random, count, 4), cv: shuffled(random) }),
    },
    {
      kind: 'planted',
      effect: 'patients that the hierarchy names, folds over rows in order',
      make: (random) => {
        const { groups, ...parts } = repeated(random, count, 3);
        return { ...parts, hierarchy: { patient: groups.map((id) => `p${id}`) }, cv: new KFold({ nSplits: 7 }) };
      },
    },
    {
      kind: 'planted',
      effect: 'one of all patients on both sides',
      make: (random) => {
        const { groups, ...parts } = repeated(random, count, 4);
        const folds = [...wholeGroups(random).split(parts.X, parts.y, { groups })];
        const [one, other] = folds.map(({ test }) => groups[test[0]]);
        const cv = { split: () => folds, getNSplits: () => folds.length };
        return { ...parts, groups: groups.map((id) => (id === other ? one : id)), cv };
      },
    },
    {
      kind: 'clean',
      effect: '4 rows per patient, whole groups',
      make: (random) => ({ ...repeated(random, count, 4), cv: wholeGroups(random) }),
    },
    {
      kind: 'clean',
      effect: '20 rows per patient, stratified whole groups',
      make: (random) => ({
        ...repeated(random, count, 20),
        cv: new StratifiedGroupKFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) }),
      }),
    },
    {
      kind: 'clean',
      effect: 'one row per patient, shuffled folds',
      make: (random) => ({ ...repeated(random, count, 1), cv: shuffled(random) }),
    },
    {
      kind: 'clean',
      effect: 'numbered ids with leading zeros, whole groups',
      make: (random) => {
        const { groups, ...parts } = repeated(random, count, 2);
        return { ...parts, groups: groups.map((id) => `P${String(id).padStart(4, '0')}`), cv: wholeGroups(random) };
      },
    },
  ].map((scenario) => ({ check: 'CVL001', n: count, ...scenario })),
);

// ---- hierarchy --------------------------------------------------------------------------------------------------

function hierarchical(random, patients, cv, extra = {}) {
  const { X, y, groups } = cohort(random, patients, 4);
  const sites = list(patients, () => Math.floor(6 * random.random()));
  const hierarchy = {
    site: groups.map((patient) => `site-${sites[patient]}`),
    patient: groups.map((patient) => `patient-${patient}`),
    visit: groups.map((_, row) => 1 + (row % 2)),
    slice: groups.map((_, row) => `slice-${row}`),
  };
  return { X, y, groups, hierarchy, cv, ...extra };
}

const levels = [60, 300].flatMap((patients) =>
  [
    { kind: 'planted', effect: 'torn patients', make: (random) => hierarchical(random, patients, shuffled(random)) },
    {
      kind: 'planted',
      effect: 'shared sites under deployment',
      make: (random) =>
        hierarchical(random, patients, new GroupKFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) }), {
          design: 'deployment',
        }),
    },
    {
      kind: 'clean',
      effect: 'whole patients of shared sites',
      make: (random) =>
        hierarchical(random, patients, new GroupKFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) })),
    },
    {
      kind: 'clean',
      effect: 'whole sites under deployment',
      make: (random) => {
        const parts = hierarchical(random, patients, new LeaveOneGroupOut());
        return { ...parts, groups: parts.hierarchy.site, design: 'deployment' };
      },
    },
    {
      kind: 'clean',
      effect: 'levels that say nothing of patients',
      make: (random) => {
        const { hierarchy, groups: _, ...parts } = hierarchical(random, patients, shuffled(random));
        const eye = hierarchy.visit.map((visit) => (visit === 1 ? 'left' : 'right'));
        const ages = list(patients, () => 10 * Math.floor(3 + 6 * random.random()));
        return { ...parts, hierarchy: { decade: hierarchy.visit.map((_, row) => ages[Math.floor(row / 4)]), eye } };
      },
    },
    {
      kind: 'clean',
      effect: 'regions within patients, for deployment',
      make: (random) => {
        const cv = new GroupKFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) });
        const { hierarchy, ...parts } = hierarchical(random, patients, cv, { design: 'deployment' });
        const region = hierarchy.patient.map(() => 'abcd'[Math.floor(4 * random.random())]);
        return { ...parts, hierarchy: { patient: hierarchy.patient, region } };
      },
    },
    {
      kind: 'clean',
      effect: 'splitter of whole sites',
      make: (random) => {
        const cv = new HierarchicalGroupKFold({ nSplits: 3, hierarchyLevel: 'site', randomState: seedOf(random) });
        const parts = hierarchical(random, patients, cv);
        // Visit numbers that start anew would join all sites.
        const { visit: _, ...hierarchy } = parts.hierarchy;
        return { ...parts, hierarchy };
      },
    },
  ].map((scenario) => ({ check: 'CVL008', n: 4 * patients, ...scenario })),
);

// ---- space ------------------------------------------------------------------------------------------------------

const places = (random, n) => list(n, () => [100 * random.random(), 100 * random.random()]);

/** A Gaussian field with a spherical covariance at the places: exact, by Cholesky's factor. */
function fieldAt(random, at, range, nugget) {
  const n = at.length;
  const factor = new Float64Array(n * n);
  const noise = list(n, () => normalOf(random));
  return at.map((place, i) => {
    let value = 0;
    for (let j = 0; j <= i; j++) {
      const h = Math.hypot(place[0] - at[j][0], place[1] - at[j][1]) / range;
      let sum = i === j ? 1 : h >= 1 ? 0 : (1 - nugget) * (1 - 1.5 * h + 0.5 * h ** 3);
      for (let k = 0; k < j; k++) sum -= factor[i * n + k] * factor[j * n + k];
      factor[i * n + j] = i === j ? Math.sqrt(Math.max(sum, 1e-9)) : sum / factor[j * n + j];
      value += factor[i * n + j] * noise[j];
    }
    return value;
  });
}

const between = (random, low, high) => low + (high - low) * random.random();

/** Classes of a field, cut at quantiles. */
function cutAt(field, quantiles) {
  const sorted = field.toSorted((a, b) => a - b);
  const cuts = quantiles.map((q) => sorted[Math.floor(q * field.length)]);
  return field.map((value) => cuts.filter((cut) => value > cut).length);
}

/** A field with a range of .2 to .5 of the extent and a nugget of up to 20 %, and plain shuffled folds. */
function autocorrelated(random, n, carry) {
  const coordinates = places(random, n);
  const field = fieldAt(random, coordinates, 100 * between(random, 0.2, 0.5), between(random, 0, 0.2));
  const noise = list(n, () => Number(random.random() < 0.4));
  const parts = { coordinates, cv: shuffled(random) };
  if (carry === 'features')
    return { X: field.map((value) => [value, normalOf(random), normalOf(random)]), y: noise, ...parts };
  const y = { numbers: field, 'two classes': cutAt(field, [0.6]), 'three classes': cutAt(field, [0.3, 0.7]) }[carry];
  return { X: featuresOf(random, noise, 1), y, ...parts };
}

/** The same field in blocks that keep training rows at least one range away, or one range that is small for the blocks. */
function keptApart(random, n, how) {
  const coordinates = places(random, n);
  const range = how === 'buffer' ? between(random, 20, 35) : 5;
  const field = fieldAt(random, coordinates, range, between(random, 0, 0.2));
  const randomState = seedOf(random);
  const cv =
    how === 'buffer'
      ? new BufferedSpatialCV({ nSplits: 5, bufferSize: range, blockSize: 30, randomState })
      : new SpatialBlockCV({ nSplits: 3, blockSize: 34, randomState });
  const y = random.random() < 0.5 ? field : cutAt(field, [0.5]);
  return {
    X: featuresOf(
      random,
      list(n, () => 0),
      0,
    ),
    y,
    coordinates,
    cv,
  };
}

/** Patients at places that say nothing; their rows may scatter about home. */
function scattered(random, patients, rows, scatter) {
  const { X, y, groups } = cohort(random, patients, rows, { signal: between(random, 0, 2) });
  const homes = places(random, patients);
  const coordinates = groups.map((patient) => homes[patient].map((value) => value + scatter * normalOf(random)));
  const cv = rows === 1 ? shuffled(random) : new GroupKFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) });
  return {
    X,
    y: random.random() < 0.3 ? X.map(([value]) => value) : y,
    coordinates,
    cv,
    ...(rows > 1 ? { groups } : {}),
  };
}

const space = [
  ...[200, 500].flatMap((n) =>
    ['numbers', 'two classes', 'three classes', 'features'].map((carry) => ({
      kind: 'planted',
      n,
      effect: `autocorrelated ${carry}, range .2-.5 of the extent, nugget 0-20 %`,
      make: (random) => autocorrelated(random, n, carry),
    })),
  ),
  ...[60, 300, 1000].map((n) => ({
    kind: 'clean',
    n,
    effect: 'no autocorrelation',
    make: (random) => scattered(random, n, 1, 0),
  })),
  ...[0, 2, 30].map((scatter) => ({
    kind: 'clean',
    n: 2000,
    effect: `20 rows per patient, scattered by ${scatter} % of the extent`,
    make: (random) => scattered(random, 100, 20, scatter),
  })),
  { kind: 'clean', n: 300, effect: 'buffer of one range', make: (random) => keptApart(random, 300, 'buffer') },
  { kind: 'clean', n: 500, effect: 'range 5 %, blocks 34 %', make: (random) => keptApart(random, 500, 'blocks') },
].map((scenario) => ({ check: 'CVL006', ...scenario }));

// ---- sites ------------------------------------------------------------------------------------------------------

/** Patients at `count` sites, whose prevalence lies `gap` apart between even and odd ones; features may tell the site. */
function multiSite(random, patients, rows, { count = 4, gap = 0, tells = 0, numbers = false, signal = 1 }) {
  const groups = list(patients * rows, (row) => Math.floor(row / rows));
  const sites = list(patients, () => Math.floor(count * random.random()));
  const labels = sites.map((site) => Number(random.random() < 0.4 + (site % 2 ? gap / 2 : -gap / 2)));
  const y = groups.map((patient) => labels[patient]);
  const X = featuresOf(random, y, signal).map((row, at) => [...row, tells * sites[groups[at]] + normalOf(random)]);
  const hierarchy = {
    site: groups.map((patient) => `site-${sites[patient]}`),
    scanner: groups.map((patient) => `scanner-${sites[patient]}-${patient % 2}`),
    patient: groups.map((patient) => `patient-${patient}`),
  };
  const shifted = groups.map((patient) => Math.exp(normalOf(random)) + (sites[patient] % 2 ? 2 * gap : 0));
  const cv = new GroupKFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) });
  return { X, y: numbers ? shifted : y, groups, hierarchy, cv };
}

const sites = [
  ...[
    [100, 0.7],
    [300, 0.45],
    [1000, 0.25],
  ].flatMap(([n, gap]) =>
    [2, 4].map((count) => ({
      kind: 'planted',
      n,
      effect: `${count} sites, prevalence ${gap} apart`,
      make: (random) => multiSite(random, n, 1, { count, gap, tells: 1 }),
    })),
  ),
  {
    kind: 'planted',
    n: 2000,
    effect: '20 rows per patient, 4 sites, prevalence .7 apart',
    make: (random) => multiSite(random, 100, 20, { gap: 0.7 }),
  },
  {
    kind: 'planted',
    n: 300,
    effect: 'skewed numbers .9 apart',
    make: (random) => multiSite(random, 300, 1, { gap: 0.45, numbers: true }),
  },
  ...[60, 300, 1000].flatMap((n) =>
    [2, 8].map((count) => ({
      kind: 'clean',
      n,
      effect: `${count} sites that the features tell, label unrelated`,
      make: (random) => multiSite(random, n, 1, { count, tells: 2, signal: between(random, 0, 2) }),
    })),
  ),
  ...[50, 200].map((patients) => ({
    kind: 'clean',
    n: 20 * patients,
    effect: '20 rows per patient, label unrelated',
    make: (random) => multiSite(random, patients, 20, { tells: 1 }),
  })),
  {
    kind: 'clean',
    n: 300,
    effect: 'skewed numbers unrelated to the site',
    make: (random) => multiSite(random, 300, 1, { numbers: true }),
  },
].map((scenario) => ({ check: 'CVL012', ...scenario }));

export const structureScenarios = [...patients, ...temporal, ...levels, ...space, ...sites].map((scenario) => ({
  id: `${scenario.check}-${scenario.kind}-${scenario.n}-${scenario.effect.replaceAll(/[^a-z0-9]+/gi, '-')}`,
  ...scenario,
}));
