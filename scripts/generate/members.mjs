/**
 * Lists of members, read from the files of their rooms: the rows of the registries of splitters, metrics and checks, the names
 * that options take, their part of the index, and the entry `cvkit/snake`. A member is added by writing its file.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { refuse } from './refuse.mjs';
import { snakeSources } from './snake.mjs';

const WRITTEN = '// Written by `npm run generate` from the files of the members. To add one, add its file.\n';
/** Folders of the splitters, in the order of the documents. */
const FAMILIES = ['iid', 'grouped', 'temporal', 'spatial', 'multilabel'];

/** @returns text by path of the sources that list members */
export function memberLists() {
  const splitters = FAMILIES.flatMap((family) => filesOf(`src/splitters/${family}`).flatMap(splittersOf));
  const metrics = filesOf('src/metrics/definitions').flatMap(metricsOf);
  const rooms = readdirSync('src/checkers').filter((name) => /^CV[A-Z]\d{3}-/.test(name));
  const checks = rooms.flatMap((room) => checksOf(filesOf(`src/checkers/${room}`)));
  refuseMissed('src/splitters', SPLITTER_LIKE, {
    members: splitters,
    shape: `export class Name extends defineSplitter({ ... }) in name.ts of ${FAMILIES.join(', ')}`,
  });
  refuseMissed('src/metrics', METRIC_LIKE, {
    members: metrics,
    shape: "export const id: Metric = { name: '...', description: '...', ... } in definitions, a line for each fact",
  });
  refuseMissed('src/checkers', /^(?:export )?const \w+(?:: Check\b[^=]*)? = \{\n(?: .*\n)*? {2}code: '/gm, {
    members: checks,
    shape: "export const name: Check<Details> = { code: '...', type: '...', ... } in a folder CVLnnn-name",
  });
  refuseTaken([splitters, metrics, checks]);
  for (const { code, path } of checks) {
    if (path.split('/')[2].slice(0, 6) !== code) refuse(`${path}: the check has the code ${code}.`);
    if (!existsSync(`docs/checks/${code}.md`)) refuse(`${path}: docs/checks/${code}.md is missing.`);
  }
  const index = withSections(readFileSync('src/index.ts', 'utf8'), {
    'splitters, from their files': splitters.map(
      ({ path, id, aliases, types }) =>
        `export { ${[id, ...aliases.map((alias) => `${id} as ${alias}`), ...types.map((type) => `type ${type}`)]} } from '${fromSrc(path)}';`,
    ),
    'details of checks, from their files': checks.map(
      ({ details, declaredIn }) => `export type { ${details} } from '${fromSrc(declaredIn)}';`,
    ),
  });
  return formatted({
    'src/splitters/members.ts': listText('SPLITTERS', splitters),
    'src/metrics/members.ts': listText('METRICS', metrics),
    'src/checkers/members.ts': listText('CHECKS', checks),
    'src/core/memberNames.ts': [
      WRITTEN,
      `/** Names of the metrics, as \`metrics\` and \`scoring\` take them. */\nexport const METRIC_NAMES = ${list(metrics.map(named))} as const;\n`,
      `/** Names of the splitters, as \`method\` takes them. */\nexport const SPLITTER_NAMES = ${list(splitters.map(named))} as const;\n`,
      `/** Types of the checks by code. */\nexport const CHECK_TYPES = {${checks.map(({ code, name }) => `${code}: '${name}'`)}} as const;`,
    ].join('\n'),
    'src/index.ts': index,
    ...snakeSources(index, snakeCase),
  });
}

/** What members begin with, written well or not. */
const SPLITTER_LIKE =
  /^(?:export )?(?:default )?(?:class \w+ extends|const \w+ = (?:class \w* ?extends )?)\s*define(?:Splitter|Nested)\b/gm;
const METRIC_LIKE =
  /^(?:export const \w+: Metric\b|(?:export )?const \w+(?:: Metric)? = \{\n(?: .*\n)*? {2}description: )/gm;

/** What looks like a member and is none would be missing without a word. */
function refuseMissed(folder, pattern, { members, shape }) {
  // Metrics in `timed` and `masks` are registered with the first data of their kind.
  const isLater = (name) => /^(timed|masks)\W/.test(name);
  const paths = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.ts') && !isLater(name));
  for (const path of paths.map((name) => `${folder}/${name.replaceAll('\\', '/')}`)) {
    const nMembers = members.filter((each) => each.path === path).length;
    if (found(path, pattern).length > nMembers) refuse(`${path}: a member is written as \`${shape}\`.`);
  }
}

/** Two members of one registry share no name and no code. */
function refuseTaken(registries) {
  for (const members of registries) {
    for (const namesOf of [({ id, aliases = [] }) => [id, ...aliases], ({ name }) => [name], ({ code }) => [code]]) {
      const taken = new Set();
      for (const member of members) {
        for (const name of namesOf(member).filter(Boolean)) {
          if (taken.has(name)) refuse(`${member.path}: the name '${name}' is taken by another member.`);
          taken.add(name);
        }
      }
    }
  }
}

const filesOf = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);

/** What a pattern finds in a file: its named groups, and the path. */
const found = (path, pattern) =>
  [...readFileSync(path, 'utf8').matchAll(pattern)].map(({ groups }) => ({ path, ...groups }));

function splittersOf(path) {
  const file = path.split('/').at(-1).replace(/\.ts$/, '');
  const classes = found(path, /^export class (?<id>[A-Z]\w*) extends define(?:Splitter|Nested)\(/gm);
  const inTheirFile = classes.filter(({ id }) => /^[a-z]/.test(file) && id.toLowerCase() === file.toLowerCase());
  return inTheirFile.map(({ id }) => ({
    path,
    id,
    name: snakeCase(id).replace('k_fold', 'kfold'),
    aliases: found(path, /^ {4}aliases: \[(?<all>[^\]]*)\]/gm).flatMap(({ all }) => all.match(/\w+/g) ?? []),
    types: found(path, /^export (?:type|interface) (?<type>\w+)/gm).map(({ type }) => type),
  }));
}

const metricsOf = (path) => found(path, /^export const (?<id>\w+): Metric = \{\n(?: .*\n)*? {2}name: '(?<name>\w+)'/gm);

const CHECK =
  /^export const (?<id>\w+): Check<(?<details>\w+)> = \{\n {2}code: '(?<code>\w+)',\n {2}type: '(?<name>\w+)'/gm;
function checksOf(files) {
  return files.flatMap((path) =>
    found(path, CHECK).map((check) => {
      const declaration = new RegExp(`^export (?:type|interface) ${check.details}\\b`, 'm');
      const declaredIn = files.find((each) => declaration.test(readFileSync(each, 'utf8')));
      if (!declaredIn) refuse(`${path}: ${check.details} must be exported by a file of the folder.`);
      return { ...check, declaredIn };
    }),
  );
}

const snakeCase = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();

const named = ({ name }) => `'${name}'`;
const list = (items) => `[${items.join(', ')}]`;
const fromSrc = (path) => path.replace(/^src\//, './').replace(/\.ts$/, '.js');

/** A source with one list of all members. */
function listText(name, all) {
  const room = all[0].path.split('/').slice(0, 2).join('/');
  const imports = [...new Set(all.map(({ path }) => path))].map((path) => {
    const ids = all.filter((each) => each.path === path).map(({ id }) => id);
    return `import { ${ids} } from '${path.replace(`${room}/`, './').replace(/\.ts$/, '.js')}';`;
  });
  return [WRITTEN, ...imports, '', `export const ${name} = ${list(all.map(({ id }) => id))};`, ''].join('\n');
}

/** The index with the lines of these sections, each of which goes on to the next heading. */
function withSections(index, sections) {
  return Object.entries(sections).reduce((text, [title, lines]) => {
    const section = new RegExp(`(// ---- ${title} -+\n).*?(?=\n// ----|$(?![^]))`, 's');
    if (!section.test(text)) throw new Error(`src/index.ts must have a section '${title}'.`);
    return text.replace(section, (_, heading) => `${heading}\n${lines.join('\n')}\n`);
  }, index);
}

/** The sources as the formatter of the house writes them. */
function formatted(sources) {
  return Object.fromEntries(
    Object.entries(sources).map(([path, text]) => {
      const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', `--stdin-file-path=${path}`];
      const { status, stdout, stderr } = spawnSync(process.execPath, biome, { input: text, encoding: 'utf8' });
      if (status !== 0) throw new Error(`biome check of ${path}: ${stderr}`);
      return [path, stdout];
    }),
  );
}
