/** Table 1, by hand; nothing of few patients can be read from it. */
import { expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/index.js';
import { CVKitValidator, KFold } from '../../src/index.js';
import { tabular } from '../../src/preprocessing/index.js';

const n = 60;
const y = Array.from({ length: n }, (_, row) => Number(row >= 30));
const validate = async (X: object, more: object = {}) =>
  (
    await new CVKitValidator({ ciFits: 0, nBootstrap: 100, metrics: ['accuracy'] }).validate({
      ...{ model: () => new LogisticRegression(), X, y, preprocessing: tabular(), verbose: 0 },
      cv: new KFold({ nSplits: 3, shuffle: true, randomState: 1 }),
      ...more,
    })
  ).tableOne;

it('has means, shares and missing cells by class', async () => {
  const age = Array.from({ length: n }, (_, row) => (row % 3 === 0 ? Number.NaN : 40 + (row % 3) + Number(row >= 30)));
  const sex = Array.from({ length: n }, (_, row) => (row % 2 ? 'male' : 'female'));
  const table = await validate({ age, sex });
  expect(table?.columns).toEqual([
    { name: 'all', n: 60 },
    { name: '0', n: 30 },
    { name: '1', n: 30 },
  ]);
  const cells = Object.fromEntries(
    (table?.rows ?? []).map(({ feature, level, what, cells: of }) => [`${feature} ${level} ${what}`, of]),
  );
  // Ages of class 0 are 41 and 42, ten each; of class 1 one more.
  expect(cells['age null mean'].map((cell) => (cell as { mean: number }).mean)).toEqual(
    [42, 41.5, 42.5].map((v) => expect.closeTo(v, 12)),
  );
  expect(cells['age null missing']).toEqual(
    [20, 10, 10].map((count, at) => ({ count, share: count / (at === 0 ? 60 : 30) })),
  );
  expect(cells['sex male share']).toEqual([
    { count: 30, share: 0.5 },
    { count: 15, share: 0.5 },
    { count: 15, share: 0.5 },
  ]);
});

it('hides what concerns fewer than ten patients, and what would tell it', async () => {
  // Level c has 4 rows, which would follow from the others; of flag, 5 rows of class 1 are 1, so no class is shown.
  const site = Array.from({ length: n }, (_, row) => (row < 4 ? 'c' : row < 24 ? 'b' : 'a'));
  const flag = Array.from({ length: n }, (_, row) => Number(row < 15 || row >= 55));
  const table = await validate({ site, flag });
  const of = (feature: string, level: string) =>
    table?.rows.find((row) => row.feature === feature && row.level === level)?.cells;
  for (const level of ['a', 'b', 'c']) expect(of('site', level)).toEqual([null, null, null]);
  expect(of('flag', '1')).toEqual([{ count: 20, share: 20 / 60 }, null, null]);
});

it('hides what few lack: a missing cell does not follow from the levels, nor a mean from that of the other class', async () => {
  const sex = Array.from({ length: n }, (_, row) => (row < 5 ? undefined : row % 2 ? 'male' : 'female'));
  const age = Array.from({ length: n }, (_, row) => (row % 20 === 0 ? Number.NaN : row));
  const table = await validate({ sex, age, height: age.map((_, row) => row * 1.5) });
  const of = (name: string) => table?.rows.filter(({ feature }) => feature === name).flatMap(({ cells }) => cells);
  expect(of('sex')?.every((cell) => cell === null)).toBe(true);
  expect(of('age')?.every((cell) => cell === null)).toBe(true);
  expect(of('height')?.some((cell) => cell === null)).toBe(false);
});

it('has no mean of a class whose cells are all missing', async () => {
  const late = Array.from({ length: n }, (_, row) => (row < 30 ? Number.NaN : row));
  const table = await validate({ late, other: late.map((_, row) => row * 1.5) });
  const [all, none, some] = table?.rows.find(({ what }) => what === 'mean')?.cells ?? [];
  expect([all, none, some]).toEqual([
    expect.objectContaining({ mean: 44.5 }),
    null,
    expect.objectContaining({ mean: 44.5 }),
  ]);
});

it('counts patients, not rows, for what is hidden', async () => {
  const patientIds = Array.from({ length: n }, (_, row) => `p${row >> 2}`);
  const flag = Array.from({ length: n }, (_, row) => Number(row % 8 < 4));
  // 32 rows of 8 patients.
  const table = await validate({ flag }, { patientIds, cv: undefined });
  expect(table?.rows[0].cells[0]).toBeNull();
});

it('is null for images', async () => {
  const X = y.map((label, row) =>
    Array.from({ length: 8 }, (_, line) => Array.from({ length: 8 }, (_, at) => label + ((row * line + at) % 7))),
  );
  const model = () => ({ fit: () => undefined, predict: (rows: unknown[]) => rows.map(() => 1) });
  expect(await validate(X, { model, preprocessing: undefined })).toBeNull();
});
