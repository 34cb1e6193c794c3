/** The generated pieces of hand-written pages, by the name that their markers use. */
import { featureTable, siteTable } from './generators.mjs';
import { leakagePieces } from './leakage.mjs';
import { codeBlock, firstSentence, markdownTable, optionLines, ticks } from './markdown.mjs';
import { INSTALL } from './schema.mjs';

export function pieces({ tables, api, checks, codes, examples, leakage }) {
  return {
    install: codeBlock(INSTALL, 'sh'),
    'default metrics': defaultMetrics(tables),
    checks: checkTable(checks),
    designs: designTable(tables),
    'options of importance': optionLines(tables.tables.get('importance').rows()),
    'generated features': featureTable(tables.generators),
    'generated sites': siteTable(tables.generators),
    hooks: hookTable(api),
    events: ticks(api.interfaces.find(({ name }) => name === 'RunnerEvents').members.map(({ name }) => name)),
    ...leakagePieces(leakage),
    errors: errorSections(api),
    'error codes': codeTable(codes, api),
    ...Object.fromEntries(examples.map(({ title, code }) => [`example: ${title}`, codeBlock(code)])),
  };
}

const designTable = (tables) =>
  markdownTable(
    ['when', 'category', 'splitter', '`method`', 'why'],
    tables.designTable.map(({ when, category, splitter, reason }) => [
      when,
      category,
      `[\`${splitter}\`](reference/splitters/${splitter}.md)`,
      `\`${tables.methodName(splitter)}\``,
      reason,
    ]),
  );

const defaultMetrics = ({ defaultMetricsByTask }) =>
  Object.entries(defaultMetricsByTask)
    .map(([task, names]) => `- ${task}: ${ticks(names)}`)
    .join('\n');

const checkTable = (checks, folder = 'checks/') =>
  markdownTable(
    ['code', 'check', 'kind', 'needs', 'what it finds'],
    checks.map(({ code, type, kind, description, needs }) => [
      `[${code}](${folder}${code}.md)`,
      `\`${type}\``,
      kind,
      needs.length > 0 ? ticks(needs) : 'rows',
      description,
    ]),
  );

/** A section for each class of errors, with what its instances hold. */
const errorSections = ({ classes }) =>
  classes
    .filter(({ name }) => name.endsWith('Error'))
    .map(({ name, description, fields }) =>
      [`### ${name}`, description, ...(fields.length > 0 ? [fieldList(fields)] : [])].join('\n\n'),
    )
    .join('\n\n');

const fieldList = (fields) =>
  fields
    .map(({ name, type, description }) => `- \`${name}: ${type}\`${description ? `: ${description}` : ''}`)
    .join('\n');

/** Codes by name; `*` in a code stands for the name of what is missing or unknown. */
const codeTable = (codes, { classes }) =>
  markdownTable(
    ['code', 'error', 'what must hold'],
    codes.map(({ code, errors, must, isDefault }) => [
      `\`${code}\``,
      ticks(errors),
      must || (isDefault && firstSentence(classes.find(({ name }) => name === errors[0])?.description ?? '')) || '—',
    ]),
  );

const hookTable = ({ interfaces }) =>
  markdownTable(
    ['hook', 'when'],
    interfaces
      .find(({ name }) => name === 'CVCallback')
      .members.filter(({ signature }) => signature.includes('('))
      .map(({ signature, description }) => [`\`${signature.replace(/\?\((.*)\): .*$/, '($1)')}\``, description]),
  );
