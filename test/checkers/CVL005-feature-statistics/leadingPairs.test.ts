import { describe, expect, it } from 'vitest';
import { leadingPairs } from '../../../src/checkers/CVL005-feature-statistics/leadingPairs.js';
import { unitTable } from '../../../src/checkers/shift/unitTable.js';
import { randomSource } from '../../../src/core/random.js';
import { rowNumbers } from '../../../src/data/labels.js';

const random = randomSource(3);

/** Columns of noise of which 4 is nearly minus 9, and 5 goes a little with 6. */
function table(count: number, width: number) {
  const columns = Array.from({ length: width }, () => Float64Array.from({ length: count }, () => random.random()));
  columns[9] = columns[4].map((value) => -value + 0.01 * random.random());
  columns[6] = columns[5].map((value) => value + 2 * random.random());
  const variables = columns.map((values, at) => ({ name: `f${at}`, values }));
  return unitTable(variables, { codes: rowNumbers(count), count });
}

describe('leadingPairs', () => {
  it('are all pairs where there are few', () => {
    const { pairs, of } = leadingPairs(table(50, 12), [0, 4, 9]);
    expect(pairs).toEqual([
      [0, 4],
      [0, 9],
      [4, 9],
    ]);
    expect(of).toBe(3);
  });

  it('are those that go together most where there are many, the strongest first', () => {
    const width = 60;
    const { pairs, of } = leadingPairs(table(200, width), [...Array(width).keys()]);
    expect(of).toBe((width * (width - 1)) / 2);
    expect(pairs).toHaveLength(1000);
    expect(pairs.slice(0, 2)).toEqual([
      [4, 9],
      [5, 6],
    ]);
  });

  it('are fewer the more units there are: 5e5 products', () => {
    expect(leadingPairs(table(5000, 20), [...Array(20).keys()]).pairs).toHaveLength(100);
  });

  it('do not depend on the order of the units, so a permutation of them chooses the same', () => {
    const scored = table(300, 60);
    const order = rowNumbers(300).reverse();
    const turned = { ...scored, data: new Float64Array(scored.data.length) };
    const width = scored.variables.length;
    order.forEach((unit, at) => {
      turned.data.set(scored.data.subarray(unit * width, (unit + 1) * width), at * width);
    });
    const places = [...Array(60).keys()];
    const sorted = (given: typeof scored) => leadingPairs(given, places).pairs.map(String).sort();
    expect(sorted(turned)).toEqual(sorted(scored));
  });
});
