import { expect, it } from 'vitest';
import { textReport } from '../../src/report/textReport.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { evaluate } from '../../src/validator/evaluate.js';
import { failure, rejection } from '../helpers/failure.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { someResult } from '../helpers/result.js';

const flat = (text: string) => text.replace(/\s+/g, ' ');
const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

it('says the verdict, the design, each score with its interval, and what the interval is about', async () => {
  const text = textReport(await someResult());
  // No terminal: 80 columns.
  expect(widest(text)).toBeLessThanOrEqual(80);
  expect(text).toMatch(/^Cross-validation: FAILED/);
  expect(text).toContain('KFold, 5 folds; seed 42');
  expect(text).toContain('60 rows of 20 patients, 2 features');
  expect(text).toMatch(/score +estimate +95 % interval +baseline +fold sd\n/);
  expect(text).toMatch(/accuracy +0\.\d{3} +0\.\d{3} to \d\.\d{3} +0\.\d{3} +0\.\d{3}\n/);
  expect(flat(text)).toContain('Intervals by bootstrap of 20 patients: about ');
  expect(flat(text)).toContain('a<b|c: No interval: a scoring function declares no range');
  expect(text).not.toMatch(/undefined|NaN|\[object/);
});

it('is made of plain data: no method of the result is called', async () => {
  const result = await someResult();
  expect(textReport({ ...result })).toBe(textReport(result));
});

it('counts what passed, shows what did not, and lists all with `details`', async () => {
  const result = await someResult();
  const passed = result.checks.filter(({ status }) => status === 'passed').length;
  const short = flat(textReport(result));
  expect(short).toContain(`${passed} checks passed`);
  expect(short).toContain('CVL001 patient: failed.');
  expect(short).toContain('Not evaluated:');
  expect(short).not.toMatch(/CVL\d+ \w+: passed/);
  const long = flat(textReport(result, { details: true }));
  expect(long.match(/CV[LBR]\d+ \w+: passed/g)).toHaveLength(passed);
  for (const fold of result.foldDetails) expect(long).toContain(fold.fold);
  expect(long).toContain(result.manifest.foldFingerprint);
  expect(long).toContain('fold mean fold sd pooled folds');
});

it('tells how long fits for the intervals took, and with `details` how much of each interval is training', async () => {
  const result = await someResult({ ciFits: 0, ciMethod: { accuracy: 'wilson' } });
  const shareOf = (trainingShare: number) => ({
    ...result,
    manifest: { ...result.manifest, ciFitsMade: { fits: 10, failed: 0, seconds: 4.26 } },
    confidenceIntervals: {
      ...result.confidenceIntervals,
      roc_auc: { ...result.confidenceIntervals.roc_auc, trainingShare },
    },
  });
  const [short, long] = [false, true].map((details) => textReport(shareOf(0.283), { details }));
  expect(flat(short)).toContain('The 10 fits for the intervals took 4.3 s.');
  expect(flat(short)).toContain('Another seed would move the limits, the less the more fits there are: `ciFits: 30`');
  const steady = { ...shareOf(0), manifest: { ...result.manifest, ciFitsMade: { fits: 60, failed: 0, seconds: 9 } } };
  expect(flat(textReport(steady))).not.toContain('Another seed');
  expect(short).not.toContain('from training');
  expect(long).toMatch(/95 % interval +from training +baseline/);
  expect(long).toMatch(/roc_auc .* 28 % /);
  expect(long).toMatch(/accuracy +\S+ +\S+ to \S+ +— /);
  expect(flat(textReport(shareOf(0), { details: true }))).toMatch(/ 0 % /);
  const some = { ...shareOf(0), manifest: { ...result.manifest, ciFitsMade: { fits: 10, failed: 1, seconds: 4.26 } } };
  expect(flat(textReport(some))).toContain('The 10 fits for the intervals took 4.3 s; 1 failed.');
  // Plain copies of results that older versions made lack it.
  const { ciFitsMade: _, ...older } = result.manifest;
  expect(flat(textReport({ ...result, manifest: older }))).not.toContain('fits for the intervals');
  const none = textReport(await someResult({ ciFits: 0 }), { details: true });
  expect(none).not.toMatch(/of it training|fits for the intervals/);
});

it('marks a score whose number is read in another way, and tells it with `details`', async () => {
  // All 20 positives are found: the interval of the sensitivity is at the end of its range.
  const yTrue = Array.from({ length: 60 }, (_, row) => Number(row < 20));
  const yPred = yTrue.map((label, row) => (row >= 55 ? 1 : label));
  const result = await evaluate({ yTrue, yPred, metrics: ['sensitivity', 'specificity'] });
  const [short, long] = [textReport(result), textReport(result, { details: true })];
  expect(short).toMatch(/\n {2}sensitivity \* +1\.000 /);
  expect(short).toMatch(/\n {2}specificity +0\.875 /);
  expect(short.match(/^ {2}\* .*summary\(\{ details: true \}\)\.$/gm)).toHaveLength(1);
  expect(flat(long)).toContain('sensitivity: The estimate is at the end of its range');
  expect(long).not.toContain('*');
  const other = await evaluate({ yTrue, yPred, metrics: ['specificity'] });
  expect(textReport(other)).not.toContain('*');
});

it('refuses options that it does not have, in every form and on both results', async () => {
  const result = await someResult();
  const run = await new UniversalCVRunner({ cvSplitter: new KFold(), adapter: spyAdapter().adapter, verbose: 0 }).run({
    model: () => new NearestMean(),
    data: [blobs().X, blobs().y],
  });
  expect(
    [{ detail: true }, { width: -4 }, 5].map((options) => failure(() => result.summary(options as never))),
  ).toEqual(
    [/unknown_option.*`detail`.*`details`/, /unknown_option.*`width`/, /invalid_option.*5/].map((part) =>
      expect.stringMatching(part),
    ),
  );
  expect(failure(() => result.toMarkdown({ a: 1 } as never))).toMatch(/unknown_option.*`a`/);
  expect(await rejection(result.toHTML({ title: 'x' } as never))).toMatch(/unknown_option.*`title`/);
  expect(failure(() => run.summary({ detail: true } as never))).toMatch(/unknown_option.*`detail`.*`details`/);
  expect([result.toMarkdown({}), result.summary({}), run.summary({})].join('')).not.toBe('');
});

it('says in one line what evidence the other forms have, and nothing where none was asked for', async () => {
  const text = flat(textReport(await someResult({ compliance: 'CE' })));
  expect(text).toMatch(
    /Evidence for the author's own filing is in toMarkdown\(\), toHTML\(\) and toJSON\(\)\. Annex IV: 0 filled, 5 in part and 3 left to the author, of 8 items; GMLP: 0 filled, 4 in part and 6 left to the author, of 10 items\.$/,
  );
  expect(textReport(await someResult())).not.toContain('Evidence');
});
