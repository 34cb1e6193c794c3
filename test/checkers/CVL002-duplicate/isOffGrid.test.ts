import { describe, expect, it } from 'vitest';
import { duplicateRows } from '../../../src/checkers/CVL002-duplicate/duplicateRows.js';
import { randomSource } from '../../../src/core/random.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { normal } from '../CVL003-near-duplicate/normal.js';
import { judged } from '../judged.js';

const judge = (X: number[][]) => judged(duplicateRows, { X, splitter: new KFold({ nSplits: 2 }) });

describe('isOffGrid', () => {
  it('finds copies in one column of numbers with all decimals, and none in rounded ones', async () => {
    const random = randomSource(13);
    const fine = Array.from({ length: 100 }, () => [Math.exp(normal(random))]);
    expect((await judge(fine)).status).toBe('not_evaluated');
    for (let at = 0; at < 5; at++) fine[99 - at] = [...fine[at]];
    const result = await judge(fine);
    expect(result).toMatchObject({ status: 'failed', evidence: { rows: 10, clusters: 5 } });
    // Two limits of detection, in many rows each.
    const limited = fine.map(([value], at) => [
      at < 50 ? Math.max(Math.SQRT1_2, Math.min(Math.SQRT2, value)) : value + 1e-3 * at,
    ]);
    expect((await judge(limited)).status).not.toBe('failed');
    const whole = Array.from({ length: 100 }, () => Math.round(60 + 12 * normal(random)));
    const tenths = Array.from({ length: 100 }, () => Math.round(750 + 120 * normal(random)) / 10);
    for (const values of [whole, tenths]) {
      for (const written of [
        (v: number) => v,
        (v: number) => (v - 61.27) / 11.3,
        Math.log,
        (v: number) => 0.45359237 * v,
      ]) {
        expect((await judge(values.map((value) => [written(value)]))).status).not.toBe('failed');
      }
    }
  });
});
