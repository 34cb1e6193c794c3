/**
 * Metrics of masks by row and by patient, of all classes and of each. They are loaded with the first masks that a run reads. What is
 * empty counts as surfaceDistances.ts says.
 */
import { hasReason } from '../../core/hasReason.js';
import { product } from '../../data/dense.js';
import { type MaskFacts, rowNumbers } from '../../data/labels.js';
import { patientPlaces } from '../byPatient.js';
import { type Metric, type Undefined, undefinedBecause } from '../metric.js';
import { addOnce, metricFamilies } from '../metricsFor.js';
import type { ScoreTable } from '../scoreTable.js';
import { maskPair } from './maskPair.js';
import { hausdorffDistance, normalisedSurfaceDistance, surfaceDistances } from './surfaceDistances.js';

/** Numbers of each row and class, row-major: a value is `above / below`. Nothing below: no mask has anything. */
interface Parts {
  readonly above: Float64Array;
  readonly below: Float64Array;
}

type PartsOf = (table: ScoreTable, masks: MaskFacts) => Parts;

/** What a table has been asked for: surfaces take long, and resampling asks a thousand times. */
const known = new WeakMap<ArrayLike<number>, { yTrue: unknown; spacing: unknown; parts: Map<PartsOf, Parts> }>();

function partsOf(table: ScoreTable, masks: MaskFacts, find: PartsOf): Parts {
  const { yTrue, yPred } = table;
  let kept = known.get(yPred);
  if (kept?.yTrue !== yTrue || kept.spacing !== masks.spacing) {
    kept = { yTrue, spacing: masks.spacing, parts: new Map() };
    known.set(yPred, kept);
  }
  const parts = kept.parts.get(find) ?? find(table, masks);
  kept.parts.set(find, parts);
  return parts;
}

/** Voxels in both masks, and in either counted twice. */
const overlaps: PartsOf = ({ yTrue, yPred, length }, { channels }) => {
  const [above, below] = [new Float64Array(length * channels), new Float64Array(length * channels)];
  const width = yTrue.length / length;
  for (let at = 0; at < yTrue.length; at++) {
    const place = Math.floor(at / width) * channels + (at % channels);
    above[place] += yTrue[at] * yPred[at];
    below[place] += yTrue[at] + yPred[at];
  }
  return { above, below };
};

const dices: PartsOf = (table, masks) => {
  const { above, below } = partsOf(table, masks, overlaps);
  return { above: above.map((both) => 2 * both), below };
};

const shared: PartsOf = (table, masks) => {
  const { above, below } = partsOf(table, masks, overlaps);
  return { above, below: below.map((sum, at) => sum - above[at]) };
};

/** Elements of both surfaces within the tolerance, and all; the distance beside them, of which there is one or none. */
const surfaces: PartsOf = ({ yTrue, yPred, length, shape = [] }, { channels, spacing, tolerance }) => {
  const axes = spacing.length / length;
  const space = shape.slice(0, axes);
  const size = product(space);
  const n = length * channels;
  const [above, below] = [new Float64Array(2 * n), new Float64Array(2 * n)];
  for (let at = 0; at < n; at++) {
    const row = Math.floor(at / channels);
    const first = row * size * channels + (at % channels);
    const [truth, prediction] = [yTrue, yPred].map((values) =>
      Uint8Array.from({ length: size }, (_, voxel) => values[first + voxel * channels]),
    );
    const between = Array.from(spacing.subarray(row * axes, (row + 1) * axes));
    const distances = surfaceDistances(maskPair({ truth, prediction, shape: space, spacing: between }));
    const distance = hausdorffDistance(distances);
    below[at] = distances.fromTruth.length + distances.fromPrediction.length;
    above[at] = below[at] * normalisedSurfaceDistance(distances, tolerance);
    below[n + at] = Number(below[at] > 0);
    above[n + at] = typeof distance === 'number' ? distance : below[at] > 0 ? Infinity : 0;
  }
  return { above, below };
};

const halfOf =
  (half: 0 | 1): PartsOf =>
  (table, masks) => {
    const { above, below } = partsOf(table, masks, surfaces);
    const [from, to] = [(half * above.length) / 2, ((half + 1) * above.length) / 2];
    return { above: above.subarray(from, to), below: below.subarray(from, to) };
  };

interface Values {
  /** Of each unit: mean over its classes that have one; NaN where none has. */
  readonly values: Float64Array;
  readonly weights: Float64Array;
  /** Sum of the weights of units that have a value. */
  readonly total: number;
  /** The unit of each row, and how many of its rows count. */
  readonly units: Int32Array;
  readonly counts: Float64Array;
}

interface Kind {
  readonly find: PartsOf;
  /** What two empty masks are worth; NaN: nothing. */
  readonly empty: number;
  readonly byPatient: boolean;
  /** One class in the place of all. */
  readonly channel: number | undefined;
}

/** The numbers of a unit are sums over its rows: slices of a patient count as one volume. */
function valuesOf(table: ScoreTable, { find, empty, byPatient, channel }: Kind): Values | Undefined {
  const { masks, length, weight, patients } = table;
  if (!masks || !patients) return undefinedBecause('y is no masks of two or three axes');
  const { channels } = masks;
  const parts = partsOf(table, masks, find);
  const units = byPatient ? patientPlaces(patients) : rowNumbers(length);
  const n = byPatient ? units.reduce((most, unit) => Math.max(most, unit), -1) + 1 : length;
  const [above, below] = [new Float64Array(n * channels), new Float64Array(n * channels)];
  const [weights, counts] = [new Float64Array(n), new Float64Array(n)];
  const chosen = channel === undefined ? [...Array(channels).keys()] : [channel];
  let rowsWithout = 0;
  for (let row = 0; row < length; row++) {
    const w = weight ? weight[row] : 1;
    if (!w) continue;
    const unit = units[row];
    counts[unit]++;
    weights[unit] += w;
    let isWithout = false;
    for (const c of chosen) {
      if (parts.above[row * channels + c] === Infinity) isWithout = true;
      above[unit * channels + c] += w * parts.above[row * channels + c];
      below[unit * channels + c] += w * parts.below[row * channels + c];
    }
    if (isWithout) rowsWithout++;
  }
  if (rowsWithout > 0) {
    return undefinedBecause(
      `in ${rowsWithout} of ${length} rows one mask is empty and the other is not, so that there is no distance between them: use nsd, to which such a row is 0`,
    );
  }
  const values = new Float64Array(n).fill(Number.NaN);
  let total = 0;
  for (let unit = 0; unit < n; unit++) {
    if (!counts[unit]) continue;
    weights[unit] /= counts[unit];
    let [sum, defined] = [0, 0];
    for (const c of chosen) {
      const at = unit * channels + c;
      const value = below[at] > 0 ? above[at] / below[at] : empty;
      if (Number.isNaN(value)) continue;
      sum += value;
      defined++;
    }
    if (!defined) continue;
    values[unit] = sum / defined;
    total += weights[unit];
  }
  return total > 0 ? { values, weights, total, units, counts } : undefinedBecause('every mask is empty');
}

function maskMetric(facts: Pick<Metric, 'name' | 'description' | 'direction' | 'range'>, kind: Kind): Metric {
  return {
    ...facts,
    tasks: ['multilabel'],
    needs: 'labels',
    combine: 'pooled',
    weighted: true,
    dependsOnPrevalence: true,
    ...(kind.byPatient ? { averagedOver: 'patient' } : {}),
    ...(kind.byPatient || Number.isNaN(kind.empty) ? {} : { decomposable: true }),
    compute(table) {
      const found = valuesOf(table, kind);
      if (hasReason(found)) return found;
      const { values, weights, total } = found;
      return values.reduce((sum, value, unit) => (Number.isNaN(value) ? sum : sum + weights[unit] * value), 0) / total;
    },
    /** That of the mean over the units, each with its share of the weights, spread over the rows of the unit. */
    influence(table, estimate) {
      const found = valuesOf(table, kind);
      if (hasReason(found)) return new Float64Array(table.length);
      const { values, weights, total, units, counts } = found;
      return Float64Array.from(units, (unit, row) =>
        (table.weight && !table.weight[row]) || Number.isNaN(values[unit])
          ? 0
          : (weights[unit] * (values[unit] - estimate)) / total / counts[unit],
      );
    },
  };
}

const SHARE = { direction: 'maximize', range: [0, 1], empty: 1 } as const;
type Facts = Pick<Metric, 'direction' | 'range'> & Pick<Kind, 'find' | 'empty'> & { readonly what: string };
const KINDS: Readonly<Record<string, Facts>> = {
  dice: { ...SHARE, find: dices, what: 'Dice of masks; 1 where both are empty (Dice 1945)' },
  iou: { ...SHARE, find: shared, what: '|A and B| / |A or B| of masks; 1 where both are empty (Jaccard 1912)' },
  hd95: {
    ...{ direction: 'minimize', range: [0, Infinity], find: halfOf(1), empty: Number.NaN },
    what: 'Hausdorff distance of masks at the 95th percentile, in the unit of `spacing`, pixels where there is none; rows with two empty masks are left out, one empty mask leaves it undefined (Maier-Hein 2024)',
  },
  nsd: {
    ...{ ...SHARE, find: halfOf(0) },
    what: 'Normalised surface distance: share of the surfaces of masks within `tolerance` of each other, in the unit of `spacing`; two empty masks 1, one 0 (Nikolov 2021; Maier-Hein 2024)',
  },
};

function metricsOf(channel?: number): [base: string, metric: Metric][] {
  const [suffix, ofClass] = channel === undefined ? ['', ''] : [`_${channel}`, ` of class ${channel}`];
  const over = channel === undefined ? 'the mean over classes, ' : '';
  return Object.entries(KINDS).flatMap(([name, { find, empty, what, direction, range }]) =>
    [false, true].map((byPatient): [string, Metric] => {
      const base = byPatient ? `${name}_by_patient` : name;
      const of = byPatient ? 'patients, whose rows count as one' : 'rows';
      const facts = {
        name: `${base}${suffix}`,
        direction,
        range,
        description: `${what}${ofClass}; ${over}then over ${of}.`,
      };
      return [base, maskMetric(facts, { find, empty, byPatient, channel })];
    }),
  );
}

/** Makes these metrics known by their names, and those of each class where masks have several. */
export function registerMaskMetrics(): void {
  // `dice` and `iou` of rows were there before.
  for (const [, metric] of metricsOf()) addOnce(metric);
  for (const [base] of metricsOf()) {
    const ofClass = (channel: number) =>
      metricsOf(channel).flatMap(([name, metric]) => (name === base ? [metric] : []));
    metricFamilies.set(base, { of: 'channels', at: ofClass });
  }
}
