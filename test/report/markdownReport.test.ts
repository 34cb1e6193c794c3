import { expect, it } from 'vitest';
import { markdownReport } from '../../src/report/markdownReport.js';
import { someResult } from '../helpers/result.js';

it('is Markdown whose tables survive every name', async () => {
  const text = markdownReport(await someResult());
  expect(text).toMatch(/\n\| score \| .*\n\| --- \|( --- \|)+\n/);
  expect(text).toMatch(/^# Cross-validation: report\n/);
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  const columns = (line: string) => line.split(/(?<!\\)\|/).length;
  const scores = rows.slice(
    0,
    rows.findIndex((line) => line.startsWith('| code')),
  );
  expect(new Set(scores.map(columns)).size).toBe(1);
  expect(text).toContain('a\\<b\\|c');
  expect(text).toContain('| CVL001 | patient | failed |');
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
