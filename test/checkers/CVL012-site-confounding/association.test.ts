import { describe, expect, it } from 'vitest';
import { detectableEffect, siteAssociation } from '../../../src/checkers/CVL012-site-confounding/association.js';
import reference from '../../reference/siteAssociation.json' with { type: 'json' };

/** One patient per count of a table with one row per site. */
function patients(table: readonly (readonly number[])[]) {
  const cells = table.flatMap((row, site) => row.flatMap((count, label) => Array(count).fill([site, label])));
  return {
    labels: { values: Int32Array.from(cells, ([, label]) => label), classes: table[0].length },
    sites: { codes: Int32Array.from(cells, ([site]) => site), count: table.length },
  };
}

describe('siteAssociation', () => {
  it.each(Object.entries(reference.classes))(
    'is the chi-square and V less its bias of R, %s',
    (_, { table, statistic, effect }) => {
      const { labels, sites } = patients(table);
      const found = siteAssociation(labels, sites);
      expect(found.statistic).toBeCloseTo(statistic, 9);
      expect(found.effect).toBeCloseTo(effect, 9);
      expect(found.degrees).toBe((table.length - 1) * (table[0].length - 1));
    },
  );

  it('is H of Kruskal and Wallis and epsilon squared for ranks', () => {
    const { ranks, site, statistic, effect } = reference.numbers;
    const sites = { codes: Int32Array.from(site), count: 5 };
    const found = siteAssociation({ values: Float64Array.from(ranks) }, sites);
    expect(found.statistic).toBeCloseTo(statistic, 9);
    expect(found.effect).toBeCloseTo(effect, 9);
    expect(found.degrees).toBe(4);
  });

  it('is 1 when the site is the label, and takes sites of one patient and of none', () => {
    const { labels, sites } = patients([
      [20, 0],
      [0, 20],
    ]);
    expect(siteAssociation(labels, sites).effect).toBeCloseTo(1, 9);
    const few = siteAssociation(labels, {
      codes: Int32Array.from({ length: 40 }, (_, at) => (at === 0 ? 2 : 0)),
      count: 4,
    });
    expect(few.degrees).toBe(1);
    expect(few.effect).toBeCloseTo(0, 6);
    const each = siteAssociation(labels, { codes: Int32Array.from({ length: 40 }, (_, at) => at), count: 40 });
    expect(each.effect).toBeGreaterThanOrEqual(0);
    expect(each.effect).toBeLessThanOrEqual(1);
  });
});

describe('detectableEffect', () => {
  it.each(reference.detectable.degrees.map((df, at) => [df, reference.detectable.noncentrality[at]]))(
    'takes the noncentrality of R within 3 %%, %i degrees',
    (degrees, noncentrality) => {
      const found = detectableEffect({ degrees, statistic: 0, effect: 0 }, 100, 1) ** 2 * 100;
      expect(Math.abs(found / noncentrality - 1)).toBeLessThan(0.03);
    },
  );
});
