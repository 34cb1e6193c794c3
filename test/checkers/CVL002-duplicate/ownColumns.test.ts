import { describe, expect, it } from 'vitest';
import { duplicateRows } from '../../../src/checkers/CVL002-duplicate/duplicateRows.js';
import { linkage } from '../../../src/checkers/CVL002-duplicate/linkage.js';
import { ownColumns } from '../../../src/checkers/CVL002-duplicate/ownColumns.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { type RandomSource, randomSource } from '../../../src/core/random.js';
import { rowsOf } from '../../../src/data/rows.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { judged } from '../judged.js';

const decimals = (random: RandomSource, count: number) => Array.from({ length: count }, () => random.random());

/** People of households: six columns of the household, age and sex. */
function people(n: number, households: number) {
  const random = randomSource(5);
  const homes = Array.from({ length: households }, () => decimals(random, 6));
  return Array.from({ length: n }, () => {
    const home = homes[Math.floor(households * random.random())];
    const person = { age: 18 + Math.floor(70 * random.random()), sex: random.random() < 0.5 ? 'f' : 'm' };
    return { ...Object.fromEntries(home.map((value, at) => [`home${at}`, value])), ...person };
  });
}

/** Rows with decimals of their own, the first `count` again at the end with one cell of another row. */
function changed(n: number, count: number, columnOf: (at: number) => number) {
  const random = randomSource(6);
  const X = Array.from({ length: n }, () => decimals(random, 8));
  for (let at = 0; at < count; at++) {
    X[n - 1 - at] = X[at].map((value, column) => (column === columnOf(at) ? random.random() : value));
  }
  return X;
}

const found = async (X: unknown[]) => {
  const linked = linkage(await readFeatures(rowsOf(X as never)), undefined);
  return ownColumns(linked, linked.codes);
};

describe('ownColumns', () => {
  it('names what people of a household have of their own', async () => {
    const own = await found(people(300, 120));
    expect(own?.columns.toSorted()).toEqual(['age', 'sex']);
    expect(own?.rows).toBeGreaterThan(150);
  });

  it('is undefined for copies: of few rows, with a changed cell in any column, with none', async () => {
    expect(await found(changed(300, 60, () => 2))).toBeUndefined();
    expect(await found(changed(300, 140, (at) => at % 8))).toBeUndefined();
    expect(await found(changed(300, 140, () => -1))).toBeUndefined();
    expect((await found(changed(300, 140, () => 2)))?.columns).toEqual(['feature 2']);
  });

  it('is a question of CVL002, with the way to answer it', async () => {
    const splitter = new KFold({ nSplits: 5, shuffle: true, randomState: 1 });
    const { status, message, fix, evidence } = await judged(duplicateRows, { X: people(300, 120), splitter });
    expect(status).toBe('needs_review');
    expect(message).toMatch(
      /^\d+ rows are equal in all but `age`, `sex` to rows on the other side of a fold \(in \d+ clusters\)\. So many rows that differ in the same columns may be people of one household, or visits of one patient; or copies that were changed\./,
    );
    expect(fix).toMatch(/pass it as `groups`/);
    expect(evidence).toMatchObject({ differing: ['age', 'sex'] });
    const few = await judged(duplicateRows, { X: changed(300, 20, () => 2), splitter });
    expect(few).toMatchObject({ status: 'failed', evidence: { differing: ['feature 2'] } });
  });
});
