/** Pages of types: the interfaces that results are, and that own code implements; those of one folder of the sources together. */
import { codeBlock } from '../markdown.mjs';
import { fieldTable, partsOf } from './page.mjs';
import { linker, safe } from './words.mjs';

const TITLES = {
  callbacks: 'Audit trail',
  checkers: 'Checks and their findings',
  clinical: 'Clinical results',
  core: 'Random numbers and outcomes of checks',
  data: 'Rows, labels and side data',
  datasets: 'Data sets',
  intervals: 'Intervals',
  metrics: 'Metrics',
  report: 'Evidence of a report',
  runner: 'Runs, folds and adapters',
  splitters: 'Splitters and folds',
  tuning: 'Searches',
  validator: 'Validation',
  stats: 'Statistics',
  preprocessing: 'Preparation',
  estimators: 'Estimators',
  survival: 'Outcomes by time',
  node: 'Images and run directories',
  table: 'Tables',
  plot: 'Pictures',
  adapters: 'Adapters',
  conformance: 'Conformance suites',
};

export function typePages({ interfaces }, aliases) {
  const byFolder = new Map();
  for (const each of [
    ...interfaces.filter(({ members, properties }) => members.length + properties.length > 0),
    ...aliases,
  ]) {
    const folder = folderOf(each);
    if (!(folder in TITLES))
      throw new Error(`scripts/generate/reference/types.mjs has no title for types of '${folder}'`);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), each]);
  }
  const known = [...byFolder].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    places: known.flatMap(([folder, all]) => all.map(({ name }) => [name, `types/${folder}.md#${name.toLowerCase()}`])),
    index: known.map(
      ([folder, all]) =>
        `- [${TITLES[folder]}](types/${folder}.md): ${all.map(({ name }) => `\`${name}\``).join(', ')}.`,
    ),
    pages: (places) =>
      Object.fromEntries(
        known.map(([folder, all]) => [`docs/reference/types/${folder}.md`, pageOf(TITLES[folder], all, places)]),
      ),
  };
}

/** `runner` for `src/runner/callback.ts`, `adapters` for files of any adapter. */
const folderOf = ({ place }) => (place.startsWith('adapters/') ? 'adapters' : place.split('/')[1]);

function pageOf(title, all, places) {
  const sections = all.map((each) => {
    const { text } = linker(places, each.name);
    const { paragraphs } = partsOf(each.doc);
    return [
      `## ${each.name}`,
      ...paragraphs.map(text),
      codeBlock(`import type { ${each.name} } from '${each.from}';`, 'ts'),
      ...bodyOf(each, text),
    ].join('\n\n');
  });
  return `# Types: ${title}\n\n${sections.join('\n\n')}\n`;
}

function bodyOf({ type, members = [], properties = [] }, text) {
  if (type !== undefined) return [`One of ${safe(`\`${type}\``)}.`];
  const names = new Set(members.filter((each) => each.type === undefined).map(({ name }) => name));
  const calls = members.filter(({ name }) => names.has(name));
  const fields = fieldTable(
    properties.filter(({ name }) => !names.has(name)),
    text,
  );
  const list = calls.map(
    ({ signature, description }) => `- \`${signature}\`${description ? `: ${text(description)}` : ''}`,
  );
  return [fields, list.join('\n')].filter(Boolean);
}
