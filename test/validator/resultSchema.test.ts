/** The JSON of results is what docs/result.schema.json says, and JSON of before it had a version can still be read. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { DummyRegressor, LogisticRegression } from '../../src/estimators/index.js';
import { CVKitValidator, evaluate } from '../../src/index.js';
import { compareReports } from '../../src/stats/index.js';
import { someResult } from '../helpers/result.js';

const schema = JSON.parse(readFileSync(new URL('../../docs/result.schema.json', import.meta.url), 'utf8'));
const fits = new Ajv2020({ allowUnionTypes: true }).compile(schema);
const written = (result: { toJSON(): unknown }) => JSON.parse(JSON.stringify(result.toJSON()));

const y = Array.from({ length: 60 }, (_, row) => row % 2);
const X = y.map((label, row) => [label + Math.sin(row), Math.cos(row)]);
const validate = (call: object) =>
  new CVKitValidator({ ciFits: 0, nBootstrap: 100 }).validate({
    model: () => new LogisticRegression(),
    X,
    y,
    verbose: 0,
    ...call,
  });

it('holds for every kind of result', async () => {
  const kinds = {
    'a leak': await someResult({ compliance: 'FDA' }),
    'several classes, importance': await validate({ y: y.map((_, row) => ['a', 'b', 'c'][row % 3]), importance: true }),
    'a regression': await validate({ model: () => new DummyRegressor(), y: X.map(([first]) => first) }),
    'given predictions': await evaluate({ yTrue: y, yProba: y.map((label) => 0.3 + 0.4 * label) }),
  };
  for (const [kind, result] of Object.entries(kinds)) {
    fits(written(result));
    expect([kind, fits.errors]).toEqual([kind, null]);
  }
});

it('refuses a result without a verdict', async () => {
  const { verdict: _, ...rest } = written(await validate({}));
  expect(fits(rest)).toBe(false);
});

it('of an earlier version is read', async () => {
  const { version, tableOne, importance, ...old } = written(await validate({}));
  expect([version, Object.keys(tableOne), importance]).toEqual([1, ['columns', 'rows', 'minCell', 'omitted'], null]);
  expect(fits(old)).toBe(true);
  const { metrics } = await compareReports({ results: { old, now: await validate({}) } });
  expect(metrics).toContain('roc_auc');
});
