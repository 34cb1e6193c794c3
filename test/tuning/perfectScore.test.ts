import { describe, expect, it } from 'vitest';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import { perfectScore } from '../../src/tuning/search.js';

const of = (name: string, table: Parameters<typeof scoreTable>[0]) =>
  perfectScore(metricRegistry.get(name), scoreTable(table)).value;

describe('perfectScore', () => {
  it('is the best there is, whatever was predicted', () => {
    const binary = { yTrue: [0, 1, 1], yPred: [1, 0, 0], classes: [0, 1] };
    expect(of('roc_auc', binary)).toBe(1);
    expect(of('precision', binary)).toBe(1);
    expect(of('log_loss', binary)).toBeCloseTo(0, 12);
    expect(of('f1_macro', { yTrue: ['a', 'b', 'c'], yPred: ['b', 'b', 'b'] })).toBe(1);
    expect(of('r2', { yTrue: [1.5, 2.5, 4], yPred: [0, 0, 0], task: 'regression' })).toBe(1);
  });

  it('is null where no prediction has a value: a class that is missing, or has no weight, equal numbers', () => {
    const without = { yTrue: [0, 0, 0], yPred: [1, 0, 1], classes: [0, 1] };
    expect(of('roc_auc', without)).toBeNull();
    expect(of('precision', without)).toBeNull();
    expect(of('accuracy', without)).toBe(1);
    expect(of('roc_auc', { yTrue: [0, 1], yPred: [0, 1], sampleWeight: [1, 0] })).toBeNull();
    expect(of('r2', { yTrue: [2, 2], yPred: [1, 3], task: 'regression' })).toBeNull();
  });
});
