/** Metrics of masks in tables of several rows and classes. Values of single pairs are scipy's (test/reference/masks.py). */
import { beforeAll, describe, expect, it } from 'vitest';
import { registerMaskMetrics } from '../../../src/metrics/masks/maskMetrics.js';
import { score } from '../../../src/metrics/metric.js';
import { namesAt } from '../../../src/metrics/metricsFor.js';
import { metricRegistry } from '../../../src/metrics/registry.js';
import type { ScoreTable } from '../../../src/metrics/scoreTable.js';
import { joinTables, takeRows } from '../../../src/metrics/tableRows.js';
import reference from '../../reference/masks.json' with { type: 'json' };

beforeAll(registerMaskMetrics);

const unpacked = (runs: readonly number[]) =>
  Uint8Array.from(runs.flatMap((length, at) => new Array<number>(length).fill(at % 2)));
const pictures = reference.pairs.filter(({ shape }) => shape.join() === '37,29');
const defined = pictures.filter(({ hausdorff }) => hausdorff);
const TOLERANCE = reference.tolerances.indexOf(1);
const [HD95] = [reference.percentiles.indexOf(95)];
type Pair = (typeof pictures)[number];

/** Rows of as many classes as each list has pairs. */
function tableOf(rows: readonly (readonly Pair[])[], patients: readonly number[] = [...rows.keys()]): ScoreTable {
  const channels = rows[0].length;
  const { shape } = rows[0][0];
  const size = shape[0] * shape[1];
  const values = (part: 'truth' | 'prediction') => {
    const data = new Uint8Array(rows.length * size * channels);
    rows.forEach((pairs, row) => {
      for (const [channel, pair] of pairs.entries())
        for (const [at, value] of unpacked(pair[part]).entries()) data[(row * size + at) * channels + channel] = value;
    });
    return data;
  };
  return {
    task: 'multilabel',
    length: rows.length,
    shape: channels > 1 ? [...shape, channels] : shape,
    classes: Array.from({ length: size * channels }, (_, at) => at),
    positive: -1,
    yTrue: values('truth'),
    yPred: values('prediction'),
    masks: {
      channels,
      spacing: Float64Array.from(rows.flatMap(([pair]) => pair.spacing)),
      tolerance: 1,
    },
    patients: Int32Array.from(rows, (_, row) => patients[row]),
  };
}

const scored = (name: string, table: ScoreTable) => score(metricRegistry.get(name), table);
const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
const expectValue = (name: string, table: ScoreTable, expected: number) =>
  expect([name, scored(name, table).value ?? Number.NaN]).toEqual([name, expect.closeTo(expected, 9)]);
const hd95 = ({ hausdorff }: Pair) => (hausdorff as number[])[HD95];
const nsd = (pair: Pair) => pair.nsd[TOLERANCE];
const pairNamed = (text: string) => pictures.find(({ name }) => name.includes(text)) as Pair;

describe('hd95 and nsd', () => {
  it('are means over rows, each in its own spacing', () => {
    const table = tableOf(defined.map((pair) => [pair]));
    expectValue('hd95', table, mean(defined.map(hd95)));
    expectValue('nsd', table, mean(defined.map(nsd)));
    const halves = [0, 1].map((part) =>
      takeRows(
        table,
        Int32Array.from(defined.keys()).filter((row) => row % 2 === part),
      ),
    );
    expectValue('hd95', halves[1], mean(defined.filter((_, row) => row % 2 === 1).map(hd95)));
    expectValue('hd95', joinTables(halves), mean(defined.map(hd95)));
  });

  it('are means over the classes of a row, and of each class', () => {
    const unit = defined.filter(({ spacing }) => spacing[0] === 1);
    const table = tableOf(unit.slice(1).map((pair, at) => [unit[at], pair]));
    expectValue('hd95', table, mean([...unit.slice(1), ...unit.slice(0, -1)].map(hd95)));
    const names = namesAt(['hd95', 'nsd'], { of: 'channels', places: [0, 1] });
    expect(names).toEqual(['hd95', 'hd95_0', 'hd95_1', 'nsd', 'nsd_0', 'nsd_1']);
    expectValue('hd95_0', table, mean(unit.slice(0, -1).map(hd95)));
    expectValue('nsd_1', table, mean(unit.slice(1).map(nsd)));
    namesAt(['dice'], { of: 'channels', places: [0] });
    expectValue('dice_0', table, mean(unit.slice(0, -1).map(({ dice }) => dice)));
    expectValue('dice', table, mean([...unit.slice(1), ...unit.slice(0, -1)].map(({ dice }) => dice)));
    // Each row is its own patient: the same number.
    expectValue('dice_by_patient', table, scored('dice', table).value ?? Number.NaN);
    expectValue('iou_by_patient', table, scored('iou', table).value ?? Number.NaN);
    expect(namesAt(['dice'], { of: 'labels', places: [0, 1] })).toEqual(['dice']);
  });

  it('leave out rows in which both masks are empty, and count them as 1 in shares', () => {
    const [moved, empty] = [pairNamed('moved'), pairNamed('both empty')];
    const table = tableOf([[moved], [empty]]);
    expectValue('hd95', table, hd95(moved));
    expectValue('nsd', table, (nsd(moved) + 1) / 2);
    expect(scored('hd95', tableOf([[empty]]))).toEqual({ value: null, reason: 'every mask is empty' });
    // A class without anything is no part of the mean of its row.
    expectValue('hd95', tableOf([[moved, empty]]), hd95(moved));
  });

  it.each(['nothing found', 'nothing to find'])('have no distance and 0 as share where there is %s', (name) => {
    const [moved, one] = [pairNamed('moved'), pairNamed(name)];
    const table = tableOf([[moved], [one], [one]]);
    expect(scored('hd95', table)).toEqual({
      value: null,
      reason:
        'in 2 of 3 rows one mask is empty and the other is not, so that there is no distance between them: use nsd, to which such a row is 0',
    });
    expectValue('hd95', { ...table, weight: Float64Array.of(1, 0, 0) }, hd95(moved));
    expectValue('nsd', table, nsd(moved) / 3);
  });
});

describe('by patient', () => {
  it('counts the rows of a patient as one volume, and each patient alike', () => {
    const unit = defined.filter(({ spacing }) => spacing[0] === 1).slice(0, 5);
    const table = tableOf(
      unit.map((pair) => [pair]),
      [7, 7, 3, 7, 3],
    );
    const groups = [[0, 1, 3].map((row) => unit[row]), [2, 4].map((row) => unit[row])];
    expectValue('hd95_by_patient', table, mean(groups.map((pairs) => mean(pairs.map(hd95)))));
    const elements = ({ elements }: Pair) => elements[0] + elements[1];
    const share = (pairs: Pair[]) =>
      pairs.reduce((sum, pair) => sum + nsd(pair) * elements(pair), 0) /
      pairs.reduce((sum, pair) => sum + elements(pair), 0);
    expectValue('nsd_by_patient', table, mean(groups.map(share)));
    const voxels = (pairs: Pair[]) => {
      let [both, sum] = [0, 0];
      for (const pair of pairs) {
        const [truth, prediction] = [unpacked(pair.truth), unpacked(pair.prediction)];
        truth.forEach((value, at) => {
          both += value * prediction[at];
          sum += value + prediction[at];
        });
      }
      return { dice: (2 * both) / sum, iou: both / (sum - both) };
    };
    expectValue('dice_by_patient', table, mean(groups.map((pairs) => voxels(pairs).dice)));
    expectValue('iou_by_patient', table, mean(groups.map((pairs) => voxels(pairs).iou)));
  });
});

describe.each(['hd95', 'nsd', 'hd95_by_patient', 'nsd_by_patient', 'dice_by_patient', 'iou_by_patient'])(
  '%s',
  (name) => {
    const rows = [...defined.slice(0, 7), pairNamed('both empty')].map((pair) => [pair, pair]);
    const patients = [0, 0, 1, 2, 2, 2, 1, 3];

    it('counts a patient of weight 2 twice', () => {
      const table = tableOf(rows, patients);
      const weight = Float64Array.from(patients, (patient) => (patient === 2 ? 2 : 1));
      const again = [...rows.keys()].filter((row) => patients[row] === 2);
      const twice = tableOf([...rows, ...again.map((row) => rows[row])], [...patients, ...again.map(() => 9)]);
      expectValue(name, { ...table, weight }, scored(name, twice).value as number);
    });

    it('has the influence of each patient as its derivative by the weight', () => {
      const metric = metricRegistry.get(name);
      const weight = Float64Array.from(patients, (patient) => 1 + patient / 4);
      const table = { ...tableOf(rows, patients), weight };
      const { value } = scored(name, table);
      const influence = metric.influence?.(table, value as number) as Float64Array;
      expect(influence.reduce((sum, each) => sum + each, 0)).toBeCloseTo(0, 9);
      for (const patient of [0, 1, 2, 3]) {
        const at = (by: number) =>
          scored(name, { ...table, weight: weight.map((w, row) => (patients[row] === patient ? w * (1 + by) : w)) });
        const slope = ((at(1e-5).value as number) - (at(-1e-5).value as number)) / 2e-5;
        const sum = influence.filter((_, row) => patients[row] === patient).reduce((all, each) => all + each, 0);
        expect(sum).toBeCloseTo(slope, 6);
      }
    });
  },
);

it('is undefined for labels that are no masks', () => {
  const table: ScoreTable = {
    ...{ task: 'multilabel', length: 1, classes: [0, 1], positive: -1 },
    ...{ yTrue: Uint8Array.of(1, 0), yPred: Uint8Array.of(1, 1) },
  };
  expect(scored('nsd', table)).toEqual({ value: null, reason: 'y is no masks of two or three axes' });
});
