import { describe, expect, it } from 'vitest';
import { patientTable } from '../../../src/checkers/CVL012-site-confounding/siteConfounding.js';
import { labelsOf } from '../../../src/data/labels.js';
import type { SideData } from '../../../src/data/sideData.js';

describe('patientTable', () => {
  it('gives each patient its commonest class and site', () => {
    // b has classes 1, 1, 0 and sites S, S, N; a has one each of 0 and 1: the first of equals.
    const { unit, labels, levels, rows } = patientTable(
      labelsOf([0, 1, 1, 1, 0, 1]),
      { groups: ['a', 'a', 'b', 'b', 'b', 'c'], hierarchy: { site: ['N', 'N', 'S', 'S', 'N', 'N'] } },
      6,
    );
    expect(unit).toBe('patient');
    expect(labels).toEqual({ values: Int32Array.of(0, 1, 1), classes: 2 });
    expect(levels).toMatchObject([{ name: 'site', codes: Int32Array.of(0, 1, 0), count: 2 }]);
    expect([...rows.codes]).toEqual([0, 0, 1, 1, 1, 2]);
  });

  it('ranks numbers, of huge ones too', () => {
    // Row ranks 1, 4, 2, 3; means of a and b are 2.5 both, and 2.5 is the rank of a tie of two.
    const { labels } = patientTable(
      labelsOf([-1e300, 1e300, 0.5, 0.75], { task: 'regression' }),
      { groups: ['a', 'a', 'b', 'b'], hierarchy: { site: ['N', 'N', 'S', 'S'] } },
      4,
    );
    expect(labels).toEqual({ values: Float64Array.of(1.5, 1.5) });
  });

  it('leaves visits out, and levels of one site', () => {
    const hierarchy = {
      country: Array(4).fill('X'),
      site: ['N', 'N', 'N', 'S'],
      patient: ['a', 'a', 'b', 'c'],
      visit: [1, 2, 1, 1],
    };
    expect(patientTable(labelsOf([0, 0, 1, 1]), { hierarchy }, 4).levels.map(({ name }) => name)).toEqual(['site']);
  });

  it('takes the innermost of several levels for the patients, and rows where there is one', () => {
    const subject = ['a', 'a', 'b', 'c'];
    const site = ['N', 'N', 'N', 'S'];
    expect(patientTable(labelsOf([0, 0, 1, 1]), { hierarchy: { site, subject } }, 4)).toMatchObject({
      unit: 'subject',
      rows: { count: 3 },
    });
    expect(patientTable(labelsOf([0, 0, 1, 1]), { hierarchy: { site } }, 4)).toMatchObject({
      unit: 'row',
      rows: { count: 4 },
    });
  });

  it('takes neither a scanner for a patient nor visit numbers for sites', () => {
    const site = ['N', 'N', 'N', 'S'];
    const scanner = ['A', 'A', 'B', 'B'];
    const named = (data: SideData) => {
      const n = data.groups?.length ?? 4;
      const { unit, levels } = patientTable(labelsOf(Array.from({ length: n }, (_, row) => row % 2)), data, n);
      return [unit, ...levels.map(({ name }) => name)];
    };
    expect(named({ hierarchy: { site, scanner } })).toEqual(['row', 'site', 'scanner']);
    expect(named({ hierarchy: { scanner, subject: ['a', 'a', 'b', 'c'] } })).toEqual(['subject', 'scanner']);
    const hierarchy = { scanner: ['A', 'A', 'A', 'A', 'B', 'B'], visit: [1, 2, 1, 2, 1, 2] };
    expect(named({ groups: ['a', 'a', 'b', 'b', 'c', 'c'], hierarchy })).toEqual(['patient', 'scanner']);
  });

  it('passes over rows without an id', () => {
    const site = ['N', null, 'S', 'S'] as string[];
    const { rows, labels, without } = patientTable(
      labelsOf([0, 0, 1, 1]),
      { groups: ['a', 'b', 'c', 'd'], hierarchy: { site } },
      4,
    );
    expect(without).toEqual({ count: 1, levels: ['site'] });
    expect([...rows.codes]).toEqual([0, -1, 1, 2]);
    expect([...labels.values]).toEqual([0, 1, 1]);
  });

  it('leaves nobody out for a level that has nothing to compare', () => {
    const site = ['N', 'N', 'S', 'S'];
    for (const batch of [Array(4).fill(null), ['x', null, null, null], ['x', null, 'y', null]]) {
      const hierarchy = { site, batch };
      const { rows, without } = patientTable(labelsOf([0, 1, 0, 1]), { groups: ['a', 'b', 'c', 'd'], hierarchy }, 4);
      expect([rows.count, without]).toEqual([4, { count: 0, levels: [] }]);
    }
  });
});
