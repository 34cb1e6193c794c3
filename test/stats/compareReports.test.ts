/** One page for several runs: scores, paired differences, and what differs in the manifests. */
import { beforeAll, describe, expect, it } from 'vitest';
import { DummyClassifier, LogisticRegression } from '../../src/estimators/index.js';
import { CVKitValidator, type ValidationResult } from '../../src/index.js';
import { compareModels, compareReports } from '../../src/stats/index.js';

const n = 90;
const X = Array.from({ length: n }, (_, row) => [Math.sin(row), Math.cos(3 * row)]);
const y = X.map(([first], row) => Number(first + Math.sin(7 * row) > 0));
const validate = (model: () => object, options: object = {}) =>
  new CVKitValidator({ nBootstrap: 100, ciFits: 0, ...options }).validate({ model, X, y, verbose: 0 });
let results: Record<string, ValidationResult>;
beforeAll(async () => {
  results = {
    'a<b>|c': await validate(() => new LogisticRegression()),
    chance: await validate(() => new DummyClassifier()),
  };
});

describe('compareReports', () => {
  it('has the differences of compareModels, and lists what differs', async () => {
    const comparison = await compareReports({ results, metrics: ['roc_auc'] });
    const table = await compareModels({ results, metric: 'roc_auc' });
    expect(comparison.tables.roc_auc).toMatchObject({ comparisons: table.comparisons });
    expect(comparison.differences.map(({ where }) => where)).toContainEqual(expect.stringMatching(/^network/));
    expect(comparison.differences.every(({ kind }) => kind === 'option')).toBe(true);
  });

  it('is one page without scripts or unescaped names, and the same in Markdown', async () => {
    const comparison = await compareReports({ results });
    const page = comparison.toHTML();
    expect(page).not.toMatch(/<script|https?:|src=/);
    expect(page).not.toContain('<b>|c');
    expect(page.match(/<svg /g)).toHaveLength(comparison.metrics.length);
    expect(comparison.toMarkdown()).toContain('## Paired differences');
    expect(comparison.toMarkdown()).toContain('a\\<b\\>\\|c');
  });

  it('reads JSON, and says why there are no paired differences: other folds, no folds', async () => {
    const read = JSON.parse(JSON.stringify(results.chance.toJSON()));
    const other = await validate(() => new DummyClassifier(), { randomState: 7 });
    for (const [second, why] of [
      [read, /JSON/],
      [other, /fold/],
    ] as const) {
      const { tables, differences } = await compareReports({
        results: [results['a<b>|c'], second],
        metrics: ['accuracy'],
      });
      expect((tables.accuracy as { reason: string }).reason).toMatch(why);
      expect(differences.length).toBeGreaterThan(0);
    }
  });

  it('pairs the runs that share folds with the first, and names the others with the reason', async () => {
    const [first, second] = Object.values(results);
    const more = { other: await validate(() => new DummyClassifier(), { randomState: 7 }), read: second.toJSON() };
    const { tables, unpaired, toMarkdown } = await compareReports({
      results: { first, ...more, second } as never,
      metrics: ['accuracy'],
    });
    const alone = await compareReports({ results: { first, second }, metrics: ['accuracy'] });
    expect(tables).toEqual(alone.tables);
    expect(alone.unpaired).toEqual({});
    expect(Object.keys(unpaired)).toEqual(['other', 'read']);
    expect(unpaired.other).toMatch(
      /^other has no pair: Results 'first' and 'other' of compareReports must be of identical/,
    );
    expect(unpaired.read).toMatch(/^read has no pair: .*JSON/);
    expect(toMarkdown()).toMatch(
      /\| accuracy \| first - second \|[\s\S]*- other has no pair: [\s\S]*- read has no pair: /,
    );
  });

  it('refuses what it cannot compare, in one sentence', async () => {
    const thrown = async (work: () => Promise<unknown>) => work().catch((error) => `${error.name}: ${error.message}`);
    expect(await thrown(() => compareReports({ results: [results.chance] }))).toBe(
      'InvalidOptionError: The `results` option of compareReports must be a list of two results of `validate` or more, or a record by name. Got an array of length 1.',
    );
    expect(await thrown(() => compareReports({ results, metrics: ['mse'] }))).toMatch(
      /must be scores that all results have: accuracy, .* Got 'mse'\.$/,
    );
    expect(await thrown(() => compareReports({ results: { a: results.chance, b: {} as never } }))).toMatch(
      /^InvalidDataError: Result 'b' of compareReports must be/,
    );
  });
});
