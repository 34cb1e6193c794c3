import { beforeAll, describe, expect, it } from 'vitest';
import type { CVResults } from '../../src/runner/cvResults.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { subgroupTable } from '../../src/stats/subgroupTable.js';
import reference from '../reference/comparison.json' with { type: 'json' };
import { asTrained, givenResults } from './given.js';

const { patients, y, fold, a, subgroup } = reference.clustered;
const side = subgroup.inside.map((inside) => (inside === 1 ? 'left' : 'right'));

// 120 patients with two rows each, the second half of them from one region; 5 patients of a rare kind.
const n = 240;
const patient = Array.from({ length: n }, (_, row) => row >> 1);
const label = patient.map((each) => Number((each * 7) % 10 < 4));
const p = label.map((each, row) => Math.min(0.99, Math.max(0.01, 0.35 + 0.3 * each + 0.4 * Math.sin(row * 12.9898))));
const sex = patient.map((each) => (each % 2 === 0 ? 'f' : 'm'));
const age = patient.map((each) => (each % 3 === 0 ? 'old' : 'young'));
const kind = patient.map((each) => (each % 24 === 0 ? 'rare' : each % 4 === 1 ? 'second' : 'common'));
let results: CVResults;
beforeAll(async () => {
  results = await givenResults({ p, y: label, groups: patient, fold: new GroupKFold({ nSplits: 4, randomState: 1 }) });
});

describe('subgroupTable', () => {
  it('gives the difference to the rest with the clustered standard error, as R', async () => {
    const clustered = await givenResults({ p: a, y, fold, groups: patients });
    const table = subgroupTable(clustered, { by: { side }, metrics: ['accuracy'], minCell: 1 });
    const { estimate, lower, upper } = table.rows[0].differences?.accuracy ?? {};
    expect(table.rows[0].by).toEqual({ side: 'left' });
    expect(estimate).toBeCloseTo(subgroup.difference, 12);
    // qt(.975, 27) = 2.051831 in R.
    expect(((upper as number) - (lower as number)) / 2).toBeCloseTo(2.051830516480287 * subgroup.se, 9);
    expect(table.rows[1].differences?.accuracy.estimate).toBeCloseTo(-subgroup.difference, 12);
  });

  it('hides every metric where it hides the events, and takes no exact numbers', async () => {
    const y = label.map((each, row) => (row < 60 ? 0 : each));
    const none = await givenResults({ p, y, groups: patient, fold: new GroupKFold({ nSplits: 4, randomState: 1 }) });
    const band = y.map((_, row) => (row < 60 ? 'low' : row < 150 ? 'middle' : 'high'));
    const { rows } = subgroupTable(none, { by: { band }, metrics: ['brier', 'roc_auc'] });
    for (const { events, metrics } of rows) {
      for (const { estimate, lower } of Object.values(metrics)) {
        expect([estimate === null, lower === null]).toEqual([events === null, events === null]);
      }
    }
    expect(rows.find(({ by }) => by.band === 'low')).toMatchObject({ events: null });
    const [age, few] = [31, 30].map((kinds) => label.map((_, row) => 40 + (row % kinds)));
    expect(() => subgroupTable(results, { by: { age } })).toThrow(expect.objectContaining({ code: 'many_levels' }));
    expect(subgroupTable(results, { by: { few } }).rows).toHaveLength(30);
  });

  it('counts rows, patients and events, and estimates within the subgroup', () => {
    const { overall, rows } = subgroupTable(results, { by: { sex }, metrics: ['accuracy', 'roc_auc'] });
    expect(overall).toMatchObject({ n, nUnits: 120, events: label.filter(Boolean).length, differences: null });
    expect(rows.map(({ by, n, nUnits }) => [by.sex, n, nUnits])).toEqual([
      ['f', 120, 60],
      ['m', 120, 60],
    ]);
    const hits = p.flatMap((each, row) => (sex[row] === 'f' ? [Number(Number(each > 0.5) === label[row])] : []));
    expect(rows[0].metrics.accuracy.estimate).toBeCloseTo(hits.reduce((s, v) => s + v, 0) / 120, 12);
    expect(rows[0].metrics.accuracy).toMatchObject({ unit: 'patient', nUnits: 60 });
    expect(overall.metrics.roc_auc.estimate).toBeCloseTo(results.estimates.roc_auc as number, 12);
  });

  it('says that a fold of few rows of a subgroup weighs as much as one of many', async () => {
    // Subgroup a: 1 positive and 2 negative rows in fold 0, 6 and 7 in fold 1. Subgroup b: 5 and 5 in both.
    const rows = [
      ...[1, 0, 0].map((y) => ({ y, fold: 0, group: 'a' })),
      ...[1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0].map((y) => ({ y, fold: 1, group: 'a' })),
      ...[0, 1].flatMap((fold) => Array.from({ length: 10 }, (_, at) => ({ y: at % 2, fold, group: 'b' }))),
    ];
    const p = rows.map(({ y }, at) => 0.2 + 0.3 * y + ((at * 7) % 10) / 25);
    const unequal = await givenResults({ p, y: rows.map(({ y }) => y), fold: rows.map(({ fold }) => fold) });
    const options = { by: { group: rows.map(({ group }) => group) }, minCell: 2 };
    expect(subgroupTable(unequal, options).summary()).not.toMatch(/Every fold counts alike|within folds/);
    const table = subgroupTable(asTrained(unequal), options);
    const [a, b] = table.rows.map((row) => row.metrics.roc_auc.note);
    expect(a).toContain('one of 1 x 2 rows (positive x negative) weighs as much as one of 6 x 7');
    expect(b).not.toContain('positive x negative');
    expect(table.summary().replace(/\s+/g, ' ')).toContain('Every fold counts alike: one of 1 x 2 rows');
  });

  it('hides small cells, and another one that keeps them from being computed', () => {
    const { rows, notes } = subgroupTable(results, { by: { kind }, metrics: ['accuracy', 'roc_auc'] });
    const shown = rows.map(({ by, n, nUnits, events, suppressed }) => ({ ...by, n, nUnits, events, suppressed }));
    expect(shown).toEqual([
      { kind: 'common', n: 170, nUnits: 85, events: expect.any(Number), suppressed: false },
      { kind: 'rare', n: null, nUnits: null, events: null, suppressed: true },
      { kind: 'second', n: null, nUnits: null, events: null, suppressed: true },
    ]);
    for (const row of rows.slice(1)) {
      for (const interval of [...Object.values(row.metrics), ...Object.values(row.differences ?? {})]) {
        expect(interval).toMatchObject({ estimate: null, lower: null, upper: null, nUnits: 0 });
      }
    }
    // What is small and what guards it read alike.
    expect(rows[1].metrics).toEqual({ ...rows[2].metrics });
    expect(notes.join()).toContain('hidden');
  });

  it('hides events and all metrics where few patients have the event, and keeps the rest', async () => {
    const rare = patient.map((each) => Number(each % 2 === 0 ? each % 3 === 0 : each < 8));
    const cv = new GroupKFold({ nSplits: 3, randomState: 1 });
    const few = await givenResults({ p, y: rare, groups: patient, fold: cv });
    const ward = patient.map((each) => (each % 2 === 1 ? 'a' : each % 4 === 0 ? 'b' : 'c'));
    const { rows } = subgroupTable(few, { by: { ward }, metrics: ['accuracy', 'sensitivity'] });
    expect(rows.map(({ by, nUnits, events }) => [by.ward, nUnits, events])).toEqual([
      ['a', 60, null],
      ['b', 30, null],
      ['c', 30, 20],
    ]);
    for (const name of ['accuracy', 'sensitivity']) {
      expect(rows.map(({ metrics }) => metrics[name].estimate !== null)).toEqual([false, false, true]);
    }
  });

  it('crosses variables, and hides in the crossing what is hidden in a margin', () => {
    const intersections = ['sex,age', 'kind,sex'].map((names) => names.split(','));
    const { rows } = subgroupTable(results, { by: { sex, age, kind }, intersections });
    const crossed = rows.filter(({ by }) => 'sex' in by && 'age' in by);
    expect(crossed.map(({ by, nUnits }) => [by.sex, by.age, nUnits])).toEqual([
      ['f', 'old', 20],
      ['f', 'young', 40],
      ['m', 'old', 20],
      ['m', 'young', 40],
    ]);
    const second = rows.filter(({ by }) => by.kind === 'second');
    expect(second.map(({ nUnits }) => nUnits)).toEqual([null, null]);
  });

  it('hides the crossed cells of a hidden level, which would add up to it', async () => {
    // By level and stage: `a` is small, so `b` is hidden with it; no cell of `b` is small or the smallest of its stage.
    const sizes = { a: [2, 2, 1], b: [15, 15, 15], c: [12, 40, 40], d: [40, 12, 40], e: [40, 40, 12] };
    const cells = Object.entries(sizes).flatMap(([level, counts]) =>
      counts.flatMap((count, stage) => Array.from({ length: count }, () => ({ level, stage }))),
    );
    const truth = cells.map((_, row) => row % 2);
    const scores = truth.map((each) => 0.3 + 0.4 * each);
    const many = await givenResults({ p: scores, y: truth, fold: truth.map((_, row) => row % 3) });
    const by = { level: cells.map(({ level }) => level), stage: cells.map(({ stage }) => stage) };
    const { rows } = subgroupTable(many, { by, intersections: [['level', 'stage']], metrics: ['accuracy'] });
    expect(rows.filter((row) => row.by.level === 'b').map(({ n }) => n)).toEqual([null, null, null, null]);
    expect(rows.find((row) => row.by.level === 'c' && !('stage' in row.by))?.n).toBe(92);
  });

  it('shows no p-value, and says how many differences are shown', () => {
    const table = subgroupTable(results, { by: { sex, age } });
    expect(JSON.stringify(table)).not.toMatch(/pValue/);
    expect(table.notes[0]).toContain('4 differences are shown');
  });
});
