import { describe, expect, it } from 'vitest';
import { duplicateRows } from '../../../src/checkers/CVL002-duplicate/duplicateRows.js';
import { nearDuplicates } from '../../../src/checkers/CVL003-near-duplicate/nearDuplicates.js';
import { randomSource } from '../../../src/core/random.js';
import { loadCancerImaging } from '../../../src/datasets/loadCancerImaging.js';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { BootstrapValidation } from '../../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { normal } from '../CVL003-near-duplicate/normal.js';
import { inWords, judged } from '../judged.js';

const halves = new KFold({ nSplits: 2 });
const judge = (X: unknown[], rest: object = {}) => judged(duplicateRows, { X, splitter: halves, ...rest });
/** `n` rows of four numbers in [0, 1). */
function noise(n: number, seed = 1): number[][] {
  const random = randomSource(seed);
  return Array.from({ length: n }, () => Array.from({ length: 4 }, () => random.random()));
}

const disc = (y: number, x: number, radius: number, size: number) =>
  Array.from({ length: size * size }, (_, at) =>
    Math.hypot(Math.floor(at / size) - y, (at % size) - x) < radius ? 1 : 0,
  );
const pictures = () =>
  noise(20).map(([a, b]) => Array.from({ length: 256 }, (_, at) => Math.round(255 * ((a + b * at) % 1))));
const judgeMasks = (masks: number[][], size: number) =>
  judge([], { X: { data: Uint8Array.from(masks.flat()), shape: [masks.length, size, size] } });

describe('duplicateRows', () => {
  it('passes when all rows differ, and says what was looked at', async () => {
    expect(await judge(noise(40))).toMatchObject({
      status: 'passed',
      severity: 'none',
      message: expect.stringContaining('(40 rows, 2 folds)'),
      evidence: { rows: 0, clusters: 0, folds: 2 },
    });
  });

  it('says of how many of all rows a copy would be found, however many are equal', async () => {
    // Three quarters of the rows hold zeros alone: of them no copy can be told.
    const X = noise(400).map((cells, row) => (row < 100 ? cells : [0, 0, 0, 0]));
    const { status, message, evidence } = await judge(X);
    expect(inWords({ status, message })).toMatch(/^not_evaluated: .*by chance or as copies/);
    expect((evidence as { power?: number[] }).power?.[0] ?? 0).toBeLessThan(0.3);
  });

  it('names copies on both sides, with their rows, clusters and labels', async () => {
    // Halves of 0-19 and 20-39: 30 and 31 copy 3, 39 copies 5; 3 is labelled 0 and 31 is labelled 1.
    const X = noise(40);
    X[30] = [...X[3]];
    X[31] = [...X[3]];
    X[39] = [...X[5]];
    const y = X.map((_, row) => (row === 31 || row % 5 === 1 ? 1 : 0));
    const result = await judge(X, { y });
    expect(result).toMatchObject({
      status: 'failed',
      severity: 'high',
      fold: 'fold-0',
      evidence: { rows: 5, clusters: 2, largestShare: 3 / 20, contradicting: 3, folds: ['fold-0', 'fold-1'] },
    });
    expect(result.evidence.examples).toEqual([
      { fold: 'fold-0', train: 30, test: 3 },
      { fold: 'fold-0', train: 39, test: 5 },
    ]);
  });

  it('does not take a counter of rows for content', async () => {
    const X = noise(40).map((row, at) => ({ record: 1000 + at, ...row }));
    expect((await judge(X)).status).toBe('passed');
    X[39] = { ...X[5], record: X[39].record };
    const result = await judge(X);
    expect(result).toMatchObject({ status: 'failed', evidence: { rows: 2, differing: ['record'] } });
    // Beside a counter, rows of few values may coincide.
    const few = Array.from({ length: 40 }, (_, at) => ({ at, a: at % 2, b: at % 3 }));
    expect((await judge(few)).status).toBe('not_evaluated');
  });

  it.each([
    ['a row number', (at: number) => at, 'at'],
    ['a time', (at: number) => new Date(Date.UTC(2020, 0, 1 + ((at * 17) % 301))), 'at'],
    ['seconds', (at: number) => 1.6e9 + ((at * 7919) % 86_400), 'at'],
    ['a number with decimals', (at: number) => Math.sin(at), 'at'],
    ['one of its own columns', undefined, 'x3'],
  ])('finds rows that are equal in all but %s', async (_, valueAt, name) => {
    const random = randomSource(6);
    const X = Array.from({ length: 300 }, (_, at) => ({
      ...Object.fromEntries(Array.from({ length: 8 }, (_, j) => [`x${j}`, random.random()])),
      ...(valueAt ? { at: valueAt(at) } : {}),
    })) as Record<string, unknown>[];
    expect((await judge(X)).status).toBe('passed');
    for (let at = 0; at < 10; at++) X[299 - at] = { ...X[at], [name]: X[299 - at][name] };
    const result = await judge(X);
    expect(result).toMatchObject({ status: 'failed', evidence: { rows: 20, clusters: 10, differing: [name] } });
    expect(result.message).toContain(`20 rows are equal in all but \`${name}\` to rows on the other side of a fold`);
  });

  it('does not accuse rows of few values beside a continuous column', async () => {
    const random = randomSource(7);
    // Age decides all but the marker, the one fine column, which tells a copy: rows of one age agree in all others.
    const X = Array.from({ length: 300 }, () => {
      const age = 30 + Math.floor(60 * random.random());
      return { age, square: age ** 2, log: Math.log(age), marker: random.random() };
    });
    expect((await judge(X)).status).toBe('passed');
  });

  it.each([
    ['pulse pressure', (s: number, d: number) => ({ s, d, pulse: s - d, mean: Math.round(d + (s - d) / 3) })],
    ['an index', (s: number, d: number) => ({ s, d, index: Math.round((1e4 * s) / d / d) / 10, log: Math.log(d) })],
    ['a sum of items', (s: number, d: number) => ({ a: s % 4, b: d % 4, c: (s + d) % 3, sum: (s % 4) + (d % 4) })],
  ])('does not take rounded rows for copies because of a computed column: %s', async (_, rowOf) => {
    const random = randomSource(3);
    const whole = (from: number, to: number) => Math.floor(from + (to - from) * random.random());
    const X = Array.from({ length: 400 }, () => rowOf(whole(105, 155), whole(65, 95)));
    expect((await judge(X)).status).toBe('not_evaluated');
  });

  it('is silent about copies on one side', async () => {
    const X = noise(40);
    X[4] = [...X[3]];
    expect((await judge(X)).status).toBe('passed');
  });

  it('takes -0 for 0, every missing cell for the same, and categories by their text', async () => {
    const numbers = noise(40).map(([a, b, c]) => ({ a, b, c, d: 'x' }) as Record<string, unknown>);
    numbers[0] = { a: 0, b: Number.NaN, c: 1, d: 'left' };
    numbers[39] = { a: -0, b: null, c: '1', d: 'left' };
    expect(await judge(numbers)).toMatchObject({ status: 'failed', evidence: { rows: 2, clusters: 1 } });
    numbers[39] = { ...numbers[39], d: 'right', a: 7 };
    expect((await judge(numbers)).status).toBe('passed');
  });

  it('cannot tell copies among rows of few values, and says so', async () => {
    const random = randomSource(3);
    const X = Array.from({ length: 200 }, () => [0.5, 0.3, 0.2].map((rate) => (random.random() < rate ? 1 : 0)));
    const result = await judge(X);
    expect(result).toMatchObject({ status: 'not_evaluated', notDetectable: true, evidence: { coincident: 199 } });
  });

  it('has nothing to tell of a risk that is computed from few values, though it agrees in all decimals', async () => {
    const random = randomSource(6);
    const X = Array.from({ length: 300 }, () => {
      const [age, sex] = [Math.floor(30 + 60 * random.random()), Math.floor(2 * random.random())];
      return { age, sex, risk: 1 / (1 + Math.exp(4.13 - 0.0517 * age - 0.293 * sex)) };
    });
    expect(await judge(X)).toMatchObject({ status: 'not_evaluated', notDetectable: true });
  });

  it.each([
    ['one', 1],
    ['two', 2],
  ])('finds copies of which %s cells are changed or missing, and names them', async (_, count) => {
    const random = randomSource(8);
    const X = Array.from({ length: 200 }, () =>
      Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`lab ${at}`, Math.round(80 + 20 * normal(random))])),
    ) as Record<string, number | null>[];
    for (let at = 0; at < 4; at++) {
      X[199 - at] = { ...X[at], 'lab 3': at % 2 ? null : 777 };
      if (count === 2) X[199 - at]['lab 5'] = 999 + at;
    }
    const result = await judge(X);
    expect(result).toMatchObject({ status: 'failed', evidence: { rows: 8, clusters: 4 } });
    expect(result.evidence.differing).toEqual(['lab 3', 'lab 5'].slice(0, count));
    expect(result.message).toContain('8 rows are equal in all but `lab 3`');
  });

  it('reports a pair that differs a little in one cell alone, and CVL003 does not report it again', async () => {
    const random = randomSource(10);
    const X = Array.from({ length: 100 }, () => Array.from({ length: 7 }, () => normal(random)));
    X[99] = X[0].map((value, at) => (at === 2 ? value + 1e-3 : value));
    X[98] = X[1].map((value) => value + 1e-4 * normal(random));
    expect(await judge(X)).toMatchObject({ status: 'failed', evidence: { rows: 2, differing: ['feature 2'] } });
    const near = await judged(nearDuplicates, { X, splitter: halves });
    expect(near.evidence.examples).toMatchObject([{ fold: 'fold-0', train: 98, test: 1 }]);
  });

  it('finds copies in other writing, and says so', async () => {
    const X = noise(60).map((row) => ({ ...row, smoker: row[0] < 0.5 ? 'yes' : 'no' })) as Record<string, unknown>[];
    X[59] = { ...X[0], smoker: ` ${String(X[0].smoker).toUpperCase()}\u200b` };
    X[58] = Object.fromEntries(
      Object.entries(X[1]).map(([key, cell]) => [key, typeof cell === 'number' ? Math.fround(cell) : cell]),
    );
    const result = await judge(X);
    expect(result).toMatchObject({ status: 'failed', evidence: { rows: 4, clusters: 2 } });
    expect(result.message).toContain('Some of them differ in how cells are written');
  });

  it('reads a table of dummies as before it was encoded', async () => {
    const random = randomSource(9);
    const levels = [5, 8, 12, 6, 15, 9, 20, 7];
    const codes = Array.from({ length: 200 }, () => levels.map((count) => Math.floor(count * random.random())));
    for (let at = 0; at < 4; at++) codes[199 - at] = [...codes[at]];
    const text = codes.map((row) => row.map((code) => `level ${code}`));
    const hot = codes.map((row) =>
      row.flatMap((code, at) => Array.from({ length: levels[at] }, (_, k) => +(k === code))),
    );
    for (const X of [text, hot]) {
      expect(await judge(X)).toMatchObject({
        status: 'failed',
        evidence: { rows: 8, clusters: 4, folds: ['fold-0', 'fold-1'] },
      });
    }
  });

  it('tells copies from coincidence in the same columns', async () => {
    // Age, sex, stage and two measurements in whole numbers: 20 copies among 400 rows are no coincidence.
    const random = randomSource(4);
    const X = Array.from({ length: 400 }, () =>
      [60, 2, 4, 80, 200].map((levels) => Math.floor(levels * random.random())),
    );
    expect((await judge(X)).status).toBe('not_evaluated');
    for (let row = 0; row < 20; row++) X[399 - row] = [...X[row]];
    expect(await judge(X)).toMatchObject({ status: 'failed', evidence: { rows: 40, clusters: 20 } });
  });

  it('asks about few contents that many rows hold, as cells that were filled in do', async () => {
    const X = noise(200).map((cells) => cells.map((cell) => Math.round(1000 * cell)));
    const means = [0, 1, 2, 3].map((at) => X.reduce((sum, row) => sum + row[at] / X.length, 0));
    const filled = await judge(X.map((row, at) => (at % 10 === 0 ? means : row)));
    expect(filled).toMatchObject({ status: 'needs_review', evidence: { rows: 20, clusters: 1 } });
    // Ten rows in pairs are copies.
    expect((await judge([...X, ...X.slice(0, 10)])).status).toBe('failed');
  });

  it('asks about rows of which most differ from a partner in a column, and none is equal to one', async () => {
    // Two people of each of 60 households: four numbers of the household, and an age.
    const random = randomSource(2);
    const people = noise(60).flatMap((home) => [0, 1].map(() => [...home, 20 + Math.floor(60 * random.random())]));
    const shuffled = new KFold({ nSplits: 2, shuffle: true, randomState: 1 });
    expect((await judge(people, { splitter: shuffled })).status).toBe('needs_review');
    // Beside one that is equal they are copies.
    const result = await judge([...people, people[0]], { splitter: shuffled });
    expect(result.status).toBe('failed');
  });

  it('takes a questionnaire of zeros for a row like any other, and for no copy', async () => {
    // 20 items from 0 to 3; 30 % of the rows are zero throughout, or a trait with a floor makes them so.
    const random = randomSource(12);
    const zeros = () => (random.random() < 0.3 ? () => 0 : () => Math.floor(4 * random.random()));
    const floor = () => {
      const trait = 2.5 * normal(random);
      return () => Math.min(3, Math.max(0, Math.round(trait + 0.7 * normal(random))));
    };
    for (const person of [zeros, floor]) {
      const X = Array.from({ length: 600 }, () => Array.from({ length: 20 }, person()));
      const result = await judge(X);
      expect(result.status, result.message).toMatch(/passed|not_evaluated/);
      expect(result.evidence.blank).toBeUndefined();
      expect(result.evidence.coincident).toBeGreaterThan(100);
    }
    // 30 copies among others that have one row alike are found.
    const X = Array.from({ length: 600 }, () => Array.from({ length: 20 }, zeros()));
    const full = X.slice(0, 300).filter((row) => row.some((item) => item > 0));
    for (let at = 0; at < 30; at++) X[599 - at] = [...full[at]];
    expect((await judge(X)).status).toBe('failed');
  });

  it('finds copies of rows of which one column follows from others', async () => {
    const random = randomSource(14);
    const X = Array.from({ length: 100 }, () => {
      const [height, weight] = [Math.round(170 + 9 * normal(random)), Math.round(750 + 120 * normal(random)) / 10];
      const follows = [weight / height ** 2, Math.sqrt((height * weight) / 3600)];
      return [height, weight, ...follows, normal(random), random.random() < 0.5 ? 1 : 0];
    });
    expect((await judge(X)).status).toBe('passed');
    for (let at = 0; at < 5; at++) X[99 - at] = [...X[at]];
    expect(await judge(X)).toMatchObject({ status: 'failed', evidence: { clusters: 5 } });
  });

  it('asks about masks that show little: two discs of few pixels may coincide', async () => {
    const small = Array.from({ length: 20 }, (_, row) =>
      disc(8 + (row % 5), 6 + Math.floor(row / 5), 2 + row / 10, 20),
    );
    small[19] = [...small[2]];
    expect(await judgeMasks(small, 20)).toMatchObject({
      status: 'needs_review',
      message:
        '2 images are equal to images on the other side of a fold (in 1 cluster, up to 10 % of a test set). They may be copies, or coincide as images of two colours do that show little.',
    });
    const large = Array.from({ length: 20 }, (_, row) => disc(40 + row, 48 - row, 30 + row / 10, 96));
    large[19] = [...large[2]];
    expect(await judgeMasks(large, 96)).toMatchObject({ status: 'failed' });
    const grey = small.map((mask) => mask.map((value, at) => value + (at % 3)));
    expect((await judgeMasks(grey, 20)).status).toBe('failed');
  });

  it('takes empty masks for masks of nothing', async () => {
    const masks = Array.from({ length: 20 }, (_, row) =>
      row % 5 === 0 ? new Array(2304).fill(0) : disc(14 + row, 30 - row, 6 + (row % 7), 48),
    );
    const { status, message, evidence } = await judgeMasks(masks, 48);
    expect([status, evidence.blank]).toEqual(['passed', 4]);
    expect(message).toContain(' 4 images of one value are on both sides, as empty masks are.');
  });

  it('compares images by their pixels', async () => {
    const images = pictures();
    images[19] = [...images[0]];
    images[18] = new Array(256).fill(9);
    images[1] = new Array(256).fill(9);
    const X = { data: Uint8Array.from(images.flat()), shape: [20, 16, 16] };
    expect(await judge([], { X })).toMatchObject({ status: 'failed', evidence: { rows: 2, clusters: 1, blank: 2 } });
  });

  it('calls rows of several inputs rows, and says what was compared', async () => {
    const image = { data: Uint8Array.from(pictures().flat()), shape: [20, 16, 16] };
    const X = { image, clinical: noise(20, 2) };
    expect((await judge([], { X })).message).toContain('20 rows of image and clinical');
    image.data.copyWithin(19 * 256, 0, 256);
    expect((await judge([], { X })).status).toBe('passed');
    X.clinical[19] = [...X.clinical[0]];
    expect(await judge([], { X })).toMatchObject({ status: 'failed', evidence: { rows: 2 } });
  });

  it('does not count what a patient repeats within a fold as coincidence of patients', async () => {
    // Five rows of each patient are equal; folds keep patients whole; two patients share content by chance: 0 and 1.
    const patient = (row: number) => Math.floor(row / 5);
    const X = Array.from({ length: 200 }, (_, row) => [
      Math.floor(patient(row) / 2) ? patient(row) % 8 : 0,
      patient(row) % 3,
    ]);
    const groups = X.map((_, row) => patient(row));
    const splitter = new GroupKFold({ nSplits: 5, randomState: 1 });
    expect((await judged(duplicateRows, { X, data: { groups }, splitter })).status).toBe('not_evaluated');
  });

  it('leaves rows of one patient to CVL001, also where folds split patients, and says so', async () => {
    const random = randomSource(15);
    const persons = Array.from({ length: 50 }, () => Array.from({ length: 7 }, () => normal(random)));
    // Visits differ in two values.
    const X = Array.from({ length: 100 }, (_, row) =>
      persons[row % 50].map((value, at) => (at < 2 ? normal(random) : value)),
    );
    const data = { groups: X.map((_, row) => `P${row % 50}`) };
    expect((await judge(X)).evidence).toMatchObject({ rows: 100 });
    expect((await judge(X, { data })).message).toContain('rows of one patient are not compared');
    X[99] = [...X[0]];
    expect(await judge(X, { data })).toMatchObject({ status: 'failed', evidence: { rows: 2 } });
  });

  it('asks about one pair that chance gives now and then, and says how often', { tags: 'slow' }, async () => {
    // Five columns hold little: of few rows a single copy can be told, and of these with some doubt.
    const random = randomSource(2);
    const statuses: Record<string, number> = {};
    for (let turn = 0; turn < 60; turn++) {
      const X = Array.from({ length: 120 }, () =>
        [60, 40, turn % 2 ? 40 : 400, 2, 12].map((levels) => Math.floor(levels * random.random())),
      );
      X[119] = [...X[turn % 50]];
      const result = await judge(X);
      statuses[result.status] = (statuses[result.status] ?? 0) + 1;
      if (result.evidence.rows === 0) continue;
      const expected = result.evidence.expectedPairs as number;
      expect(result.status).toBe(expected > 0.001 ? 'needs_review' : 'failed');
      if (result.status !== 'needs_review') continue;
      const often = Math.round(1 / expected);
      expect(result.message).toContain(
        `Chance gives one such pair in ${often} tables like this: they may be a copy, or two people.`,
      );
      expect(often).toBeGreaterThanOrEqual(100);
    }
    expect(statuses).toMatchObject({ failed: expect.any(Number), needs_review: expect.any(Number) });
  });

  it('tells of cells that no model can take', async () => {
    const X = noise(40).map(([a, b], row) => ({
      ...{ a, b: row === 3 ? Infinity : b, large: 1e200 * a, c: { row }, d: [row, 2] },
      ...{
        psa: row === 7 ? 'haemolysed' : row / 8,
        crp: row === 7 ? '<0.5' : row / 8,
        age: row === 7 ? 'n/a' : 20 + row,
      },
    }));
    const { status, message } = await judge(X);
    expect(status).toBe('passed');
    expect(message).toContain(
      ' `c`, `d` have objects or lists as cells, which are compared as text: give each of their values a column. `psa` has texts among numbers, which count as missing cells: write numbers, or leave them empty. `b`, `large` have numbers that are infinite or above 1e154, of which no mean or variance can be taken: mend them.',
    );
    const many = noise(40).map((row) => [...row, ...Array(5).fill(Infinity), ...row].slice(0, 8));
    expect((await judge(many)).message).toMatch(/`feature \d` and \d more have numbers that are infinite/);
  });

  const odd: Record<string, unknown[]> = {
    constant: Array.from({ length: 60 }, () => [0, 1]),
    huge: noise(10).map((row) => row.map((value) => value * 1e300)),
    tiny: noise(10).map((row) => row.map((value) => value * 1e-300)),
    infinite: noise(10).map((row, at) => (at % 2 ? [Infinity, ...row] : [-Infinity, ...row])),
    'half missing': noise(10).map(([a, b], at) => [at % 2 ? a : null, at % 2 ? null : b]),
  };
  it.each(Object.keys(odd))('survives %s data, in every kind of folds', async (kind) => {
    for (const splitter of [halves, new LOOCV(), new BootstrapValidation({ nIterations: 3, randomState: 1 })]) {
      const result = await judged(duplicateRows, { X: odd[kind], splitter });
      expect(result.status).toBe(kind === 'constant' || kind === 'half missing' ? 'not_evaluated' : 'passed');
      expect(JSON.stringify(result)).not.toMatch(/NaN|null/);
    }
  });

  it('finds nothing in the breast cancer data', async () => {
    const { X } = await loadCancerImaging();
    expect(await judge(X)).toMatchObject({ status: 'passed', message: expect.stringContaining('569 rows') });
  });
});
