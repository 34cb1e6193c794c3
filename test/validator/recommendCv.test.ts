import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as cvkit from '../../src/index.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { recommendCv } from '../../src/validator/recommendCv.js';
import type { RecommendCvOptions } from '../../src/validator/recommendCvOptions.js';
import { rejection } from '../helpers/failure.js';

const rows = (n: number) => Array.from({ length: n }, (_, row) => [Math.sin(7 * row), Math.cos(3 * row)]);
const classes = (n: number, share = 0.3) =>
  Array.from({ length: n }, (_, row) => ((row * 0.618034) % 1 < share ? 'case' : 'control'));

/** The folds that the text makes. Imports become what this test imports; nothing else is changed. */
function runCode(code: string, variables: Record<string, unknown>) {
  const [, names, rest] = /^import \{ (.+) \} from 'cvkit';\n([\s\S]*)$/.exec(code) as RegExpExecArray;
  const lines: unknown[][] = [];
  const console = { log: (...line: unknown[]) => void lines.push(line) };
  const given = { ...variables, console, cvkit };
  const program = new Function(
    ...Object.keys(given),
    `'use strict'; const { ${names} } = cvkit; ${rest}\nreturn folds;`,
  );
  const folds: cvkit.FoldPlan = program(...Object.values(given));
  return { folds, lines };
}

/** The folds of the recommended splitter, made of what it reads. */
function planOf({ splitter }: cvkit.Recommendation, input: RecommendCvOptions) {
  const { X, y, groups, patientIds, timestamps, labelEndTimes, coordinates, hierarchy } = input;
  const data = { groups: groups ?? patientIds, timestamps, labelEndTimes, coordinates, hierarchy };
  const used = Object.entries(data).filter(([name]) => splitter.reads?.includes(name as 'groups'));
  return foldsOf(splitter, X, y, Object.fromEntries(used));
}

const n = 240;
const X = rows(n);
const y = classes(n);
const patient = Array.from({ length: n }, (_, row) => `P${Math.floor(row / 4)}`);
const hierarchy = { site: patient.map((_, row) => Math.floor(row / 40)), patient };
const byDay = Array.from({ length: n }, (_, row) => new Date(86_400_000 * row).toISOString());
const map = Array.from({ length: n }, (_, row) => [1000 * (Math.floor(row / 4) % 8), 500 * Math.floor(row / 32)]);
const labels = y.map((_, row) => [row % 2, row % 3 === 0 ? 1 : 0, row % 5 === 0 ? 1 : 0]);
const numbers = X.map(([a, b]) => a + b / 3);

const CASES: [title: string, input: RecommendCvOptions, category: string, method: string][] = [
  ['classes', { X, y }, 'iid', 'stratified_kfold'],
  ['few rows', { X: X.slice(0, 80), y: y.slice(0, 80) }, 'iid', 'repeated_kfold'],
  ['numbers', { X, y: numbers }, 'iid', 'kfold'],
  ['few numbers', { X: X.slice(0, 30), y: numbers.slice(0, 30) }, 'iid', 'repeated_kfold'],
  ['patients', { X, y, patientIds: patient }, 'grouped', 'stratified_group_kfold'],
  ['patients of a hierarchy', { X, y, hierarchy }, 'grouped', 'stratified_group_kfold'],
  ['numbers of patients', { X, y: numbers, groups: patient }, 'grouped', 'patient_grouped_kfold'],
  ['one row per patient', { X, y, groups: y.map((_, row) => row) }, 'iid', 'stratified_kfold'],
  ['times', { X, y, timestamps: byDay }, 'temporal', 'temporal'],
  ['times of patients', { X, y, groups: patient, timestamps: byDay }, 'temporal', 'purged_group_time_series_split'],
  [
    'labels that come later',
    { X, y, timestamps: byDay, labelEndTimes: byDay.map((_, row) => new Date(86_400_000 * (row + 3))) },
    'temporal',
    'purged_group_time_series_split',
  ],
  ['times of no account', { X, y, timestamps: byDay, design: 'iid' }, 'iid', 'stratified_kfold'],
  ['places', { X, y, coordinates: map }, 'spatial', 'spatial_block_cv'],
  ['places of patients', { X, y, groups: patient, coordinates: map }, 'spatial', 'spatial_block_cv'],
  ['places of no account', { X, y, coordinates: map, design: 'iid' }, 'iid', 'stratified_kfold'],
  ['other sites', { X, y, hierarchy, design: 'deployment' }, 'grouped', 'hierarchical_group_kfold'],
  ['labels', { X, y: labels }, 'multilabel', 'multilabel_stratified_kfold'],
  ['labels of patients', { X, y: labels, groups: patient }, 'multilabel', 'multilabel_stratified_group_kfold'],
  ['many classes by `task`', { X, y: y.map((_, row) => row % 30), task: 'classification' }, 'iid', 'stratified_kfold'],
  ['integers by `task`', { X, y: y.map((_, row) => row % 7), task: 'regression' }, 'iid', 'kfold'],
];

describe('recommendCv', () => {
  it.each(CASES)('%s', async (_title, input, category, method) => {
    const found = await recommendCv(input);
    expect([found.category, found.method]).toEqual([category, method]);
    // The text makes the very folds that the splitter makes.
    const { folds, lines } = runCode(found.code, input as unknown as Record<string, unknown>);
    expect(lines).toHaveLength(folds.length);
    const labelsOfText = /Array\.from\(y, String\)/.test(found.code)
      ? { ...input, y: Array.from(input.y as ArrayLike<unknown>, String) }
      : input;
    const side = found.code.includes('hierarchy.patient') ? { groups: patient } : {};
    expect(folds.fingerprint).toBe(planOf(found, { ...labelsOfText, ...side }).fingerprint);
    // What the validator takes.
    expect(() => new CVKitValidator({ method: found.method })).not.toThrow();
  });

  it('says the numbers that it has seen', async () => {
    const { rationale, warnings } = await recommendCv({
      X: rows(1200),
      y: classes(1200, 0.2),
      patientIds: Array.from({ length: 1200 }, (_, row) => Math.floor(row / 4)),
      positiveLabel: 'case',
    });
    expect(rationale[0]).toBe('1,200 rows of 300 patients: 4 rows per patient on average.');
    expect(rationale[1]).toBe("y has 2 classes; the positive one, class 'case', has 241 rows (20.1 %).");
    expect(rationale.at(-1)).toMatch(
      /^These data were split to be sure: 5 folds, each training on 9\d\d( to 9\d\d)? rows and testing 2\d\d( to 2\d\d)? rows\.$/,
    );
    // Patients have rows of both classes here.
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^\d+ of 300 patients have rows of several classes/);
  });

  it('of 8 rows: goes as far as is honest', async () => {
    const { splitter, warnings, rationale } = await recommendCv({ X: rows(8), y: [0, 1, 0, 1, 0, 1, 0, 1] });
    // Four folds of two rows, one of each class, not five or eight.
    for (const { test } of foldsOf(splitter, 8, [0, 1, 0, 1, 0, 1, 0, 1])) expect(test[0] % 2).not.toBe(test[1] % 2);
    // 1.96 sqrt(.25 / 8) = .346.
    expect(warnings[0]).toBe(
      'There are 8 rows: a share measured on them may be off by 35 points either way (95 %), and no choice or repetition of folds changes that. Take the scores as a rehearsal, not as an estimate.',
    );
    expect(rationale.join(' ')).toContain('Leave-one-out is not advised');
  });

  const HOSTILE = [
    "it's",
    'a' + "' }); console.log('injected'); ({ b: '",
    'a\\',
    'one\ntwo',
    '\u2028\u202e`$',
    '"',
    '__proto__',
    'x'.repeat(90),
  ];
  it.each(HOSTILE)('writes code that parses and makes the folds: the level %j', async (level) => {
    const side = { hierarchy: { [level]: hierarchy.site, patient } };
    const found = await recommendCv({ X, y, ...side, design: 'deployment' });
    expect(found.method).toBe('hierarchical_group_kfold');
    const { folds, lines } = runCode(found.code, { X, y, ...side });
    // A line for each fold, and nothing else was run.
    expect(lines.map(([id]) => id)).toEqual(Array.from(folds, ({ id }) => id));
    expect(folds.fingerprint).toBe(foldsOf(found.splitter, X, y, { ...side, groups: patient }).fingerprint);
    // No letter that cannot be seen.
    expect(found.code).not.toMatch(/[\u2028\u202e]/);
  });

  it('writes a seed that is a text', async () => {
    const found = await recommendCv({ X, y, randomState: "it's\\" });
    const { folds } = runCode(found.code, { X, y });
    expect(folds.fingerprint).toBe(planOf(found, { X, y }).fingerprint);
  });

  it('speaks of one as of one', async () => {
    const said = async (input: RecommendCvOptions) => {
      const { rationale, warnings } = await recommendCv(input);
      return [...rationale, ...warnings];
    };
    const even = y.map((_, row) => [row % 16, Math.floor(row / 16)]);
    const oneMoves = await said({ X, y, coordinates: even, groups: y.map((_, row) => Math.max(1, row)) });
    expect(oneMoves).toContain(
      '1 patient has rows at several places: whole patients and whole blocks of the map exclude each other, and patients come first.',
    );
    expect(oneMoves[0]).toBe('240 rows of 239 patients: hardly more than 1 row per patient on average.');
    const few = { X: X.slice(0, 60), y: y.slice(0, 60) };
    const untimed = (missing: number) => few.y.map((_, row) => (row < missing ? null : row)) as number[];
    const one = await said({ ...few, timestamps: untimed(1) });
    expect(one).toContain(
      '1 of 60 rows has no time, so these folds do not follow the order of time: leave it out for folds that do.',
    );
    // One sentence about it, and none about an order that the folds do not keep.
    expect(one.filter((text) => /time/.test(text) && !/^Times are given/.test(text))).toHaveLength(1);
    expect(one).toContain('Times are given for 59 rows.');
    expect(await said({ ...few, timestamps: untimed(2) })).toContain(
      '2 of 60 rows have no time, so these folds do not follow the order of time: leave them out for folds that do.',
    );
    expect(await said({ ...few, timestamps: untimed(60) })).toContain(
      'No row has a time, so these folds do not follow the order of time.',
    );
    expect((await said({ ...few, timestamps: untimed(2), design: 'iid' })).join(' ')).not.toMatch(/no time/);
    const wards = { ward: y.map((_, row) => row % 5) };
    expect(await said({ X, y, hierarchy: wards })).toContain(
      "The hierarchy has 5 units of the level 'ward' above the rows.",
    );
  });

  it('passes a design over with one sentence of what stood in its way', async () => {
    const passed = async (input: RecommendCvOptions) =>
      (await recommendCv(input)).warnings.filter((text) => / would fit better /.test(text));
    expect(await passed({ X, y: y.map((label, row) => (row === 5 ? 'rare' : label)) })).toEqual([
      'StratifiedKFold would fit better (y has classes), but cannot be made of these data: The `nSplits` option of StratifiedKFold must be at most the number of rows of class number 2, 1. KFold is the next best.',
    ]);
    expect(await passed({ X, y, timestamps: y.map(() => 1) })).toEqual([
      'TimeSeriesSplit would fit better (times are given and order counts), but cannot be made of these data: TimeSeriesSplit must have rows to train on and to test in each of 5 folds, rows of one time kept together. StratifiedKFold is the next best.',
    ]);
    // The same splitter with another option is called by it.
    expect(
      (await passed({ X: rows(60), y: classes(60).map((label, row) => (row === 5 ? 'rare' : label)) }))[0],
    ).toMatch(/^RepeatedKFold\(\{ stratify: true \}\) would .* RepeatedKFold is the next best\.$/);
  });

  it('refuses groups that tear the patients of the hierarchy', async () => {
    const rowNumber = y.map((_, row) => row);
    const torn =
      'invalid_data: groups must keep each patient of `hierarchy.patient` in one group. Got two groups for one patient, in rows 0 and 1. Leave `groups` (`patientIds`) out: the patients of the hierarchy are used.';
    expect(await rejection(recommendCv({ X, y, groups: rowNumber, hierarchy }))).toBe(torn);
    expect(await rejection(recommendCv({ X, y, patientIds: rowNumber, hierarchy }))).toBe(torn);
    // Several patients may be one group, such as a family, and the same patients may have other names.
    const family = y.map((_, row) => Math.floor(row / 8));
    expect((await recommendCv({ X, y, groups: family, hierarchy })).rationale[0]).toMatch(/of 30 patients/);
    expect((await recommendCv({ X, y, groups: y.map((_, row) => row >> 2), hierarchy })).rationale[0]).toMatch(/of 60/);
    expect((await recommendCv({ X, y, groups: rowNumber, hierarchy: { site: hierarchy.site } })).category).toBe('iid');
  });

  it('passes over folds that train on next to nothing', async () => {
    const even = { X: rows(300), y: Array.from({ length: 300 }, (_, row) => row % 2) };
    const timestamps = even.y.map((_, row) => row);
    // Six patients who are seen over the whole time, and one who has the first three rows.
    const stays = { ...even, timestamps, groups: timestamps.map((row) => (row < 3 ? 'first' : `P${row % 6}`)) };
    const { method, warnings, rationale } = await recommendCv(stays);
    expect(method).toBe('stratified_group_kfold');
    // Equal blocks of two folds have 100 rows; of three 75, half of which is 37.5. Three folds of seven patients are tried first.
    expect(warnings).toContain(
      'PurgedGroupTimeSeriesSplit({ groupExclusive: true }) would fit better (times are given and order counts, and patients repeat), but leaves too little to train on: fold-0 would train on 3 rows, fewer than 38, half of an equal block. StratifiedGroupKFold is the next best.',
    );
    expect(rationale.at(-1)).toMatch(/each training on \d+ to \d+ rows and testing \d+ to \d+ rows\.$/);
    // A class that comes late, which the first of any number of folds has not seen.
    const late = await recommendCv({ ...even, y: even.y.map((each, row) => (row > 200 ? each : 0)), timestamps });
    expect(late.method).toBe('stratified_kfold');
    expect(late.warnings[0]).toMatch(
      /leaves too little to train on: fold-0 would train on no row of class 1\. StratifiedKFold is the next best\.$/,
    );
    // Fewer folds may do.
    const soon = await recommendCv({ ...even, y: even.y.map((each, row) => (row > 80 ? each : 0)), timestamps });
    expect([soon.method, soon.splitter.getNSplits()]).toEqual(['temporal', 2]);
    // A class that nobody can both train on and test says nothing about the folds.
    const rare = await recommendCv({ ...stays, y: even.y.map((each, row) => (row === 3 ? 2 : each)) });
    expect(rare.method).toBe('stratified_group_kfold');
    // Where no design does better, the first that can be made is taken: each of the two patients is a fold.
    const unequal = { X: rows(200), y: Array.from({ length: 200 }, (_, row) => row % 2) };
    const two = { ...unequal, groups: unequal.y.map((_, row) => (row < 10 ? 'a' : 'b')) };
    expect(await recommendCv(two)).toMatchObject({ method: 'stratified_group_kfold' });
  });

  it('warns of scores that rest on few cases', async () => {
    const size = 400;
    const few = async (is: (row: number) => unknown, groups?: number[]) => {
      const label = Array.from({ length: size }, (_, row) => String(is(row)));
      const { warnings } = await recommendCv({ X: rows(size), y: label, ...(groups ? { groups } : {}) });
      return warnings.filter((text) => /^Class/.test(text));
    };
    const four = Array.from({ length: size }, (_, row) => row >> 2);
    // 1.96 / 2 / sqrt(3) = .566, of two .693, of 19 .225.
    const rest = (what: string, points: number) => [
      `Class 'true' is in ${what}: its sensitivity and the AUC rest on these, and may be off by ${points} points either way (95 %), whatever the folds.`,
    ];
    expect(await few((row) => row % 150 === 0)).toEqual(rest('3 rows', 57));
    expect(await few((row) => row < 8, four)).toEqual(rest('2 patients', 69));
    expect(await few((row) => row < 19)).toEqual(rest('19 rows', 22));
    expect(await few((row) => row < 20)).toEqual([]);
    expect((await few((row) => (row < 4 ? 'c' : row % 2), four))[0]).toBe(
      "Class 'c' is in one patient: no fold both trains on it and tests it. Merge it with another class, leave it out, or collect more.",
    );
  });

  it('says of one row in the order of time what it says of one patient', async () => {
    const { warnings, method } = await recommendCv({
      X,
      y: y.map((label, row) => (row === 200 ? 'rare' : label)),
      timestamps: y.map((_, row) => row),
    });
    expect(method).toBe('temporal');
    expect(warnings).toContain(
      'Class number 2 is in one row: no fold both trains on it and tests it. Merge it with another class, leave it out, or collect more.',
    );
  });

  it('speaks of later rows where the folds are about them alone', async () => {
    const said = async (input: Partial<RecommendCvOptions>) => {
      const { rationale, warnings } = await recommendCv({ X, y, ...input });
      return [...rationale, ...warnings].join('\n');
    };
    const later = /will predict later rows/;
    expect(await said({ timestamps: byDay })).toMatch(later);
    for (const few of [1, 2]) expect(await said({ timestamps: y.map((_, row) => row % few) })).not.toMatch(later);
    // Without ids nothing is known of people.
    const timestamps = y.map((_, row) => row);
    const labelEndTimes = timestamps.map((time) => time + 2);
    expect(await said({ timestamps, labelEndTimes })).not.toMatch(/people|patient whom/);
    expect(await said({ timestamps, labelEndTimes, groups: patient })).toMatch(/people it has not seen/);
    const before = timestamps.map((time) => time - 2);
    expect(await rejection(recommendCv({ X, y, timestamps, labelEndTimes: before }))).toMatch(
      /labelEndTimes row 0 must be at or after its timestamp/,
    );
  });

  it('takes a data set as it is, and what it tells of itself changes nothing', async () => {
    for (const dataset of [cvkit.generateSyntheticEhr(), cvkit.generateTemporalPatientData()]) {
      const found = await recommendCv({ ...dataset, warnings: ['A sentence of the data set.'] });
      const {
        X: table,
        y: label,
        groups,
        timestamps,
        hierarchy: levels,
        featureNames,
      } = dataset as unknown as RecommendCvOptions;
      const plain = await recommendCv({
        X: table,
        y: label,
        featureNames,
        ...(groups ? { groups: groups as string[] } : {}),
        ...(timestamps ? { timestamps } : {}),
        ...(levels ? { hierarchy: levels } : {}),
      });
      expect({ ...found, splitter: null }).toEqual({ ...plain, splitter: null });
    }
  });

  it('does not say that order decides folds that it does not decide', async () => {
    const coordinates = y.map((_, row) => [row % 16, Math.floor(row / 16)]);
    const said = async (timestamps: number[]) =>
      (await recommendCv({ X, y, coordinates, timestamps })).warnings.filter((text) => /places are not/i.test(text));
    const way = "are not kept apart. If the model will predict other places, pass `design: 'deployment'`.";
    expect(await said(y.map((_, row) => row))).toEqual([`Order in time decides these folds; places ${way}`]);
    expect(await said(y.map(() => 1))).toEqual([`Places ${way}`]);
  });

  it('refuses so few rows that no two folds train on two and test two', async () => {
    const few = /^infeasible_split: X must have four rows or more, .*\. Got [23]\. Collect more rows\.$/;
    expect(await rejection(recommendCv({ X: rows(2), y: [0.1, 0.2] }))).toMatch(few);
    expect(await rejection(recommendCv({ X: rows(3), y: [0.1, 0.2, 0.3] }))).toMatch(few);
    expect(await rejection(recommendCv({ X: rows(3), y: ['a', 'b', 'c'] }))).toMatch(few);
    expect((await recommendCv({ X: rows(4), y: [0.1, 0.2, 0.3, 0.5] })).splitter.getNSplits()).toBe(20);
    // Of several classes, two must be such that each can be trained on and tested.
    const lone = /^infeasible_split: Class '[ab]' of y must be in two rows or more/;
    expect(await rejection(recommendCv({ X: rows(4), y: ['a', 'b', 'c', 'd'] }))).toMatch(lone);
    expect(await rejection(recommendCv({ X: rows(6), y: ['a', 'b', 'c', 'c', 'c', 'c'] }))).toMatch(lone);
    expect((await recommendCv({ X: rows(6), y: ['a', 'b', 'b', 'c', 'c', 'c'] })).category).toBe('iid');
  });

  it('refuses what no folds can answer, and says what would', async () => {
    const error = async (input: RecommendCvOptions) => {
      const [, message] = /^\w+: (.*)$/.exec(await rejection(recommendCv(input))) ?? [];
      return { message };
    };
    expect((await error({ X: rows(8), y: [0, 1, 0, 0, 0, 0, 0, 0] })).message).toBe(
      'Class 1 of y must be in two rows or more, so that one can be trained on and another one tested. Got 1. Collect more: no cross-validation of these data can tell how well this class is recognised.',
    );
    const cases = y.map((label) => (label === 'case' ? 'P' : 'Q'));
    expect((await error({ X, y, groups: cases })).message).toMatch(/must be in two patients or more.*Got 1\./);
    expect((await error({ X, y, groups: y.map(() => 1) })).message).toMatch(/^groups must name two patients or more/);
    expect((await error({ X, y: y.map(() => 1) })).message).toMatch(/^y must hold at least two classes/);
    expect((await error({ X, y, design: 'prospective' })).message).toMatch(/be beside `timestamps`/);
    expect((await error({ X: rows(1), y: [0.5] })).message).toMatch(/^X must have four rows/);
    expect((await error({ X, y, group: patient } as never)).message).toMatch(/Did you mean `groups`/);
  });

  it('warns of what the folds cannot make good', async () => {
    const said = async (input: RecommendCvOptions) => (await recommendCv(input)).warnings.join('\n');
    expect(await said({ X, y: y.map((label, row) => (row === 5 ? 'rare' : label)) })).toMatch(
      /StratifiedKFold would fit better.*\nFewer rows than folds \(5\): number 2 \(1 row\)\./s,
    );
    expect(await said({ X, y, groups: patient.map((id, row) => (row < 130 ? 'P0' : id)) })).toMatch(
      /One patient has 54 % of the rows/,
    );
    expect(await said({ X, y, timestamps: byDay, design: 'iid' })).toMatch(
      /the answer is about rows of the same period/,
    );
    expect(await said({ X, y, timestamps: y.map((_, row) => row % 12) })).toMatch(/240 rows share 12 times/);
    expect(await said({ X, y, coordinates: map })).toMatch(/240 rows lie at 60 places/);
    const clumps = y.map((_, row) => [100 * (row % 6) + Math.sin(row), 100 * ((row * 5) % 7) + Math.cos(row)]);
    expect(await said({ X, y, coordinates: clumps })).toMatch(/The places lie in clumps/);
    const even = y.map((_, row) => [row % 16, Math.floor(row / 16)]);
    expect(await said({ X, y, coordinates: even })).not.toMatch(/clumps/);
    expect(await said({ X, y, coordinates: even })).toMatch(/haversine/);
    expect(await said({ X, y, coordinates: map })).not.toMatch(/haversine/);
    expect(await said({ X, y, coordinates: map, groups: patient.map((_, row) => row % 60) })).toMatch(
      /patients have rows at several places/,
    );
    expect(await said({ X, y: labels.map((each, row) => [...each, row === 3 ? 1 : 0]) })).toMatch(
      /Label column 3 of y is 1 in 1 row/,
    );
    expect(await said({ X, y: y.map((_, row) => row % 7) })).toMatch(/read as 7 classes/);
    expect(await said({ X, y, design: 'deployment' })).toMatch(/nothing tells the places of the rows apart/);
    // Every patient is seen over the whole time: no earlier row is of another patient.
    const back = y.map((_, row) => row % 12);
    const found = await recommendCv({ X, y, groups: back, timestamps: byDay });
    expect(found.method).toBe('stratified_group_kfold');
    expect(found.warnings.join('\n')).toMatch(
      /PurgedGroupTimeSeriesSplit.* would fit better .*StratifiedGroupKFold is/,
    );
  });

  it('warns of columns by their names, and says to pass what was not given', async () => {
    const table = X.map(([a, b], row) => ({ patient_id: row, visitDate: a, lat: b, lon: a, hospital: 1, age: b }));
    const { warnings } = await recommendCv({ X: table, y, patientIds: patient });
    expect(warnings).toContain('The column patient_id of X looks like an id: leave it out of the features.');
    expect(warnings).toContain(
      'The column visitDate of X looks like a time: leave it out of the features, and pass it as `timestamps` where it is that.',
    );
    expect(warnings.filter((text) => /lat, lon of X look like a place/.test(text))).toHaveLength(1);
    expect(warnings.filter((text) => /hospital of X looks like a site/.test(text))).toHaveLength(1);
    expect(warnings.join('\n')).not.toMatch(/age/);
  });

  it('reads no value of X', async () => {
    const source = {
      length: n,
      take: () => {
        throw new Error('was read');
      },
    };
    expect((await recommendCv({ X: source, y, groups: patient })).method).toBe('stratified_group_kfold');
  });
});

describe('whatever the data', () => {
  const anything = fc
    .record({
      n: fc.integer({ min: 4, max: 60 }),
      seed: fc.integer({ min: 0, max: 1e6 }),
      kind: fc.constantFrom('binary', 'multiclass', 'regression', 'multilabel'),
      patients: fc.option(fc.integer({ min: 2, max: 20 })),
      times: fc.option(fc.integer({ min: 1, max: 60 })),
      places: fc.option(fc.integer({ min: 1, max: 60 })),
      design: fc.constantFrom(undefined, 'iid', 'deployment'),
    })
    .map(({ n: size, seed, kind, patients, times, places, design }): RecommendCvOptions => {
      const draw = cvkit.randomSource(seed);
      const below = (limit: number) => Math.floor(draw.random() * limit);
      const column = <T>(of: () => T) => Array.from({ length: size }, of);
      const label = {
        binary: () => below(2),
        multiclass: () => 'abcd'[below(4)],
        regression: () => draw.random(),
        multilabel: () => [below(2), below(2), below(4) === 0 ? 1 : 0],
      }[kind] as () => number;
      return {
        X: column(() => [draw.random()]),
        y: column(label),
        ...(patients ? { groups: column(() => `P${below(patients)}`) } : {}),
        ...(times ? { timestamps: column(() => below(times)) } : {}),
        ...(places ? { coordinates: column(() => [below(places), below(places)]) } : {}),
        ...(design ? { design } : {}),
      };
    });

  it('the splitter splits them, keeps patients whole, is the same again, and changes nothing', {
    timeout: 120_000,
  }, async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(anything, async (input) => {
        const before = structuredClone(input);
        let found: cvkit.Recommendation;
        try {
          found = await recommendCv(input);
        } catch (error) {
          // The only ways out: a sentence about what is missing.
          expect(error).toBeInstanceOf(cvkit.CVKitError);
          expect(['infeasible_split', 'one_class']).toContain((error as cvkit.CVKitError).code);
          return;
        }
        answered++;
        expect(input).toEqual(before);
        const plan = planOf(found, input);
        const { groups } = input;
        for (const { train, test } of groups ? plan : []) {
          const tested = new Set(Array.from(test, (row) => groups?.[row]));
          expect(train.some((row) => tested.has(groups?.[row] as string))).toBe(false);
        }
        const again = await recommendCv(input);
        expect({ ...again, splitter: null }).toEqual({ ...found, splitter: null });
        expect(planOf(again, input).fingerprint).toBe(plan.fingerprint);
        expect(runCode(found.code, input as unknown as Record<string, unknown>).folds.fingerprint).toBe(
          plan.fingerprint,
        );
        for (const sentence of [...found.rationale, ...found.warnings]) expect(sentence).toMatch(/^[A-Z\d`y].*\.$/s);
      }),
      { numRuns: 150 },
    );
    expect(answered).toBeGreaterThan(100);
  });
});
