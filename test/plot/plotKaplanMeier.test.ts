/** Curves by group, by hand: two groups of four rows. */
import { describe, expect, it } from 'vitest';
import { formatNumber } from '../../src/core/format.js';
import { plotCalibration, plotDecisionCurve, plotKaplanMeier, plotRoc } from '../../src/plot/index.js';
import type { PlottedResults } from '../../src/plot/plottedResults.js';
import { picturesOf } from '../../src/report/pictures.js';
import { riskGroups } from '../../src/survival/riskGroups.js';
import { refusal } from '../helpers/messages.js';
import { tables } from '../helpers/survivalTables.js';
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

  it('does not count rows of weight 0', () => {
    const svg = plotKaplanMeier({ time, event, sampleWeight: event.map((_, row) => Number(row < 4)) });
    expect(svg.table.rows[0].slice(0, 3)).toEqual(['all rows (4)', '0.000', '4']);
  });
});

/** Two repeats of the rows above in one fold each, as a run gives them; the second has the risks in reverse. */
const risks = [8, 7, 6, 5, 4, 3, 2, 1];
const twice = <T>(values: readonly T[]): T[] => [...values, ...values];
const repeated = (more: object = {}): PlottedResults => ({
  outOfFold: {
    row: Int32Array.from(twice([...time.keys()])),
    fold: Int32Array.from(time.concat(time), (_, at) => Number(at >= time.length)),
    group: null,
    yTrue: twice(time),
    yPred: [...risks, ...risks.toReversed()],
    yProba: twice(risks.map((risk) => [1 - risk / 10])),
    weight: null,
    event: Int32Array.from(twice(event)),
    censoring: twice(time.map(() => [1, 0.5])),
    ...more,
  },
  foldDetails: [0, 1].map((index) => ({ index, fold: `repeat-${index}` })),
  manifest: { task: 'survival', classes: [], positiveLabel: null, times: [2], survivalTimes: [2], causeOfInterest: 1 },
});

type Repeat = <T>(values: readonly T[]) => readonly T[];

function ofTable(repeat: Repeat, risksByTime: readonly number[][]): PlottedResults {
  const { outcomes, times } = tables[0];
  const rows = [...outcomes.time.keys()];
  const { manifest, ...rest } = repeated({
    row: Int32Array.from(repeat(rows)),
    fold: new Int32Array(repeat(rows).length),
    yTrue: repeat([...outcomes.time]),
    event: Int32Array.from(repeat([...outcomes.event])),
    yProba: risksByTime.map((row) => row.map((risk) => 1 - risk)),
    censoring: repeat(rows.map(() => [1, ...times.map(() => 0.5)])),
  }) as PlottedResults & { readonly manifest: object };
  return { ...rest, manifest: { ...manifest, times, survivalTimes: times } } as PlottedResults;
}

describe('pictures of results of repeats', () => {
  it('draw the curves of every row once, by the risks of the first', () => {
    const svg = plotKaplanMeier(repeated(), { groups: 2 });
    expect(svg.table).toEqual(plotKaplanMeier({ time, event, risk: risks }, { groups: 2 }).table);
    const noteOf = (picture: unknown) => textsIn(String(picture)).join(' ');
    expect(noteOf(svg)).toContain('Of repeats the first.');
    expect(noteOf(svg)).not.toContain('Bands count');
    const patients = repeated({ group: twice(time.map((_, row) => row >> 1)) });
    expect(noteOf(plotKaplanMeier(patients))).toContain('Bands count the rows of a patient as independent.');
  });

  it('mark the observed risk of five groups, each row once', () => {
    const { outcomes, times, risks: byTime } = tables[0];
    const svg = plotCalibration(ofTable(twice, [...byTime, ...byTime.toReversed()]), { time: times[1], level: 0.9 });
    const predicted = Float64Array.from(byTime, (row) => row[1]);
    const groups = riskGroups(outcomes, predicted, null, { horizon: times[1], cause: 1, level: 0.9, groups: 5 });
    const numbers = groups.map((each) => [each.predicted, each.observed, each.lower, each.upper].map(formatNumber));
    expect(svg.table.rows).toEqual(groups.map(({ rows }, at) => [String(rows.length), ...numbers[at]]));
    const intervals = pathsOf(String(svg), 'line').find((path) => path.length > 3 && path[0][0] === path[1][0]) ?? [];
    expect(intervals).toHaveLength(2 * groups.filter(({ lower }) => lower !== null).length);
    expect(intervals.length).toBeGreaterThan(6);
  });

  it('count rows as the units of a calibration', () => {
    const { times, risks: byTime } = tables[0];
    const bandOf = (repeat: Repeat) =>
      pathsOf(String(plotCalibration(ofTable(repeat, repeat(byTime)), { time: times[1] })), 'area')[0];
    expect(bandOf((values) => values).length).toBeGreaterThan(10);
    expect(bandOf(twice)).toEqual(bandOf((values) => values));
  });

  it('refuse a time that training rows are not followed up to', () => {
    const noWeight = repeated({ censoring: twice(time.map(() => [1, 0])) });
    for (const plot of [plotRoc, plotCalibration, plotDecisionCurve]) {
      expect(() => plot(noWeight)).toThrow(refusal('not_followed', 2));
    }
    // A report draws the curves without them.
    const reported = (more: object) => {
      const { outOfFold, ...results } = repeated(more) as PlottedResults & { readonly manifest: object };
      const manifest = { ...results.manifest, nSplits: 1 };
      return picturesOf({ ...results, outOfFold, manifest, scores: {}, estimates: {} } as never).Scores.length;
    };
    expect([reported({}), reported({ censoring: noWeight.outOfFold.censoring })]).toEqual([4, 1]);
    // Nobody lives beyond: the rows have weights.
    const over = noWeight.outOfFold.yTrue.map((each) => Math.min(2, Number(each)));
    expect(
      plotRoc(repeated({ ...noWeight.outOfFold, yTrue: over, event: Int32Array.from(over, (_, at) => 1 + (at % 2)) })),
    ).toBeDefined();
  });
});
