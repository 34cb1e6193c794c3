import { describe, expect, it } from 'vitest';
import { idsIn, pseudonyms } from '../../src/data/pseudonyms.js';
import { failure } from '../helpers/failure.js';

describe('pseudonyms', () => {
  it('are the same for the same id, within one result alone', () => {
    const [here, there] = [pseudonyms(), pseudonyms()];
    expect(here('p1')).toMatch(/^#[0-9a-f]{8}$/);
    expect(here('p1')).toBe(here('p1'));
    expect(here('p1')).not.toBe(there('p1'));
  });

  it('differ for different ids, however many: eight digits alone would be shared by about nine pairs', {
    tags: 'slow',
  }, () => {
    // Of 280,000 ids n (n - 1) / 2 / 16^8 = 9.1 pairs are expected to have the same first eight digits.
    const nameOf = pseudonyms();
    const names = Array.from({ length: 280_000 }, (_, id) => nameOf(id));
    expect(new Set(names).size).toBe(280_000);
    expect(names.filter((name) => name.length > 9).length).toBeGreaterThan(0);
  });
});

describe('idsIn', () => {
  const nameOf = (id: unknown) => `#${String(id).length}`;

  it('writes pseudonyms by default, also where JSON.stringify hands it the name of a property', () => {
    for (const input of [undefined, {}, '', 'result', { ids: 'pseudonyms' } as const]) {
      expect(idsIn(input, nameOf)('abc')).toBe('#3');
    }
  });

  it('writes raw ids on request, as text where JSON has no such value', () => {
    const raw = idsIn({ ids: 'raw' }, nameOf);
    expect([7, 'p7', 2n ** 60n, new Date(0)].map(raw)).toEqual([
      7,
      'p7',
      '1152921504606846976',
      '1970-01-01T00:00:00.000Z',
    ]);
  });

  it('refuses anything else', () => {
    expect(failure(() => idsIn({ ids: 'names' as 'raw' }, nameOf))).toBe(
      "invalid_option: The `ids` option of toJSON must be one of 'pseudonyms', 'raw'. Got 'names'.",
    );
  });
});
