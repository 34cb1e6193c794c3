import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plotSplits as svgOf } from '../../src/plot/plotSplits.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import type { Fold, Splitter } from '../../src/splitters/splitter.js';
import { elements } from './svgText.js';

const plotSplits = (...args: Parameters<typeof svgOf>): string => String(svgOf(...args));

const COLOURS = {
  ...{ train: '#56b4e9', test: '#d55e00', 'inner test': '#009e73', unused: '#eeeeee' },
  ...{ purged: '#222222', embargoed: '#cc79a7', buffered: '#7e57c2' },
};
type Role = keyof typeof COLOURS;

/** Width that a colour takes in each line of the picture, top to bottom. */
function widths(svg: string, role: Role): number[] {
  const lines = new Map<number, number>();
  for (const { name, attributes } of elements(svg)) {
    if (name !== 'path' || attributes.fill !== COLOURS[role]) continue;
    for (const [, from, y, to] of attributes.d.matchAll(/M([\d.]+),([\d.]+)H([\d.]+)/g)) {
      lines.set(Number(y), (lines.get(Number(y)) ?? 0) + Number(to) - Number(from));
    }
  }
  return [...lines].sort(([a], [b]) => a - b).map(([, width]) => width);
}

/** The words of the picture, in the order of its elements. */
const wordsIn = (svg: string): string[] => Array.from(svg.matchAll(/<text[^>]*>([^<]*)/g), ([, text]) => text);

/** How many places each panel of a map shows in the colour of a role. */
const dots = (svg: string, role: Role): number[] =>
  svg
    .split('<g ')
    .slice(1)
    .map((panel) => new RegExp(`d="([^"]*)" fill="${COLOURS[role]}"`).exec(panel)?.[1].match(/M/g)?.length ?? 0);

const inARow = (n: number) => Array.from({ length: n }, (_, row) => [row, 0]);

const nested = new NestedCV({ outerCv: new KFold({ nSplits: 2 }), innerCv: new KFold({ nSplits: 3 }) });

const onePurged: Splitter = {
  split: () => [
    { id: 'only', train: Int32Array.of(0, 1), test: Int32Array.of(4), excluded: { purged: Int32Array.of(2, 3) } },
  ],
  getNSplits: () => 1,
};

describe('plotSplits', () => {
  it('gives every role its share of the width of its line', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 200 }), fc.integer({ min: 2, max: 8 }), (n, nSplits) => {
        const splitter = new KFold({ nSplits, shuffle: true, randomState: n });
        const svg = plotSplits(splitter, n, { width: 946 });
        const folds: Fold[] = [...foldsOf(splitter, n)];
        for (const role of ['train', 'test'] as const) {
          const drawn = widths(svg, role);
          // 946 wide less the margins of 130 and 16: 800 for n rows; each end of a run is rounded to .01.
          for (const [at, fold] of folds.entries()) {
            expect(drawn[at]).toBeCloseTo((800 * fold[role].length) / n, 0);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('draws excluded rows in colours of their own and names only what occurs', () => {
    const svg = plotSplits(onePurged, 6);
    expect(widths(svg, 'purged')[0]).toBeCloseTo(2 * widths(svg, 'test')[0], 1);
    expect(wordsIn(svg)).toEqual(['the splitter', 'only', 'rows →', 'train', 'test', 'purged', 'not used']);
  });

  it('puts rows in the order of time, else of groups, and marks class, groups and time', () => {
    const timestamps = Array.from({ length: 12 }, (_, row) => new Date(Date.UTC(2024, 11 - row, 1)));
    const first: Splitter = {
      split: () => [{ id: 'a', train: Int32Array.of(11), test: Int32Array.of(0) }],
      getNSplits: () => 1,
    };
    const d = (svg: string, role: Role) =>
      elements(svg).find(({ name, attributes }) => name === 'path' && attributes.fill === COLOURS[role])?.attributes.d;
    // Row 11 is the earliest: drawn first, at the left margin.
    expect(d(plotSplits(first, 12, { timestamps }), 'train')).toMatch(/^M130,/);
    expect(d(plotSplits(first, 12), 'test')).toMatch(/^M130,/);
    const groups = Array.from({ length: 12 }, (_, row) => (row % 2 ? 'a' : 'b'));
    expect(d(plotSplits(first, 12, { groups }), 'test')).not.toMatch(/^M130,/);
    const svg = plotSplits(
      first,
      12,
      Array.from({ length: 12 }, (_, row) => row % 3),
      { timestamps, groups },
    );
    for (const label of ['class', 'group', 'time', '2024']) expect(svg).toContain(`>${label}</text>`);
  });

  it('maps places, one panel per fold, latitude up', () => {
    const coordinates = [
      [10, 0],
      [50, 20],
      [30, 5],
      [20, 8],
    ];
    const svg = plotSplits(new KFold({ nSplits: 2 }), 4, { coordinates });
    expect(elements(svg).filter(({ name }) => name === 'g').length).toBe(2);
    const place = (picture: string) => /d="M([\d.]+),([\d.]+)a/.exec(picture)?.slice(1).map(Number) ?? [];
    // The first panel's training rows are 2 and 3; the first dot is row 2.
    const [x, y] = place(svg);
    const [lon, lat] = place(plotSplits(new KFold({ nSplits: 2 }), 4, { coordinates, axes: 'latlon' }));
    expect([x > lon, y > lat]).toEqual([true, true]);
  });

  it('draws every role on a map, as in lines', () => {
    const svg = plotSplits(onePurged, 6, { coordinates: inARow(6) });
    expect((['train', 'test', 'purged', 'unused'] as const).map((role) => dots(svg, role))).toEqual([
      [2],
      [1],
      [2],
      [1],
    ]);
    for (const role of ['embargoed', 'buffered'] as const) {
      const excluded = { [role]: Int32Array.of(2, 3) };
      const split = () => [{ id: 'only', train: Int32Array.of(0, 1), test: Int32Array.of(4), excluded }];
      expect(dots(plotSplits({ split, getNSplits: () => 1 }, 6, { coordinates: inARow(6) }), role)).toEqual([2]);
    }
  });

  it('draws inner folds below their outer one, on a map as in lines', () => {
    const map = plotSplits(nested, 12, { title: 'nested', coordinates: inARow(12) });
    expect(dots(map, 'test')).toEqual([6, 0, 0, 0, 6, 0, 0, 0]);
    expect(dots(map, 'inner test')).toEqual([0, 2, 2, 2, 0, 2, 2, 2]);
    expect(dots(map, 'train')).toEqual([6, 4, 4, 4, 6, 4, 4, 4]);
    const lines = plotSplits(nested, 12, { title: 'nested', width: 746 });
    // 746 wide less the margins of 130 and 16: 600 for 12 rows.
    expect(widths(lines, 'inner test')).toEqual([100, 100, 100, 100, 100, 100]);
    const names = ['fold-0', 'inner fold-0', 'inner fold-1', 'inner fold-2', 'fold-1'];
    for (const svg of [map, lines]) {
      expect(wordsIn(svg).slice(1, 6)).toEqual(names);
      expect(wordsIn(svg)).toContain('inner test');
    }
  });

  it('draws as many rows as it is asked to, on a map as in lines', () => {
    const svg = plotSplits(new KFold({ nSplits: 2 }), 100, { coordinates: inARow(100), maxRows: 20 });
    expect([dots(svg, 'train'), dots(svg, 'test')]).toEqual([
      [10, 10],
      [10, 10],
    ]);
    expect(wordsIn(svg)).toContain('Shown: 20 of 100 rows, evenly spaced.');
  });

  it('says what it leaves out', () => {
    const svg = plotSplits(new KFold({ nSplits: 20 }), 5000, { maxFolds: 3, maxRows: 100 });
    expect(svg).toContain('Shown: 3 of 20 folds; 100 of 5000 rows, evenly spaced.');
    expect(svg.length).toBeLessThan(20_000);
    expect(plotSplits(new KFold(), 50)).not.toContain('Shown:');
  });

  it('says which inner folds it leaves out', () => {
    const said = (maxFolds: number) =>
      wordsIn(plotSplits(nested, 12, { maxFolds })).filter((text) => text.startsWith('Shown:'));
    expect(said(8)).toEqual([]);
    expect(said(7)).toEqual(['Shown: 2 of 2 folds; 5 of their 6 inner folds.']);
    expect(said(4)).toEqual(['Shown: 1 of 2 folds.']);
    expect(said(3)).toEqual(['Shown: 1 of 2 folds; 2 of their 3 inner folds.']);
  });

  it('keeps what it says about rows left out off the legend, and breaks it where the picture is narrow', () => {
    const placesOf = (svg: string) =>
      elements(svg)
        .filter(({ name }) => name === 'text')
        .map(({ attributes }, at) => ({ text: wordsIn(svg)[at], y: Number(attributes.y) }));
    for (const coordinates of [undefined, inARow(500)]) {
      const svg = plotSplits(nested, 500, { maxFolds: 7, width: 300, coordinates });
      const places = placesOf(svg);
      const legend = places.find(({ text }) => text === 'inner test')?.y ?? Number.NaN;
      const said = places.slice(places.findIndex(({ text }) => text.startsWith('Shown:')));
      expect(said.length).toBeGreaterThan(1);
      expect(said[0].y).toBeGreaterThan(legend + 12);
      expect(Number(elements(svg)[0].attributes.height)).toBeGreaterThan(said[said.length - 1].y);
    }
  });

  it('draws rows without an id, which splitters may take, as not used in the line of the level', () => {
    const site = ['a', null, 'b', 'b'] as string[];
    const svg = plotSplits(new KFold({ nSplits: 2 }), 4, { hierarchy: { site }, groups: site });
    expect(widths(svg, 'unused')).toEqual([143.5, 143.5]);
  });

  it('escapes what the caller wrote', () => {
    const svg = plotSplits(new KFold({ nSplits: 2 }), 4, { title: '<script>"a" & b</script>' });
    expect(svg).toContain('&lt;script&gt;&quot;a&quot; &amp; b&lt;/script&gt;');
    elements(svg);
  });
});
