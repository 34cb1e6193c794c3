import { describe, expect, it } from 'vitest';
import { countsIn } from '../../../src/checkers/CVL002-duplicate/cells.js';
import { type Rarity, rarityOf } from '../../../src/checkers/CVL002-duplicate/rarity.js';
import { randomSource } from '../../../src/core/random.js';

const n = 200;
const rows = Int32Array.from({ length: n }, (_, row) => row);
const column = (name: string, values: ArrayLike<number>) => ({
  columns: [{ name, kind: 'number' as const, values: Float64Array.from(values) }],
  values: Float64Array.from(values),
  free: false,
});
const random = randomSource(9);
const draw = (most: number) => Array.from({ length: n }, () => Math.floor(most * random.random()));
const numbers = Array.from({ length: n }, () => random.random());
/** Every row differs in content. */
const rarity = (columns: Record<string, ArrayLike<number>>) =>
  rarityOf(
    Object.entries(columns).map(([name, values]) => countsIn(column(name, values), rows)),
    rows,
    rows,
    { units: undefined, differing: 2 },
  );
const placeOf = ({ columns }: Rarity, name: string) => columns.findIndex(({ columns: [each] }) => each.name === name);

describe('Rarity', () => {
  it('weighs a cell by how many other rows have its value', async () => {
    const flags = draw(2);
    const known = await rarity({ flag: flags, number: numbers });
    const alike = flags.filter((flag) => flag === flags[0]).length;
    for (const shared of [1, 2]) {
      const { marginal, conditionalWeights: given } = known.cellWeights(0, shared);
      expect(marginal[placeOf(known, 'flag')]).toBeCloseTo(-Math.log((alike - shared + 0.5) / n), 12);
      // Rarer than any value that two rows have.
      expect(marginal[placeOf(known, 'number')]).toBeGreaterThan(-Math.log(1.5 / n));
      expect(given).toEqual(marginal);
    }
  });

  it('adds up the weights of the cells in which two rows agree, two missing cells among them', async () => {
    const gaps = Array.from({ length: n }, (_, row) => (row < 20 ? Number.NaN : row % 3));
    const known = await rarity({ gap: gaps, number: numbers });
    const { marginal, conditionalWeights } = known.cellWeights(0, 2);
    expect(known.score(0, 0)).toBe(marginal[0] + conditionalWeights[1]);
    expect(known.score(0, 19)).toBe(marginal[placeOf(known, 'gap')]);
    expect([known.score(0, 25), known.score(19, 25)]).toEqual([0, 0]);
  });

  it('gives little for a column that follows from its parent, where rows agree in that', async () => {
    const ward = draw(24);
    const hospital = ward.map((at) => Math.floor(at / 6));
    const known = await rarity({ ward, hospital, number: numbers });
    const at = placeOf(known, 'hospital');
    const { marginal, conditionalWeights: given } = known.cellWeights(0, 1);
    expect(marginal[at]).toBeGreaterThan(1);
    expect(given[at]).toBeLessThan(0.3);
    // As much as it is worth alone, where the wards differ.
    const other = ward.findIndex((each, row) => each !== ward[0] && hospital[row] === hospital[0]);
    const alone = known.cellWeights(0, 2).marginal;
    expect(known.score(0, other)).toBeCloseTo(alone[at], 12);
    const same = ward.findIndex((each, row) => row > 0 && each === ward[0]);
    const within = known.cellWeights(0, 2).conditionalWeights[at];
    expect(known.score(0, same)).toBeCloseTo(alone[placeOf(known, 'ward')] + within, 12);
  });

  it('gives columns that are tied no more than the pairs that agree in one and not in the other are worth', async () => {
    // Of twenty towns all have one income; in one of ten rows it is written another way.
    const town = Array.from({ length: n }, (_, row) => row % 20);
    const income = town.map((at, row) => (row % 10 === 9 ? 1000 + row : 100 + at));
    const own = Object.fromEntries([0, 1, 2].map((at) => [`own${at}`, numbers.map((value) => (value * 7 ** at) % 1)]));
    const known = await rarity({ town, income, ...own });
    const { conditionalWeights: given } = known.cellWeights(0, 1);
    const [first, second] = [placeOf(known, 'town'), placeOf(known, 'income')];
    expect(Math.min(given[first], given[second])).toBeLessThan(0.5);
    expect(Math.max(given[first], given[second])).toBeGreaterThan(2);
  });
});
