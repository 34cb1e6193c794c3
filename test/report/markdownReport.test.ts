import { expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/index.js';
import { markdownReport } from '../../src/report/textReport.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { blobs, NearestMean } from '../helpers/nearestMean.js';
import { someResult } from '../helpers/result.js';

it('is Markdown whose tables survive every name', async () => {
  const text = markdownReport(await someResult());
  expect(text).toMatch(/\n\| score \| .*\n\| --- \|( --- \|)+\n/);
  expect(text).toMatch(/^# Cross-validation: report\n/);
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  const columns = (line: string) => line.split(/(?<!\\)\|/).length;
  // Each table has as many columns as its head, whatever the names hold.
  const scores = rows.slice(
    rows.findIndex((line) => line.startsWith('| score')),
    rows.findIndex((line) => line.startsWith('| measure')),
  );
  expect(new Set(scores.map(columns)).size).toBe(1);
  expect(text).toContain('a\\<b\\|c');
  expect(text).toContain('| CVL001 | patient | failed |');
});

it('escapes what the author declares', async () => {
  const text = markdownReport(await someResult({ acknowledged: { CVL010: 'a<b>|c' } }));
  expect(text).toMatch(/^- \*\*Declared:\*\* .*CVL010: a\\<b\\>\\\|c/m);
});

it('says what a check found once, in Markdown, in HTML and in the details of the text', async () => {
  const result = await someResult();
  const [{ message }] = result.checks.filter(({ status }) => status === 'failed');
  expect(result.manifest.warnings.some((warning) => warning.endsWith(message))).toBe(true);
  const found = message.slice(0, message.indexOf(' ('));
  for (const text of [result.toMarkdown(), await result.toHTML(), result.summary({ details: true })]) {
    expect(text.replace(/\s+/g, ' ').split(found).length - 1).toBe(1);
  }
});

it('says that nobody could see whether fit has an effect, as HTML, JSON and the details of the text do', async () => {
  const model = () => new NearestMean();
  const result = await new CVKitValidator({ method: 'holdout' }).validate({ model, ...blobs(60), verbose: 0 });
  const why = String(result.manifest.fitNotSeen);
  expect(why).toContain('one fold alone was completed');
  const json = JSON.stringify(result.toJSON());
  for (const text of [result.toMarkdown(), await result.toHTML(), result.summary({ details: true }), json]) {
    expect(text.replace(/\s+/g, ' ')).toContain(why);
  }
  expect(result.summary().replace(/\s+/g, ' ')).not.toContain(why);
});

it('has a table per guideline that was asked for, of whole rows', async () => {
  const text = markdownReport(await someResult({ checklists: ['CLAIM', 'Annex IV'] }));
  const [, claim, annex] = text.split('\n## Evidence: ');
  expect(claim.startsWith('CLAIM 2024\n\nThis is evidence for')).toBe(true);
  expect(annex.startsWith('EU AI Act, Annex IV, point 2\n\nRegulation (EU) 2024/1689')).toBe(true);
  const rows = (part: string) => part.split('\n').filter((line) => line.startsWith('| '));
  expect([rows(claim).length, rows(annex).length]).toEqual([2 + 44, 2 + 8]);
  for (const row of [...rows(claim), ...rows(annex)]) expect(row.match(/(?<!\\)\|/g), row).toHaveLength(6);
  expect(claim).toContain('| 31 | explainability | OPEN | To be completed by the author. |  |');
  expect(claim).toContain('.<br>To be completed by the author: ');
  expect(claim).toContain('a\\<b\\|c');
});

it('says once, below the table, why importance has no intervals', async () => {
  const X = Array.from({ length: 90 }, (_, row) => [(row % 3) + Math.sin(row), Math.cos(row)]);
  const y = X.map((_, row) => 'abc'[row % 3]);
  const model = () => new LogisticRegression();
  const job = { model, X, y, importance: true, verbose: 0 } as const;
  const result = await new CVKitValidator({ ciFits: 0, nBootstrap: 100 }).validate(job);
  const why = 'No interval: roc_auc_ovr_macro changes with the prevalence, which stratified folds hold alike';
  for (const text of [result.toMarkdown(), (await result.toHTML()).replace(/<svg.*?<\/svg>/gs, '')]) {
    expect(text.replaceAll('\\', '').split(why)).toHaveLength(2);
  }
  expect(result.toMarkdown()).not.toMatch(/cut-off|\*\*:\*\*/);
});

it('has a model card without notes for those who program', async () => {
  const job = { model: () => new LogisticRegression(), ...blobs(60), verbose: 0 } as const;
  const asked = await new CVKitValidator({ ciFits: 10, nBootstrap: 100 }).validate(job);
  expect(asked.toMarkdown()).toContain('fits for the intervals took');
  expect(asked.summary()).toContain('summary({ details: true })');
  expect(asked.modelCard()).not.toMatch(/fits for the intervals took|would take|summary\(|accuracy \\\*/);
  // What the mark would have pointed to.
  expect(asked.modelCard()).toContain(
    "accuracy: The estimate is at the end of its range or does not vary: Wilson's limits",
  );
});

it('speaks of a model that was not trained as of one that was tested', async () => {
  const result = await someResult();
  const manifest = { ...result.manifest, fixedModel: 'it can only predict', modelsTrained: 0 };
  const text = markdownReport({ ...result, manifest });
  expect(text).toMatch(/Models \\?\(.*?\\?\) were tested in 5 folds by KFold/);
  expect(text).not.toMatch(/existed already|trained and tested|in the training rows of a fold|\| fitted/);
  expect(markdownReport(result)).toMatch(/in the training rows of a fold[\s\S]*\| fitted/);
});

it('has no values of probabilities among those at the threshold', async () => {
  const names = Object.keys((await someResult()).atThreshold ?? {});
  expect(names).toEqual(expect.arrayContaining(['sensitivity', 'ppv', 'accuracy', 'youden']));
  for (const name of ['rocAuc', 'averagePrecision', 'brier', 'calibrationSlope']) expect(names).not.toContain(name);
});
