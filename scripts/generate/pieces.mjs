/** The generated pieces of hand-written pages, by the name that their markers use. */
import { featureTable, siteTable } from './generators.mjs';
import { leakagePieces } from './leakage.mjs';
import { codeBlock, firstSentence, markdownTable, optionLines, ticks } from './markdown.mjs';
import { INSTALL } from './schema.mjs';

export function pieces({ schema, tables, api, checks, codes, examples, gallery, leakage }) {
  return {
    install: codeBlock(INSTALL, 'sh'),
    splitters: splitterTable(schema, tables),
    'splitter gallery': gallery,
    'plotSplits options': optionLines(
      tables.tables
        .get('plotSplits')
        .rows()
        .filter(({ name }) => !(name in tables.tables.get('split').shape)),
    ),
    metrics: metricTable(tables),
    'default metrics': defaultMetrics(tables),
    intervals: intervalTable(api),
    checks: checkTable(checks),
    designs: designTable(tables),
    'options of importance': optionLines(tables.tables.get('importance').rows()),
    'generated features': featureTable(tables.generators),
    'generated sites': siteTable(tables.generators),
    hooks: hookTable(api),
    'members of FrameworkAdapter': memberTable(api, 'FrameworkAdapter'),
    'capabilities of an adapter': memberTable(api, 'AdapterCapabilities'),
    events: ticks(api.interfaces.find(({ name }) => name === 'RunnerEvents').members.map(({ name }) => name)),
    ...leakagePieces(leakage),
    errors: errorSections(api),
    'error codes': codeTable(codes, api),
    ...Object.fromEntries(examples.map(({ title, code }) => [`example: ${title}`, codeBlock(code)])),
  };
}

const splitterTable = ({ splitters }, tables) =>
  markdownTable(
    ['splitter', '`method`', 'needs', 'what it does'],
    Object.values(splitters)
      .flat()
      .map(({ name, aliases, description }) => [
        [`[\`${name}\`](#${name.toLowerCase()})`, ...(aliases ?? []).map((each) => `\`${each}\``)].join(' or '),
        `\`${tables.methodName(name)}\``,
        needsText(tables.splitters.find((each) => each.name === name)),
        description,
      ]),
  );

/** What a splitter needs, and the option that stands in for it. */
export const neededText = (needs, orOption) => `${ticks(needs)}${orOption ? `, or the option \`${orOption}\`` : ''}`;

const needsText = ({ needs, orOption, needsOneOf = [] }) =>
  [neededText(needs, orOption), needsOneOf.map((each) => `\`${each}\``).join(' or ')].filter(Boolean).join(', ') ||
  'rows';

const metricTable = ({ metrics }) =>
  markdownTable(
    ['metric', 'what it is', 'better', 'range', 'tasks', 'needs', 'over folds'],
    metrics.map(({ name, description, direction, target, range, tasks, needs, combine }) => [
      `\`${name}\``,
      description,
      { maximize: 'higher', minimize: 'lower', target: `nearer ${target}` }[direction],
      rangeText(range),
      tasks.join(', '),
      needs,
      combine,
    ]),
  );

const designTable = (tables) =>
  markdownTable(
    ['when', 'category', 'splitter', '`method`', 'why'],
    tables.designTable.map(({ when, category, splitter, reason }) => [
      when,
      category,
      `[\`${splitter}\`](splitters.md#${splitter.toLowerCase()})`,
      `\`${tables.methodName(splitter)}\``,
      reason,
    ]),
  );

function rangeText([low, high]) {
  const text = (limit) => (Number.isFinite(limit) ? String(limit) : limit < 0 ? '-∞' : '∞');
  return `${text(low)} to ${text(high)}`;
}

const defaultMetrics = ({ defaultMetricsByTask }) =>
  Object.entries(defaultMetricsByTask)
    .map(([task, names]) => `- ${task}: ${ticks(names)}`)
    .join('\n');

const intervalTable = ({ intervalMethods }) =>
  markdownTable(
    ['`ciMethod`', 'what it is', 'source'],
    intervalMethods.map(({ name, description, source }) => [`\`${name}\``, firstSentence(description), source || '—']),
  );

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

/** A member that may be left out has a question mark. */
const memberTable = ({ interfaces }, owner) =>
  markdownTable(
    ['member', 'what it is for'],
    interfaces
      .find(({ name }) => name === owner)
      .members.map(({ name, optional, description }) => [`\`${name}${optional ? '?' : ''}\``, description]),
  );
