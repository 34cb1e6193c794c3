import { describe, expect, it } from 'vitest';
import { identifierColumns } from '../../../src/checkers/CVL011-identifier/identifierColumns.js';
import { randomSource } from '../../../src/core/random.js';
import { loadCancerImaging } from '../../../src/datasets/loadCancerImaging.js';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { BootstrapValidation } from '../../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { normal } from '../CVL003-near-duplicate/normal.js';
import { judged } from '../judged.js';
import { identifierColumnsScenes } from './identifierColumns.scenes.js';

const splitter = new KFold({ nSplits: 2 });
const judge = (X: unknown, rest: object = {}) => judged(identifierColumns, { X: X as unknown[], splitter, ...rest });
const random = randomSource(2);
/** 40 rows, in which the feature `name` has the values that `valueAt` gives. */
const withColumn = (name: string, valueAt: (row: number) => unknown) =>
  Array.from({ length: 40 }, (_, row) => ({ value: random.random(), [name]: valueAt(row) }));
const scattered = (row: number) => (row * 17) % 41;
/** One feature is named as a patient number. */
const namesPatient = (feature: string) => ({
  code: 'CVL011',
  status: 'needs_review',
  severity: 'medium',
  evidence: { features: 1, examples: [{ feature, kind: 'patient' }] },
});

describe('identifierColumns', () => {
  it('asks once for the patients, however many columns may name them', async () => {
    const X = identifierColumnsScenes.leaking.X as Record<string, unknown>[];
    const twice = await judge(X.map((row) => ({ ...row, case_id: `c${row.number}`, mrn: row.number })));
    expect(twice.evidence.features).toBeGreaterThan(1);
    expect(twice.fix.match(/patientIds`/g)).toHaveLength(1);
    expect(twice.fix).toMatch(/`patientIds`/);
  });

  it('takes one of several heights for a height, with holes too, but not one of two, nor an id', async () => {
    const source = randomSource(41);
    // Two rows of each of 60 people, whose heights are as different as ids.
    const people = Array.from({ length: 60 }, () => normal(source));
    const tall = people.map((size) =>
      Array.from({ length: 5 }, () => Math.round(1e3 + 90 * size + 9 * normal(source))),
    );
    const heights = (count: number, isThere: (row: number, age: number) => boolean = () => true) =>
      Array.from({ length: 120 }, (_, row) =>
        Object.fromEntries(tall[row >> 1].slice(0, count).map((cm, age) => [`x${age}`, isThere(row, age) ? cm : null])),
      );
    expect((await judge(heights(5))).status).toBe('passed');
    expect((await judge(heights(5, (row, age) => (row + age) % 4 > 0))).status).toBe('passed');
    const withWeight = heights(2).map((row, at) => ({ ...row, kg: people[at >> 1] ** 2, age: Math.sin(at >> 1) }));
    expect((await judge(withWeight)).status).toBe('needs_review');
    const number = (row: number) => Math.floor(1000 * Math.abs(Math.sin(row >> 1)));
    const ids = heights(5).map((row, at) => ({ ...row, number: number(at) }));
    expect(await judge(ids)).toMatchObject(namesPatient('number'));
  });

  it('does not take a sum score for a patient, and asks where it cannot tell', async () => {
    // A trait makes twenty items go together, so that rows of one sum are alike.
    const source = randomSource(21);
    const X = Array.from({ length: 400 }, () => {
      const trait = 3 * source.random();
      const items = Array.from({ length: 20 }, () => Math.min(4, Math.floor(trait + 2 * source.random())));
      return { items, total: items.reduce((sum, item) => sum + item, 0) };
    });
    const rows = (from: number) => X.map(({ items, total }) => ({ ...items.slice(from), total }));
    expect((await judge(rows(0))).status).toBe('passed');
    const ids = identifierColumnsScenes.leaking.X as { number: number }[];
    const unnamed = await judge(ids.map(({ number: code, ...rest }) => ({ ...rest, code })));
    expect(unnamed).toMatchObject(namesPatient('code'));
    expect(unnamed.fix).toMatch(/`patientIds`/);
    for (const from of [5, 10]) expect((await judge(rows(from))).fix).not.toContain('Did you forget');
  });

  it('accuses no age where the file is sorted by sex and race', async () => {
    // Independent columns: what rows of one age share is the order of the file.
    for (const seed of [0, 1, 2]) {
      const source = randomSource(seed);
      const rows = Array.from({ length: 600 }, () => ({
        sex: source.random() < 0.4 ? 2 : 1,
        race: source.random() < 0.18 ? 2 : 1,
        age: Math.round(43 + 13 * normal(source)),
      }));
      const sorted = [...rows].sort((a, b) => a.sex - b.sex || a.race - b.race);
      for (const X of [rows, sorted, [...sorted].sort((a, b) => a.race - b.race)]) {
        expect((await judge(X)).status).toBe('passed');
      }
    }
  });

  it('names a repeated text id', async () => {
    const X = identifierColumnsScenes.leaking.X as { number: number }[];
    expect(await judge(X.map((row) => ({ ...row, number: `p-${row.number}` })))).toMatchObject(namesPatient('number'));
  });

  describe('of an id that says nothing of the features', () => {
    // 25 patients with four rows each; patients 0, 3, 6, ... have the label 1.
    const rows = (name: string, idOf: (patient: number) => unknown) =>
      Array.from({ length: 100 }, (_, row) => ({
        [name]: idOf(row % 25),
        ...Array.from({ length: 4 }, () => random.random()),
      }));
    const y = Array.from({ length: 100 }, (_, row) => ((row % 25) % 3 === 0 ? 1 : 0));
    const text = rows('case_id', (patient) => `C-${4711 + patient}`);

    it('goes by a name that says patient', async () => {
      const ids = rows('patient_id', (patient) => `MRN-${4711 + patient}`);
      const varying = y.map((label, row) => (row === 99 ? 1 - label : label));
      for (const given of [{}, { y }, { y: varying }]) {
        expect(await judge(ids, given)).toMatchObject(namesPatient('patient_id'));
      }
      expect((await judge(ids)).message).toBe(
        '1 of 5 features looks like an id or a time: patient_id (25 repeated values, and its name).',
      );
      // Nine repeated values, or a handful of repeats, may be anything.
      expect((await judge(rows('patient_id', (patient) => patient % 9))).status).toBe('passed');
    });

    it('goes by a name that says id and one label in all its rows', async () => {
      const result = await judge(text, { y });
      expect(result).toMatchObject(namesPatient('case_id'));
      expect(result.message).toMatch(/^1 of 5 features.*25 repeated/);
      expect(result.fix).toMatch(/`patientIds`/);
      const measured = y.map((label, row) => label + (row % 25) / 10);
      expect((await judge(text, { y: measured })).status).toBe('needs_review');
    });

    it.each(['pid', 'PID', 'mrn', 'case_id', 'subject', 'record_no', 'patid', 'USUBJID', 'caseNo'])(
      'knows the name %s',
      async (name) => {
        const numbers = rows(name, (patient) => 4711 + ((7 * patient) % 25));
        expect(await judge(numbers, { y })).toMatchObject(namesPatient(name));
      },
    );

    it.each(['rapid', 'lipid', 'pid_score', 'period', 'patience', 'cases'])('knows no id in %s', async (name) => {
      const numbers = rows(name, (patient) => 4711 + ((7 * patient) % 25));
      expect((await judge(numbers, { y })).status).toBe('passed');
    });

    it('needs the name, the label in every row, and labels that vary', async () => {
      const wards = rows('ward', (patient) => `W${patient}`);
      expect((await judge(wards, { y })).status).toBe('passed');
      expect((await judge(text, { y: y.map((label, row) => (row === 99 ? 1 - label : label)) })).status).toBe('passed');
      // Four labels of 100 differ: two rows agree with (96 * 95 + 4 * 3) / 9900 = .922, and 75 pairs with .922^75 = .002.
      const rare = y.map((_, row) => (row % 25 === 0 ? 1 : 0));
      expect((await judge(text, { y: rare })).status).toBe('passed');
      expect((await judge(text)).status).toBe('passed');
    });

    it('is an id of known groups, and no question', async () => {
      const groups = Array.from({ length: 100 }, (_, row) => row % 25);
      expect(await judge(text, { y, data: { groups } })).toMatchObject({
        evidence: { examples: [{ feature: 'case_id', kind: 'id', why: 'text of its own for each patient' }] },
        fix: 'Leave case_id out of the features.',
      });
    });
  });

  it.each([
    ['records', (rows: Record<string, unknown>[]) => rows, 'X.map((row) => row["patient nbr"])'],
    [
      'lists',
      (rows: Record<string, unknown>[]) => rows.map((row) => Object.values(row).reverse()),
      'X.map((row) => row[0])',
    ],
    [
      'columns',
      (rows: Record<string, unknown>[]) =>
        Object.fromEntries(Object.keys(rows[0]).map((key) => [key, rows.map((row) => row[key])])),
      'X["patient nbr"]',
    ],
    [
      'other rows',
      (rows: Record<string, unknown>[]) => ({
        data: Float64Array.from(rows.flatMap((row) => Object.values(row) as number[])),
        shape: [rows.length, 3],
      }),
      "the column 'feature 2'",
    ],
  ])('says how to read the groups from %s', async (_, given, code) => {
    const traits = Array.from({ length: 40 }, () => [random.random(), random.random()]);
    const X = Array.from({ length: 160 }, (_, row) => {
      const [a, b] = traits[row % 40];
      return { a, b, 'patient nbr': 1000 + ((row * 7) % 40) };
    });
    expect((await judge(given(X))).fix).toContain(`(patientIds: ${code})`);
  });

  it('names the groups themselves when they are a feature', async () => {
    const { X } = identifierColumnsScenes.leaking;
    const groups = (X as { number: number }[]).map(({ number }) => number);
    const folds = new GroupKFold({ nSplits: 4, randomState: 1 });
    expect(await judge([...X], { data: { groups }, splitter: folds })).toMatchObject({
      status: 'needs_review',
      evidence: { examples: [{ feature: 'number', kind: 'id' }] },
      fix: 'Leave number out of the features.',
    });
  });

  describe('of known patients', () => {
    // 30 patients of four rows; a sensible name, or none, tells nothing but in the last two.
    const PATIENTS = 30;
    const groups = Array.from({ length: 4 * PATIENTS }, (_, row) => `patient-${row % PATIENTS}`);
    const own = Array.from({ length: PATIENTS }, () => random.random());
    const folds = new GroupKFold({ nSplits: 5, randomState: 1 });
    const judgeColumn = (name: string, cellOf: (patient: number, row: number) => unknown) => {
      const X = groups.map((_, row) => ({ age: random.random(), [name]: cellOf(row % PATIENTS, row) }));
      return judged(identifierColumns, { X, data: { groups }, splitter: folds });
    };
    const code = (patient: number) => 7_100_003 + Math.floor(899_999 * own[patient]);

    it.each<[string, string, (patient: number, row: number) => unknown]>([
      ['text', 'x', (patient) => `Name ${patient}`],
      ['text with a slip and a gap', 'x', (patient, row) => (row === 0 ? 'Nmae 0' : row === 9 ? null : `N${patient}`)],
      ['numbers by name', 'mrn', (patient) => 40 + ((patient * 7) % 31)],
      ['long numbers', 'x', code],
      ['long numbers as text', 'x', (patient) => String(code(patient))],
    ])('names %s that go one to one with them', async (_, name, cellOf) => {
      expect(await judgeColumn(name, cellOf)).toMatchObject({
        status: 'needs_review',
        message: expect.stringMatching(/1 of 2 features looks .* of its own for each patient\)/),
        evidence: { features: 1, examples: [{ feature: name, kind: 'id' }] },
        fix: `Leave ${name} out of the features.`,
      });
    });

    it.each<[string, string, (patient: number, row: number) => unknown]>([
      ['a measurement that is constant within them', 'birth_weight', (patient) => 3 + own[patient]],
      ['small whole numbers', 'height', (patient) => 140 + ((patient * 7) % 23)],
      ['round numbers', 'platelets', (patient) => 100_000 + 1000 * ((patient * 7) % 41)],
      ['numbers of several lengths', 'count', (patient) => Math.floor(1e4 * 10 ** (3 * own[patient]))],
      ['decimals with a word among them', 'crp', (patient) => (patient === 3 ? 'pending' : String(own[patient]))],
      ['text that many share', 'sex', (patient) => (patient % 2 ? 'f' : 'm')],
      ['text that two share', 'ward', (patient) => `ward ${patient % 15}`],
      ['text that changes within them', 'note', (_, row) => `note ${row % 40}`],
      ['numbers of an id name that change within them', 'visit_number', (_, row) => 1 + Math.floor(row / PATIENTS)],
    ])('is silent about %s', async (_, name, cellOf) => {
      expect((await judgeColumn(name, cellOf)).status).toBe('passed');
    });

    it('is silent about few patients, and about long numbers of one row each', async () => {
      const rows = Array.from({ length: 36 }, (_, row) => ({ a: random.random(), x: `Name ${row % 9}` }));
      const few = rows.map((_, row) => row % 9);
      const each = Array.from({ length: PATIENTS }, (_, patient) => ({ x: code(patient) }));
      const lone = each.map((_, patient) => `p${patient}`);
      for (const [X, groups] of [
        [rows, few],
        [each, lone],
      ] as const) {
        expect((await judge(X, { data: { groups }, splitter: folds })).status).toBe('passed');
      }
    });
  });

  it.each([
    ['text that is different in every row', 'code', (row: number) => `x${scattered(row)}`, 'id'],
    ['integers of that name', 'patientNumber', scattered, 'id'],
    ['integers of that name', 'MRN', scattered, 'id'],
    ['a counter', 'row', (row: number) => 7 + 3 * row, 'id'],
    ['a counter that runs back', 'row', (row: number) => 100 - row, 'id'],
    ['growing integers', 'taken', (row: number) => row * row, 'time'],
    ['dates', 'visit', (row: number) => new Date(2020, 1, scattered(row)), 'time'],
    ['dates as text', 'visit', (row: number) => `2020-0${1 + (row % 9)}-1${row % 7}`, 'time'],
    ['seconds since 1970', 'visit', (row: number) => 1.6e9 + 86_400 * scattered(row), 'time'],
    ['seconds since 1970 and parts of one', 'timestamp', (row: number) => 1.6e9 + 86_400.123 * scattered(row), 'time'],
    ['days and times of a spreadsheet', 'admission_date', (row: number) => 41_000 + 1.37 * scattered(row), 'time'],
    ['months as text', 'x', (row: number) => `201${scattered(row) % 10}-0${1 + (scattered(row) % 9)}`, 'time'],
    ['numbers that begin with a year', 'patient_id', (row: number) => 2_019_001 + ((17 * row) % 40), 'id'],
    ['a counter that begins with a year', 'x', (row: number) => 2_019_001 + row, 'id'],
    ['births in milliseconds since 1970', 'x', (row: number) => 86_400_000 * (50 * scattered(row) - 12_000), 'time'],
    ['days since 1970 below a name that says so', 'birth.date', (row: number) => 50 * scattered(row) - 12_000, 'time'],
    ['milliseconds since 1970', 'visit', (row: number) => 1.6e12 + 86_400_000 * scattered(row), 'time'],
    ['written dates', 'visit', (row: number) => 20_200_100 + 1 + (scattered(row) % 28), 'time'],
    ['written dates with a clock', 'x', (row: number) => 202_001_011_200 + 10_000 * (scattered(row) % 28), 'time'],
    ['dates of the day first', 'x', (row: number) => `${1 + (row % 28)}.${1 + (row % 12)}.20${10 + (row % 9)}`, 'time'],
    ['dates with slashes', 'x', (row: number) => (row ? `0${1 + (row % 9)}/1${row % 9}/2019` : 'unknown'), 'time'],
    ['dates with a clock', 'x', (row: number) => `2019-02-1${row % 9} 14:${10 + row}`, 'time'],
    ['dates of two digits', 'x', (row: number) => `1${row % 9}-0${1 + (row % 9)}-19`, 'time'],
    ['short dates', 'x', (row: number) => `${1 + (row % 12)}/${1 + (row % 28)}/${15 + (row % 9)}`, 'time'],
    ['short days first', 'x', (at: number) => `${1 + (at % 28)}.${1 + (at % 12)}.${15 + (at % 9)}`, 'time'],
    ['minutes of a spreadsheet', 'x', (at: number) => 43_000 + 3 * scattered(at) + (37 * at) / 1440, 'time'],
    ['five decimals of these', 'x', (at: number) => +(43e3 + 3 * scattered(at) + (37 * at) / 1440).toFixed(5), 'time'],
    ['dates with names of months', 'x', (row: number) => `${1 + (row % 28)} ${['Feb', 'may'][row % 2]} 2019`, 'time'],
    ['dates that begin with the month', 'x', (row: number) => `February ${1 + (row % 28)}, 2019 2:15 pm`, 'time'],
    ['days of a spreadsheet', 'x', (row: number) => 43_000 + 3 * scattered(row), 'time'],
    ['early days of a spreadsheet by name', 'date_of_birth', (row: number) => 12_000 + 300 * scattered(row), 'time'],
    ['nanoseconds since 1970', 'x', (row: number) => 1.6e18 + 7e12 * scattered(row), 'time'],
    ['row numbers in any order', 'x', (row: number) => (17 * row) % 40, 'id'],
    ['row numbers scaled', 'x', (row: number) => ((17 * row) % 40) / 39, 'id'],
    ['row numbers as z scores', 'x', (row: number) => (((17 * row) % 40) - 19.5) / 11.54, 'id'],
    ['ids beyond 2^53', 'x', (row: number) => 123_456_789_012_345_680 + 4096 * scattered(row), 'id'],
    ['ids beyond 2^53 as text', 'x', (row: number) => `12345678901234${1000 + scattered(row)}`, 'id'],
    ['64-bit integers', 'x', (row: number) => 2n ** 58n + 1024n * BigInt(scattered(row)), 'id'],
    ['ids in floats of 32 bits', 'mrn', (row: number) => Math.fround(2e7 + 3 * scattered(row)), 'id'],
  ])('names %s', async (_, name, valueAt, kind) => {
    const { status, evidence } = await judge(withColumn(name, valueAt));
    expect([status, evidence.examples]).toEqual(['needs_review', [{ feature: name, kind, why: expect.any(String) }]]);
  });

  it('takes no bin of a histogram for a patient, however few the rows', async () => {
    const source = randomSource(3);
    const X = Array.from({ length: 40 }, () => {
      const bins = new Array<number>(32).fill(0);
      const [middle, width] = [16 + 8 * source.random(), 6 + 8 * source.random()];
      for (let at = 0; at < 1000; at++) {
        const place = middle + width * (source.random() + source.random() - 1);
        bins[Math.min(31, Math.max(0, Math.round(place)))]++;
      }
      return bins;
    });
    expect((await judge(X)).status).toBe('passed');
  });

  it('takes no score for a patient that is 0 in one row of two', async () => {
    const source = randomSource(7);
    const X = Array.from({ length: 300 }, () => {
      const trait = 6 * source.random() - 4;
      const items = Array.from({ length: 9 }, () =>
        Math.min(3, Math.max(0, Math.round(trait + 2 * source.random() - 1))),
      );
      // Of the items one is not among the columns, so that the sum does not follow from them.
      return [...items.slice(1), items.reduce((sum, item) => sum + item, 0)];
    });
    expect((await judge(X)).status).toBe('passed');
  });

  it('names numbers of known patients from 0 on, in any order', async () => {
    const groups = Array.from({ length: 120 }, (_, row) => `P${row % 30}`);
    const X = groups.map((_, row) => [random.random(), (7 * (row % 30)) % 30]);
    const folds = new GroupKFold({ nSplits: 5, randomState: 1 });
    const { evidence } = await judged(identifierColumns, { X, data: { groups }, splitter: folds });
    expect(evidence.examples).toMatchObject([{ feature: 'feature 1', kind: 'id' }]);
  });

  it('asks whether what rises with the rows is a time', async () => {
    const { fix } = await judge(withColumn('platelets', (row: number) => 150_000 + row * row));
    expect(fix).toBe(
      'Is platelets a time? If so, leave it out of the features, and pass it as timestamps where the model is to predict the future.',
    );
  });

  it.each([
    ['cells per litre, means of counts', 'lymphocytes', (row: number) => (0.7 + scattered(row) / 12.7) * 1e9],
    ['numbers with decimals, however named', 'id', (row: number) => scattered(row) + 0.5],
    ['different integers of another name', 'platelets', (row: number) => 1000 * scattered(row)],
    ['repeated integers named number', 'number_of_visits', (row: number) => scattered(row) % 9],
    ['years', 'year', (row: number) => 1990 + (scattered(row) % 30)],
    ['versions', 'x', (row: number) => `1.${row % 12}.1${row % 9}`],
    ['dates that are none', 'x', (row: number) => `3${row % 9}.13.20${row % 9}`],
    ['three scores', 'x', (row: number) => `${row % 11}/${(row * 7) % 11}/${8 + (row % 3)}`],
    ['short versions', 'x', (row: number) => `${1 + (row % 3)}.${row % 12}.1${row % 9}`],
    ['sums of the size of days', 'x', (row: number) => 43_000 + 3 * scattered(row) + ((37 * row) % 100) / 100],
    ['measurements of the size of days', 'x', (row: number) => 43_000 + 3 * scattered(row) + random.random()],
    ['decimals with a comma', 'x', (row: number) => `${scattered(row)},${row}`],
    ['numbers with a unit', 'x', (row: number) => (row ? `${scattered(row)}.${row} mg/dl` : '<0.5')],
    ['readings of two numbers', 'pressure', (row: number) => `${120 + row}/${60 + (row % 30)}`],
    ['codes of the size of days', 'zip', (row: number) => 43_000 + 3 * scattered(row)],
    ['few codes of the size of days', 'x', (row: number) => 40_000 + 411 * (row % 12)],
    ['round sums of the size of days', 'x', (row: number) => 36_000 + 100 * scattered(row)],
    ['counts per litre', 'neutrophils', (row: number) => 1e9 + 1e8 * scattered(row)],
    ['huge numbers of several lengths', 'x', (row: number) => 10 ** (16 + (row % 8)) * (1 + row)],
    ['few texts', 'sex', (row: number) => (row % 2 ? 'female' : 'male')],
  ])('is silent about %s', async (_, name, valueAt) => {
    expect((await judge(withColumn(name, valueAt))).status).toBe('passed');
  });

  it('does not take age for an id, though other features follow from it', async () => {
    const normal = () => Array.from({ length: 12 }, () => random.random()).reduce((a, b) => a + b, -6);
    const X = Array.from({ length: 600 }, () => {
      const age = Math.round(60 + 12 * normal());
      const chol = Math.round(200 + age / 2 + 40 * normal());
      const bp = Math.round(100 + age / 2 + 12 * normal());
      return { age, decade: `[${Math.floor(age / 10)}0)`, old: Number(age > 65), chol, bp };
    });
    expect((await judge(X)).status).toBe('passed');
  });

  it("does not take a patient's age for an id when the patients are known", async () => {
    const ages = Array.from({ length: 30 }, () => Math.round(30 + 50 * random.random()));
    const traits = ages.map(() => [random.random(), random.random(), random.random()]);
    const X = Array.from({ length: 600 }, (_, row) => [
      ages[row % 30],
      ...traits[row % 30].map((t) => t + 0.1 * random.random()),
    ]);
    const groups = X.map((_, row) => row % 30);
    const folds = new GroupKFold({ nSplits: 5, randomState: 1 });
    expect((await judged(identifierColumns, { X, data: { groups }, splitter: folds })).status).toBe('passed');
  });

  it('does not apply to images', async () => {
    const X = { data: new Uint8Array(20 * 256).map((_, at) => at % 251), shape: [20, 16, 16] };
    expect((await judge(X)).status).toBe('not_applicable');
  });

  it('is silent about the breast cancer data', async () => {
    expect((await judge((await loadCancerImaging()).X)).status).toBe('passed');
  });

  const odd: Record<string, unknown[]> = {
    constant: Array.from({ length: 10 }, () => [1, 'a']),
    huge: Array.from({ length: 10 }, (_, row) => [1e300 * Math.sin(row), -1e300]),
    infinite: Array.from({ length: 10 }, (_, row) => [row % 2 ? Infinity : -Infinity]),
    missing: Array.from({ length: 10 }, () => [null, Number.NaN]),
    'mixed text and numbers': Array.from({ length: 40 }, (_, row) => [row % 3 ? row % 5 : 'none', random.random()]),
  };
  it.each(Object.keys(odd))('survives %s data, in every kind of folds', async (kind) => {
    for (const folds of [splitter, new LOOCV(), new BootstrapValidation({ nIterations: 3, randomState: 1 })]) {
      const result = await judged(identifierColumns, { X: odd[kind], splitter: folds });
      expect([result.status, JSON.stringify(result)]).toEqual(['passed', expect.not.stringMatching(/NaN/)]);
    }
  });

  it('gives the same result for the same seed', async () => {
    const { X } = identifierColumnsScenes.leaking;
    expect(await judge([...X], { randomState: 5 })).toEqual(await judge([...X], { randomState: 5 }));
  });
});
