import { custom, type InputOf, optionTable } from '../core/options.js';
import type { ReportParts } from './tables.js';

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

/** Options of `toHTML`, `toMarkdown` and `writeReport`. */
export type ReportOptions = InputOf<typeof reportOptions>;
