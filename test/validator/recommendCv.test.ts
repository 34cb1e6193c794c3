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

  it('refuses groups that tear the patients of the hierarchy', async () => {
    const rowNumber = y.map((_, row) => row);
    const torn = /^invalid_data: groups must keep each patient of `hierarchy.patient` in one group/;
    for (const ids of [{ groups: rowNumber }, { patientIds: rowNumber }]) {
      expect(await rejection(recommendCv({ X, y, ...ids, hierarchy }))).toMatch(torn);
    }
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

  it('splits four rows, and classes of which two are in two rows', async () => {
    expect((await recommendCv({ X: rows(4), y: [0.1, 0.2, 0.3, 0.5] })).splitter.getNSplits()).toBe(20);
    expect((await recommendCv({ X: rows(6), y: ['a', 'b', 'b', 'c', 'c', 'c'] })).category).toBe('iid');
  });

  it.each([
    [0.146, true], // .146 / (.5 sqrt(5 * 5.146 / 72)) = .488
    [0.153, false], // .511
    [0.5, false],
  ])(
    'says that places lie in clumps where the index of Clark and Evans is below .5: pairs %d apart',
    async (d, clumped) => {
      const pairs = Array.from({ length: 72 }, (_, at) => [((at >> 1) % 6) + d * (at % 2), Math.floor(at / 12)]);
      const { warnings } = await recommendCv({ X: rows(72), y: classes(72), coordinates: pairs });
      expect(/The places lie in clumps/.test(warnings.join())).toBe(clumped);
      // A place counts once.
      const twice = { X: rows(144), y: classes(144), coordinates: [...pairs, ...pairs] };
      expect(/The places lie in clumps/.test((await recommendCv(twice)).warnings.join())).toBe(clumped);
    },
  );

  it('gives way where every patient is seen over the whole time: no earlier row is of another patient', async () => {
    const found = await recommendCv({ X, y, groups: y.map((_, row) => row % 12), timestamps: byDay });
    expect(found.method).toBe('stratified_group_kfold');
    expect(found.warnings.join('\n')).toMatch(
      /PurgedGroupTimeSeriesSplit.* would fit better .*StratifiedGroupKFold is/,
    );
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
