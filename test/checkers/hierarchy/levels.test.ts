import { describe, expect, it } from 'vitest';
import { countedLevel, levelsOf, pluralOf } from '../../../src/checkers/hierarchy/levels.js';

const patient = ['a', 'a', 'b', 'b', 'c', 'c'];
const facts = (data: Parameters<typeof levelsOf>[0]) =>
  levelsOf(data, 6).map(({ name, place, count, crossing, restarts }) => [
    name,
    place,
    count,
    crossing,
    ...(restarts ? ['restarts'] : []),
  ]);

describe('levelsOf', () => {
  it('places levels by who shares what', () => {
    const hierarchy = { site: ['N', 'N', 'N', 'N', 'S', 'S'], patient, slice: [1, 2, 3, 4, 5, 6] };
    expect(facts({ hierarchy })).toEqual([
      ['site', 'above', 2, 0],
      ['patient', 'patient', 3, 0],
      ['slice', 'within', 6, 0],
    ]);
  });

  it('takes groups for the patients', () => {
    expect(facts({ groups: patient, hierarchy: { site: ['N', 'N', 'N', 'N', 'S', 'S'] } })).toEqual([
      ['site', 'above', 2, 0],
      ['patient', 'patient', 3, 0],
    ]);
    expect(facts({ hierarchy: { site: patient } })).toEqual([['site', 'unplaced', 3, 0]]);
  });

  it('counts patients at several sites, and ids that several patients share', () => {
    expect(facts({ hierarchy: { site: ['N', 'S', 'N', 'N', 'S', 'S'], patient } })[0]).toEqual(['site', 'above', 2, 1]);
    expect(facts({ hierarchy: { patient, slice: [1, 2, 1, 3, 4, 5] } })[1]).toEqual(['slice', 'within', 5, 1]);
  });

  it('reads ids that start anew together with their patient', () => {
    expect(facts({ hierarchy: { patient, visit: [1, 2, 1, 2, 1, 2] } })[1]).toEqual([
      'visit',
      'within',
      6,
      0,
      'restarts',
    ]);
    // Without an order of levels, two ids of three patients are above them.
    expect(facts({ groups: patient, hierarchy: { visit: [1, 2, 1, 2, 1, 2] } })[0]).toEqual(['visit', 'above', 2, 3]);
  });
});

it('counts levels in words', () => {
  expect(['site', 'batch', 'biopsy', 'day', 'index'].map(pluralOf)).toEqual([
    'sites',
    'batches',
    'biopsies',
    'days',
    'indexes',
  ]);
  expect([countedLevel(1, 'site'), countedLevel(4, 'biopsy')]).toEqual(['1 site', '4 biopsies']);
});
