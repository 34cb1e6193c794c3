import { describe, expect, it } from 'vitest';
import { respelled } from '../../../src/checkers/features/respelled.js';
import { randomSource } from '../../../src/core/random.js';
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
    ['a sign before the number', 'P-7', 'P7'],
    ['a sign before the number and zeros', 'p_007', 'P7'],
    ['the sign between numbers', '12/345', '12_345'],
    ['the sign between words', 'jane-doe', 'Jane Doe'],
    ['spaces of no width', 'P7\u200b', '\ufeffP7'],
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
    expect(groups?.count).toBe(2); // p7, p8
    expect([...(groups as { codes: Int32Array }).codes]).toEqual([0, 0, 0, 1, 0, 0]);
  });

  it('goes by case where case tells ids apart', () => {
    const source = randomSource(4);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const short = Array.from({ length: 400 }, () =>
      Array.from({ length: 2 }, () => letters[Math.floor(52 * source.random())]).join(''),
    );
    expect(of(short)).toBeUndefined();
    // Names are written in two ways at most, whatever their letters.
    const names = Array.from({ length: 40 }, (_, at) => `patientOf${letters[at % 26]}${at}`);
    expect(of([...names, names[3].toUpperCase()])?.count).toBe(40);
  });

  it('looks at the case of each word of an id', () => {
    const names = ['Anna Meier', "Jon O'Hara", 'Eva-Maria von Au', 'Dr. Ida Roth', 'Li Wei', 'Zoë Ärzt-Öhm'];
    for (const nameOf of [
      (at: number) => `${names[at % 6]} ${at}`,
      (at: number) => `Anna${at}Meier${at % 7}Bed`,
      (at: number) => `${at}_${names[at % 6].split(' ').reverse().join(', ')}`,
    ]) {
      const ids = Array.from({ length: 60 }, (_, at) => nameOf(at));
      const double = ids.slice(0, 30).map((id, at) => (at % 2 ? id.toLowerCase() : id.toUpperCase()));
      expect(of([...ids, ...double])?.count).toBe(60);
    }
  });

  it('leaves all others as they are', () => {
    expect(of(['p7', 'p8', 'q7'])).toBeUndefined();
    expect(of(['-7', '7', '1-10', '11-0', '110', '1 10', '12/345', '1/2345'])?.count).toBe(7); // 1-10 and 1 10
    expect(of([7, 8, 70])).toBeUndefined();
    expect(of([true, false])).toBeUndefined();
  });
});
