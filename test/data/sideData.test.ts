import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkSideData,
  groupsOf,
  knownGroups,
  takeSideData,
  timesOf,
  timesWhereKnown,
  unitsOf,
  weightsOf,
} from '../../src/data/sideData.js';
import { failure } from '../helpers/failure.js';
import { matrix } from '../helpers/matrix.js';

describe('unitsOf', () => {
  const rows = Array.from({ length: 120 }, (_, row) => row);
  const every = (size: number) => rows.map((row) => Math.floor(row / size));

  it('are patients where they are known, else rows', () => {
    expect(unitsOf({}, 120)).toEqual({ unit: 'row', count: 120 });
    expect(unitsOf({ groups: every(2) }, 120)).toMatchObject({ unit: 'patient', count: 60 });
    expect(unitsOf({ hierarchy: { patient: every(2) } }, 120)).toMatchObject({ unit: 'patient', count: 60 });
  });

  it('are of the coarsest level that has ten, with a note where one was passed over; never finer than patients', () => {
    const hierarchy = { site: every(40), ward: every(10), patient: every(2), eye: every(1) };
    expect(unitsOf({ hierarchy: { site: every(10) }, groups: every(2) }, 120)).toMatchObject({
      unit: 'site',
      count: 12,
    });
    expect(unitsOf({ hierarchy }, 120)).toMatchObject({
      unit: 'ward',
      note: '3 sites, too few to count as independent: the interval is about new wards of these sites.',
    });
    expect(unitsOf({ hierarchy: { eye: every(1) }, groups: every(20) }, 120)).toMatchObject({
      unit: 'patient',
      count: 6,
    });
  });
});

describe('missing ids and places', () => {
  it('make a row without an id of a level a unit of its own', () => {
    const site = Array.from({ length: 40 }, (_, row) => (row === 7 ? null : row % 12)) as never;
    expect(unitsOf({ hierarchy: { site } }, 40)).toMatchObject({ unit: 'site', count: 13 });
    expect(unitsOf({ hierarchy: { site } }, 40).codes?.[7]).toBe(12);
  });

  it('let a missing place pass at the door, and no other than two numbers', () => {
    const at = (place: unknown) => () => checkSideData({ coordinates: [[0, 1], place] as never }, 2);
    for (const place of [null, undefined, '', [NaN, 1], [null, 1], [1, undefined]]) expect(at(place)).not.toThrow();
    for (const place of [[1], [1, 2, 3], ['1', 2], [Infinity, 2], 7]) expect(at(place)).toThrow('two finite numbers');
  });
});

describe('unitsOf with weights', () => {
  const site = Array.from({ length: 120 }, (_, row) => Math.floor(row / 10));
  const patients = site.map((_, row) => Math.floor(row / 2));
  const without = (...sites: number[]) => site.map((each) => Number(!sites.includes(each)));

  it('counts only units that have a row of weight above 0, so that nine of twelve sites are too few', () => {
    const data = { hierarchy: { site }, groups: patients };
    expect(unitsOf(data, 120, without(0, 1))).toMatchObject({ unit: 'site', count: 10 });
    expect(unitsOf(data, 120, without(0, 1, 2))).toMatchObject({
      unit: 'patient',
      count: 45,
      note: '9 sites, too few to count as independent: the interval is about new patients of these sites.',
    });
    expect(unitsOf({}, 120, without(0))).toEqual({ unit: 'row', count: 110 });
  });

  it('keeps a unit of which some rows have weight 0', () => {
    const weight = patients.map((_, row) => row % 2);
    expect(unitsOf({ groups: patients }, 120, weight)).toMatchObject({ unit: 'patient', count: 60 });
  });
});

describe('groupsOf', () => {
  it('gives codes in ascending order of the ids', () => {
    const groups = groupsOf(['p10', 'p2', 'p10'], 3);
    expect(groups.ids).toEqual(['p10', 'p2']);
    expect(Array.from(groups.codes)).toEqual([0, 1, 0]);
    expect(groups.count).toBe(2);
    expect(groupsOf(Int32Array.of(10, 9, 10), 3).ids).toEqual([9, 10]);
  });

  it('takes mixed ids as text, so that 7 and "7" are one patient', () => {
    expect(groupsOf([7, '7', 'a'], 3).ids).toEqual(['7', 'a']);
  });

  it('leaves what it reads alone', () => {
    const groups = Object.freeze(['b', 'a']);
    groupsOf(groups, 2).codes.fill(7);
    expect(groups).toEqual(['b', 'a']);
  });
});

describe('checkSideData', () => {
  const good = {
    groups: ['a', 'b'],
    timestamps: [new Date(0), new Date(1)],
    labelEndTimes: ['2026-01-01', '2026-01-02'],
    coordinates: matrix('0 1 | 1 1'),
    hierarchy: { site: [1, 2], patient: ['x', 'y'] },
    environment: { ozone: Float32Array.of(1, 2) },
  };

  it('takes arrays of the length of X, and none at all', () => {
    expect(() => checkSideData(good, 2)).not.toThrow();
    expect(() => checkSideData({}, 2)).not.toThrow();
  });

  it.each(['groups', 'timestamps', 'labelEndTimes', 'coordinates'])('refuses another length of %s', (name) => {
    expect(failure(() => checkSideData({ ...good, [name]: [1] }, 2))).toBe(
      `length_mismatch: ${name} must have as many values as X has rows, 2. Got 1.`,
    );
  });

  it.each(['hierarchy', 'environment'])('refuses another length of a level of %s', (name) => {
    expect(failure(() => checkSideData({ ...good, [name]: { fine: [1, 2], short: [1] } }, 2))).toBe(
      `length_mismatch: ${name}.short must have as many values as X has rows, 2. Got 1.`,
    );
  });
});

describe('timesOf', () => {
  const timeIn = (time: unknown) => timesOf([time], 1).values[0];

  it('takes numbers as they are, in the unit of the caller', () => {
    const { values, dates } = timesOf([3, -2.5, 1e300], 3);
    expect(values).toEqual(Float64Array.of(3, -2.5, 1e300));
    expect(dates).toBe(false);
    expect(timesOf(Int32Array.of(2, 1), 2)).toEqual({ values: Float64Array.of(2, 1), dates: false });
  });

  it('takes Dates and ISO 8601 strings, also mixed, as milliseconds since 1970 (UTC)', () => {
    const { values, dates } = timesOf([new Date(5), '1970-01-01T00:00:00.007Z', '1970-01-02'], 3);
    expect(values).toEqual(Float64Array.of(5, 7, 86_400_000));
    expect(dates).toBe(true);
  });

  it.each([
    // without an offset UTC; with one, what the offset says
    ['2024-03-31T02:30', Date.UTC(2024, 2, 31, 2, 30)],
    ['2024-03-31 02:30:15.25', Date.UTC(2024, 2, 31, 2, 30, 15, 250)],
    ['2024-03-31T02:30:00+02:00', Date.UTC(2024, 2, 31, 0, 30)],
    ['2024-03-31 02:30:00-05:30', Date.UTC(2024, 2, 31, 8)],
    ['2024-03-31T02:30:00Z', Date.UTC(2024, 2, 31, 2, 30)],
    // shorter and longer dates
    ['2024', Date.UTC(2024, 0, 1)],
    ['2024-03', Date.UTC(2024, 2, 1)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['+012024-01-01', Date.UTC(12024, 0, 1)],
    ['-000001-12-31T23:00:00Z', Date.UTC(-1, 11, 31, 23)],
  ])('reads %s', (text, expected) => {
    expect(timeIn(text)).toBe(expected);
  });

  it('reads a string without an offset alike in every time zone', () => {
    const { TZ } = process.env;
    try {
      for (const zone of ['America/New_York', 'Asia/Kathmandu']) {
        process.env.TZ = zone;
        expect(new Date(2024, 0, 1).getTimezoneOffset()).not.toBe(0);
        // in New York this hour does not exist
        expect(timeIn('2024-03-10T02:30')).toBe(Date.UTC(2024, 2, 10, 2, 30));
      }
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
  });

  it('gives a Date and its ISO string the same time', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        expect(timeIn(date.toISOString())).toBe(date.getTime());
        expect(timeIn(date)).toBe(date.getTime());
      }),
    );
  });

  it('knows the last day of every month', () => {
    for (const year of [1900, 2000, 2023, 2024]) {
      for (let month = 1; month <= 12; month++) {
        const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
        const dayOf = (day: number) => `${year}-${String(month).padStart(2, '0')}-${day} 12:00`;
        expect(timeIn(dayOf(days))).toBe(Date.UTC(year, month - 1, days, 12));
        for (let day = days + 1; day <= 31; day++) expect(() => timeIn(dayOf(day)), dayOf(day)).toThrow();
      }
    }
  });

  it.each([
    '2024-02-30',
    '2023-02-29',
    '1900-02-29',
    '2024-04-31T10:00Z',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '2024-01-01T25:00',
    '2024-01-01T10:61',
    '01/02/2024',
    '2024-1-2',
    '20240102',
    '2024-W01-1',
    'Jan 2 2024',
    '1704153600000',
    '2024-01-01T10:00+25:00',
    ' 2024-01-01',
    '',
    new Date(Number.NaN),
    null,
    undefined,
    true,
    5n,
    {},
  ])('refuses %s', (time) => {
    expect(failure(() => timesOf(['2024-01-01', time], 2))).toMatch(
      /^invalid_data: timestamps row 1 must be a valid Date or an ISO 8601 string, as row 0 is\. Got .+\.$/,
    );
  });

  it('lets a missing time pass at the door, and names it where times are read', () => {
    for (const none of [null, undefined, Number.NaN, '', new Date(Number.NaN)]) {
      const timestamps = [none, '2024-01-02', '2024-01-01'] as string[];
      checkSideData({ timestamps }, 3);
      const { values } = timesWhereKnown(timestamps, 3);
      expect(Array.from(values)).toEqual([Number.NaN, Date.UTC(2024, 0, 2), Date.UTC(2024, 0, 1)]);
      expect(failure(() => timesOf(timestamps, 3))).toContain('timestamps row 0 must be');
    }
    expect(failure(() => checkSideData({ timestamps: [null, 1, 'soon'] as number[] }, 3))).toMatch(
      /^invalid_data: .*row 2.*a string/,
    );
    // An invalid Date says that the others are dates.
    expect(failure(() => checkSideData({ timestamps: [new Date(Number.NaN), 1, 2] as Date[] }, 3))).toContain('row 1');
  });

  it('refuses labels that are known before their row', () => {
    const checked = (timestamps: unknown[], labelEndTimes: unknown[]) => () =>
      checkSideData({ timestamps, labelEndTimes } as object, timestamps.length);
    expect(failure(checked([1, 9, 9], [1, 8, 9]))).toBe(
      'invalid_data: labelEndTimes row 1 must be at or after its timestamp. Got an earlier time.',
    );
    const days = (...dates: number[]) => dates.map((day) => new Date(2024, 0, day));
    expect(failure(checked(days(1, 5), days(1, 4)))).toMatch(/row 1 must be at or after/);
    // Another kind of time cannot be compared: who reads both says so.
    expect(checked([1, 2], ['2024-01-01', '2024-01-02'])).not.toThrow();
    // A missing time on either side is before nothing.
    expect(checked([1, null, 9], [1, 0, null])).not.toThrow();
    expect(checked([null, null], ['2024-01-01', ''])).not.toThrow();
  });
});

describe('takeSideData', () => {
  const data = {
    groups: ['a', 'b', 'c'],
    timestamps: Float64Array.of(1, 2, 3),
    labelEndTimes: [new Date(1), new Date(2), new Date(3)],
    coordinates: matrix('0 0 | 1 1 | 2 2'),
    hierarchy: { site: [1, 1, 2], patient: ['x', 'y', 'z'] },
    environment: { ozone: Float32Array.of(4, 5, 6) },
  };

  it('takes the rows of every array, level and variable, in the order asked for', () => {
    expect(takeSideData(data, Int32Array.of(2, 0, 2))).toEqual({
      groups: ['c', 'a', 'c'],
      timestamps: [3, 1, 3],
      labelEndTimes: [new Date(3), new Date(1), new Date(3)],
      coordinates: matrix('2 2 | 0 0 | 2 2'),
      hierarchy: { site: [2, 1, 2], patient: ['z', 'x', 'z'] },
      environment: { ozone: [6, 4, 6] },
    });
  });

  it('leaves out what was not given, and leaves alone what was', () => {
    expect(takeSideData({}, Int32Array.of(0))).toEqual({});
    const before = structuredClone(data);
    expect(Object.keys(takeSideData({ ...data, groups: undefined }, Int32Array.of(0)))).not.toContain('groups');
    expect(data).toEqual(before);
  });
});

describe('weightsOf', () => {
  it('copies to doubles', () => {
    const weights = [1, 0, 2.5];
    const got = weightsOf(weights, 3);
    expect(got).toEqual(Float64Array.of(1, 0, 2.5));
    got.fill(9);
    expect(weights).toEqual([1, 0, 2.5]);
  });
});

describe('knownGroups', () => {
  it('gives codes to ids, and -1 to rows without one', () => {
    const ids = ['b', null, 'a', '', undefined, Number.NaN, 'b'] as string[];
    expect(knownGroups(ids, 7)).toEqual({ codes: Int32Array.of(1, -1, 0, -1, -1, -1, 1), ids: ['a', 'b'], count: 2 });
    expect(knownGroups([3, 1, 3], 3)).toMatchObject({ codes: Int32Array.of(1, 0, 1), ids: [1, 3] });
    expect(knownGroups([null, null] as unknown as string[], 2)).toMatchObject({
      codes: Int32Array.of(-1, -1),
      count: 0,
    });
  });
});

describe('a blank', () => {
  it.each([' ', '\t', '\u00a0 '])('is no id, as the empty text is none: %j', (blank) => {
    expect(failure(() => groupsOf(['a', blank, 'b'], 3))).toMatch(/^missing_group: groups row 1 must be an id/);
    expect([...knownGroups(['a', blank, 'b'], 3).codes]).toEqual([0, -1, 1]);
  });
});

it('an offset of a time may be written as +05, +0530 and +05:30', () => {
  const times = ['2020-01-01T10:00+05', '2020-01-01 10:30+0530', '2020-01-01T10:30+05:30', '2020-01-01T05:00Z'];
  expect(new Set(timesOf(times, 4).values).size).toBe(1);
});
