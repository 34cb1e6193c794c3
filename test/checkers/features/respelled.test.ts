import { describe, expect, it } from 'vitest';
import { respelled } from '../../../src/checkers/features/respelled.js';
import { groupsOf } from '../../../src/data/sideData.js';

const of = (ids: (string | number | boolean)[]) => respelled(groupsOf(ids, ids.length));

describe('respelled', () => {
  it.each([
    ['leading zeros', 'P007', 'P7'],
    ['leading zeros of text', '007', '7'],
    ['leading zeros within', 'site1-P07', 'Site1-P7'],
    ['a number that was read as decimal', '7.0', '7'],
    ['the encoding of an accent', 'Zo\u00eb', 'Zoe\u0308'],
    ['full width', '\uff30\uff17', 'P7'],
    ['spaces without a break', 'p\u00a07', 'p7'],
  ])('joins ids that differ in %s alone', (_, a, b) => {
    expect(of([a, b, 'other'])?.count).toBe(2);
  });

  it('keeps numbered series apart', () => {
    const serial = (nameOf: (at: number) => string) => Array.from({ length: 300 }, (_, at) => nameOf(at));
    for (const ids of [
      serial((at) => `P${at}`),
      serial((at) => `P${String(at).padStart(3, '0')}`),
      serial((at) => `${at % 20}.${String(Math.floor(at / 20)).padStart(2, '0')}`),
      serial((at) => `${at}0`),
      serial((at) => `${(at * 2654435761) % 2 ** 32}`),
    ]) {
      expect(of(ids)).toBeUndefined();
    }
    // Site 1, patient 10 and site 11, patient 0; a tenth and a hundredth; digits amid letters, as hashes have them.
    expect(of(['1-10', '11-0', '110', '1.5', '1.05', '1.005', 'a01b', 'a1b', 'P7.0', 'P7'])).toBeUndefined();
  });

  it('joins ids that differ in spaces or case alone', () => {
    const groups = of(['p7', 'P7 ', 'p 7', 'p8', 'p7\t', 'p-7']);
    expect(groups?.count).toBe(3); // p-7, p7, p8
    expect([...(groups as { codes: Int32Array }).codes]).toEqual([1, 1, 1, 2, 1, 0]);
  });

  it('leaves all others as they are', () => {
    expect(of(['p7', 'p8', 'q7'])).toBeUndefined();
    expect(of([7, 8, 70])).toBeUndefined();
    expect(of([true, false])).toBeUndefined();
  });
});
