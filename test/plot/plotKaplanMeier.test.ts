/** Curves by group, by hand: two groups of four rows. */
import { describe, expect, it } from 'vitest';
import { plotKaplanMeier } from '../../src/plot/index.js';
import { pathsOf, textsIn } from './svgText.js';

const time = [1, 2, 3, 4, 1, 2, 3, 4];
const event = [1, 1, 0, 1, 0, 0, 1, 0];
const group = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'b'];

describe('plotKaplanMeier', () => {
  it('draws a step curve for each group, with a table of rows at risk', () => {
    const svg = plotKaplanMeier({ time, event, group });
    expect(svg.table.header).toEqual(['group', 'time', 'at risk', 'without the event']);
    const rows = svg.table.rows.filter(([name]) => name.startsWith('a'));
    expect(rows.map(([, , atRisk]) => atRisk)).toEqual(['4', '4', '3', '2', '1']);
    expect(rows.map(([, , , value]) => value)).toEqual(['1.000', '0.750', '0.500', '0.500', '0.000']);
    expect(textsIn(String(svg))).toEqual(expect.arrayContaining(['rows at risk', 'a (4)', 'b (4)']));
    // Steps: from each point to the next one coordinate stays.
    for (const path of pathsOf(String(svg), 'line').filter((each) => each.length > 2)) {
      expect(path.slice(1).every(([x, y], at) => x === path[at][0] || y === path[at][1])).toBe(true);
    }
  });

  it('makes groups by risk, and draws incidence where events compete', () => {
    const risk = [8, 7, 6, 5, 4, 3, 2, 1];
    const names = (groups: number) =>
      new Set(plotKaplanMeier({ time, event, risk }, { groups }).table.rows.map(([name]) => name));
    expect([...names(2)]).toEqual(['low risk (4)', 'high risk (4)']);
    expect([...names(1)]).toEqual(['all rows (8)']);
    const competing = plotKaplanMeier({ time, event: event.map((each, row) => (row === 1 ? 2 : each)) });
    expect(competing.table.header[3]).toBe('incidence of event 1');
    // 1/8 + 7/8 (5/6) 1/4 + 7/8 (5/6) (3/4) 1/2, the event of another cause at 2 being none of interest.
    expect(competing.table.rows.at(-1)?.[3]).toBe((1 / 8 + 35 / 192 + 105 / 384).toFixed(3));
  });

  it('refuses what has no outcomes by time', () => {
    expect(() => plotKaplanMeier({ time: [0], event: [1] })).toThrow('above 0');
  });
});
