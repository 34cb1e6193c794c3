import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelCells, readsCells } from '../../src/intervals/unitDraws.js';
import { score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const labels = metricRegistry.names().map((name) => metricRegistry.get(name));

describe('labelCells', () => {
  it('gives every metric of labels the value of the rows, under any weights', () => {
    const row = fc.record({ y: fc.nat(2), p: fc.nat(2), unit: fc.nat(9), w: fc.integer({ min: 0, max: 3 }) });
    const counts = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 20, maxLength: 60 }), counts, fc.boolean(), (rows, times, weighted) => {
        const table = scoreTable({
          yTrue: rows.map(({ y }) => y),
          yPred: rows.map(({ p }) => p),
          classes: [0, 1, 2],
          ...(weighted ? { sampleWeight: rows.map(({ w }) => w + 1) } : {}),
        });
        const cells = labelCells({ table, units: Int32Array.from(rows, ({ unit }) => unit) });
        if (!cells) throw new Error('no cells');
        cells.weigh(Int32Array.from(times), cells.table.weight);
        const weight = Float64Array.from(rows, ({ unit }, at) => times[unit] * (table.weight?.[at] ?? 1));
        for (const metric of labels.filter((each) => readsCells(each, table) && each.tasks.includes('multiclass'))) {
          const [found, expected] = [score(metric, cells.table), score(metric, { ...table, weight })];
          // Integers: every sum is exact.
          expect(found, metric.name).toEqual(expected);
        }
      }),
      { seed: 4 },
    );
  });

  it('is for metrics that read labels and weights, of tasks with classes', () => {
    const table = scoreTable({ yTrue: [0, 1, 0, 1], yPred: [0, 1, 1, 1], classes: [0, 1] });
    const of = (name: string) => readsCells(metricRegistry.get(name), table);
    expect(['accuracy', 'sensitivity', 'f1', 'mcc'].map(of)).toEqual([true, true, true, true]);
    expect(['roc_auc', 'brier', 'net_benefit'].map(of)).toEqual([false, false, false]);
    const { weighted: _, ...blind } = metricRegistry.get('accuracy');
    expect(readsCells(blind, table)).toBe(false);
    expect(readsCells(metricRegistry.get('mse'), scoreTable({ yTrue: [0.5, 1.5], yPred: [1, 2] }))).toBe(false);
  });

  it('is not made where it would save nothing: cells as many as rows', () => {
    const table = scoreTable({ yTrue: [0, 1, 0], yPred: [0, 1, 1], classes: [0, 1] });
    expect(labelCells({ table, units: Int32Array.of(0, 1, 2) })).toBeUndefined();
  });

  it('leaves the table as it is', () => {
    const table = scoreTable({
      yTrue: [0, 1, 0, 1],
      yPred: [0, 1, 0, 1],
      classes: [0, 1],
      yProba: [0.1, 0.9, 0.2, 0.8],
    });
    const cells = labelCells({ table, units: Int32Array.of(0, 1, 0, 1) });
    expect(cells?.table).toMatchObject({ length: 2, fixed: true, yTrue: Int32Array.of(0, 1) });
    expect(cells?.table.yProba).toBeUndefined();
    expect(table.weight).toBeUndefined();
    expect(table.length).toBe(4);
  });
});
