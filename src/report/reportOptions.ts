import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { custom, type InputOf, optionTable, rejectUnusedOption } from '../core/options.js';
import { resultFingerprint } from '../core/resultFingerprint.js';
import type { ReportModel } from './reportModel.js';
import type { ReportParts } from './tables.js';
import type { ReportForm } from './writeReport.js';

/** Results of cvkit/stats are recognised by their fields: a report must not load what makes them. */
const partOption = <Name extends keyof ReportParts>(source: string, fields: readonly string[]) =>
  custom<NonNullable<ReportParts[Name]>>(source, `be what \`${source}\` of cvkit/stats gives, awaited`, (value) =>
    fields.every((field) => typeof Object(value)[field] === 'object' && Object(value)[field] !== null),
  ).optional();

export const reportOptions = optionTable('report', {
  subgroups: partOption<'subgroups'>('subgroupTable', ['rows', 'metrics', 'notes']).describe(
    'Table of subgroups of this result, which gets a part of its own with a forest for each metric.',
  ),
  sites: partOption<'sites'>('acrossSites', ['sites', 'mean', 'notes']).describe(
    'Estimates by site of this result, likewise.',
  ),
});

/** @throws {InvalidOptionError} for what was computed from another result, and for JSON, which has the result alone */
export function reportParts({ manifest }: ReportModel, input?: ReportOptions, form?: ReportForm): ReportParts {
  const parts = reportOptions.resolve(input);
  for (const [name, part] of Object.entries(parts)) {
    if (!part) continue;
    if (form === 'json') rejectUnusedOption('writeReport', name, 'JSON has the result alone', 'Write .html or .md.');
    if (part.fingerprint === resultFingerprint(manifest)) continue;
    const [must, got] = ['be computed from the result of the report', phrase('what was computed from another one')];
    throw new InvalidOptionError(sentence(`The \`${name}\` option of report`, must, got), { code: 'other_result' });
  }
  return parts;
}

/** Options of `toHTML`, `toMarkdown` and `writeReport`. */
export type ReportOptions = InputOf<typeof reportOptions>;
