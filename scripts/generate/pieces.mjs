/** The generated pieces of hand-written pages, by the name that their markers use. */
import { codeBlock, firstSentence, markdownTable, optionLines, ticks } from './markdown.mjs';
import { INSTALL } from './schema.mjs';

export function pieces({ schema, tables, api, checks, examples, gallery }) {
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
    'checks of docs': checkTable(checks, 'checks/'),
    backends: optionLines(tables.tfjsOptions.rows()),
    events: ticks(api.interfaces.find(({ name }) => name === 'RunnerEvents').members.map(({ name }) => name)),
    errors: errorTable(api),
    ...Object.fromEntries(examples.map(({ title, code }) => [`example: ${title}`, codeBlock(code)])),
  };
}

const splitterTable = ({ splitters }, tables) =>
  markdownTable(
    ['splitter', '`method`', 'needs', 'what it does'],
    Object.values(splitters)
      .flat()
      .map(({ name, aliases, description }) => [
        [name, ...(aliases ?? [])].map((each) => `\`${each}\``).join(' or '),
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

export const metricTable = ({ metrics }) =>
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

function rangeText([low, high]) {
  const text = (limit) => (Number.isFinite(limit) ? String(limit) : limit < 0 ? '-∞' : '∞');
  return `${text(low)} to ${text(high)}`;
}

const defaultMetrics = ({ defaultMetricsByTask }) =>
  Object.entries(defaultMetricsByTask)
    .map(([task, names]) => `- ${task}: ${ticks(names)}`)
    .join('\n');

export const intervalTable = ({ intervalMethods }) =>
  markdownTable(
    ['`ciMethod`', 'what it is', 'source'],
    intervalMethods.map(({ name, description, source }) => [`\`${name}\``, firstSentence(description), source || '—']),
  );

export const checkTable = (checks, folder = 'docs/checks/') =>
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

export const errorTable = ({ classes }) =>
  markdownTable(
    ['error', 'when'],
    classes.filter(({ name }) => name.endsWith('Error')).map(({ name, description }) => [`\`${name}\``, description]),
  );
