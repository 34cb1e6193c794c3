/** docs/llms-full.txt: every public name with its full signature, as briefly as it can be said. */
import { codeBlock } from './markdown.mjs';
import { INSTALL, inReadingOrder, SPLITTER_METHODS } from './schema.mjs';

/** Types that a user writes or reads member by member. */
const TYPES = ['Fold', 'Interval', 'CheckResult', 'CVCallback'];

/** Options that several calls take, by the name that stands for them. */
const BUNDLES = {
  labels: ['sampleWeight?', 'positiveLabel?', 'groups?', 'level=0.95'],
  rows: ['sampleWeight?', 'positiveLabel?', 'groups?'],
  boot: ['level=0.95', 'nBootstrap=1000', 'randomState=42'],
  ci: ["ciMethod='bootstrap'", 'ciLevel=0.95', 'nBootstrap=1000', "sampling='cohort'"],
  monitor: ["monitor='val_loss'", 'minDelta=0', 'mode?'],
  origin: ['description?', 'license?', 'source?', 'sha256?', 'trueAuc?', 'truth?', 'warnings?'],
  load: ['path?', 'cacheDir?', 'timeout=300', 'stallTimeout=30', 'signal?'],
  onnx: ['output?', 'layout?', 'batchSize=32', 'allowMissing?', "runtime='auto'", 'sessionOptions?', 'ort?'],
  runner: ['...run', '...UniversalCVRunner'],
  job: ['X', 'y', 'verbose=0', '...origin', '...runner', '...split', '...check'],
};

/** Calls whose options others take, too. One may name those before it. */
const SHARED = ['run', 'UniversalCVRunner', 'split', 'check', 'ClinicalMetrics'];

const ENTRIES = ['preprocessing', 'estimators', 'stats', 'tuning', 'node', 'adapters/onnx'].map(
  (name) => `cvkit/${name}`,
);

export function llmsFull({ schema, tables, api, checks, examples }) {
  const text = writer(tables);
  const splitterNames = new Set(tables.splitters.map(({ name }) => name));
  const classes = inReadingOrder(api.classes.filter(({ name }) => !splitterNames.has(name)));
  const isError = ({ name }) => name.endsWith('Error');
  const entry = (from) =>
    text.entry(
      classes.filter((each) => each.from === from && !each.hooks && !isError(each)),
      api.functions.filter((each) => each.from === from),
    );
  const splitMethods = api.classes.find(({ name }) => name === 'KFold').methods;
  return `# cvkit ${schema.version}: full reference

> ${schema.description} ESM, Node ${schema.node_requires}. Short reference: llms.txt. For programs, with a sentence on each parameter: api-schema.json.

${codeBlock(INSTALL, 'sh')}

\`a\` is required, \`a=1\` has a default, \`a?\` may be left out (null, false or empty). Braces are one object of options, the last argument; each option also has its snake_case name. Classes are made with \`new\`; \`A|B\` are names of one. \`~T\` is a promise of T, which is left out where it is called as the function. \`...run\` and so on are the options of that call, \`...split\` the side data of \`split\`; ${Object.entries(
    BUNDLES,
  )
    .map(([name, parts]) => `\`...${name}\`: ${parts.join(', ')}`)
    .join('; ')}. Options that do not exist or have no effect are refused.

## cvkit

${entry('cvkit')}
- Callbacks: ${classes
    .filter(({ hooks, typeOnly }) => hooks && !typeOnly)
    .map(({ name, params }) => `\`${name}(${text.call(params)})\``)
    .join(', ')}
- Errors, each with a stable \`code\`: ${classes
    .filter(isError)
    .map(({ name }) => name)
    .join(', ')}

## Splitters

Each has ${splitMethods
    .filter(({ name }) => SPLITTER_METHODS.includes(name))
    .map((each) => `\`.${text.method(each)}\``)
    .join(' and ')}; \`split\` takes { ${text.options('split')} }. Name and options of the constructor:

${codeBlock(tables.splitters.map(({ name, options }) => text.splitter(name, options, schema)).join('\n'), 'ts')}

${ENTRIES.map((name) => `## ${name}\n\n${entry(name)}`).join('\n\n')}
- \`adapterOptions\` of tfjs: ${text.optionsOf(tables.tfjsOptions)}

## Names

- Metrics: ${tables.metrics.map(({ name }) => name).join(', ')}
- \`ciMethod\`: ${api.intervalMethods.map(({ name }) => name).join(', ')}
- Checks: ${checks.map(({ code, type }) => `${code.replace(/^CVL/, '')} ${type}`).join(', ')} (codes CVL001 and so on)

## Types

${codeBlock(TYPES.map((name) => typeText(api.interfaces.find((each) => each.name === name))).join('\n'), 'ts')}

## Examples

${inShort(examples)}
`;
}

function writer({ tables }) {
  const options = (owner) => {
    const table = tables.get(owner);
    const before = SHARED.includes(owner) ? SHARED.slice(0, SHARED.indexOf(owner)) : SHARED;
    const from = before.filter((other) => sharedWith(tables.get(other), table).length > 5);
    const known = new Set(from.flatMap((other) => sharedWith(tables.get(other), table)));
    const own = table.rows().filter(({ name }) => !known.has(name));
    return bundled(
      own,
      from.map((each) => `...${each}`),
    ).join(', ');
  };
  const parameter = ({ name, optional, rest, table, parts }) => {
    if (table) return `{ ${options(table)} }`;
    if (parts) return `{ ${bundled(parts.map((part) => ({ ...part, required: !part.optional }))).join(', ')} }`;
    return `${rest ? '...' : ''}${name}${optional ? '?' : ''}`;
  };
  const call = (params) =>
    params
      .filter(({ type }) => !/^NoOptions/.test(type))
      .map(parameter)
      .join(', ');
  const method = ({ name, params, returns }) => `${name}(${call(params)})${returnText(shortType(returns, name))}`;
  const methodLines = (methods) => bySignature(methods, method).map((each) => `  .${each}`);
  const classLines = ({ name, from, aliases, typeOnly, params, fields, methods }, common) => [
    `${[name, ...aliases].join('|')}${typeOnly ? '' : `(${call(params)})`}`,
    ...(typeOnly && from === 'cvkit' && fields.length > 0
      ? [`  { ${fields.map((field) => field.name).join(', ')} }`]
      : []),
    ...methodLines(methods.filter((each) => !common.includes(method(each)))),
  ];
  return {
    call,
    options,
    method,
    optionsOf: (table) => bundled(table.rows()).join(', '),
    splitter(name, table, { splitters }) {
      const { aliases = [] } = Object.values(splitters)
        .flat()
        .find((each) => each.name === name);
      return `${[name, ...aliases].join('|')}: ${bundled(table.rows()).join(', ')}`.replace(/: $/, '');
    },
    entry(classes, functions) {
      const common = commonOf(classes.flatMap(({ methods }) => methods.map(method)));
      const lines = [...classes.flatMap((each) => classLines(each, common)), ...functions.map(method)];
      if (common.length > 0) lines.unshift(`// several classes: ${common.map((each) => `.${each}`).join(' ')}`);
      return codeBlock(lines.join('\n'), 'ts');
    },
  };
}

/** Options as they are written, with a bundle in the place of those that it stands for. */
function bundled(rows, shared = []) {
  const inOrder = [...rows].sort((a, b) => Number(b.required ?? 0) - Number(a.required ?? 0));
  let written = [...bothSides(inOrder.map(optionText)), ...shared];
  for (const [name, parts] of Object.entries(BUNDLES)) {
    if (parts.some((part) => !written.includes(part))) continue;
    written = [...written.filter((each) => !parts.includes(each)), `...${name}`];
  }
  return written;
}

/** `yTrain?` and `yTest?` as `yTrain/Test?`. */
const bothSides = (written) =>
  written.flatMap((each) => {
    const [, side, rest] = each.match(/(Train|Test)(\??)$/) ?? [];
    if (side === 'Test' && written.includes(each.replace(/Test(\??)$/, 'Train$1'))) return [];
    if (side === 'Train' && written.includes(each.replace(/Train(\??)$/, 'Test$1'))) {
      return [each.replace(/Train\??$/, `Train/Test${rest}`)];
    }
    return [each];
  });

function optionText({ name, required, ...row }) {
  if (required) return name;
  const { default: value } = row;
  const nothing = value === undefined || value === null || value === false || isEmpty(value);
  return nothing ? `${name}?` : `${name}=${short(value)}`;
}

const isEmpty = (value) => typeof value === 'object' && !value.facts && Object.keys(value).length === 0;

/** Signatures that two or more classes have. */
const commonOf = (signatures) =>
  [...new Set(signatures)].filter((each) => signatures.filter((other) => other === each).length >= 2);

/** Signatures; methods that differ in name alone stand together, `on/once(event)`. */
function bySignature(methods, text) {
  const found = new Map();
  for (const each of methods) {
    const rest = text(each).slice(each.name.length);
    found.set(rest, [...(found.get(rest) ?? []), each.name]);
  }
  return Array.from(found, ([rest, names]) => `${names.join('/')}${rest}`);
}

const returnText = (type) => (type === '' || type === 'void' ? '' : `: ${type.replace('~void', '~')}`);

/**
 * `~T` for a promise of T, and `~` alone where T is called as the function is; a type that is derived from the code says
 * nothing to a reader.
 */
function shortType(type, name = '') {
  const text = /typeof|OptionsOf|\['|^Record<string, unknown>$/.test(type)
    ? 'object'
    : type.replaceAll('readonly ', '').replace('any[][]', 'any[]');
  const promised = text.replace(/^Promise<(.+)>$/, '~$1');
  const called = promised.replace(/^~?(\w+\.)?/, '');
  return called.toLowerCase() === name.toLowerCase()
    ? promised.slice(0, -called.length).replace(/\w+\./, '')
    : promised;
}

const sharedWith = (other, table) =>
  Object.entries(table.shape)
    .filter(([name, option]) => other.shape[name] === option)
    .map(([name]) => name);

/** A default as it is written; a long list is only told to be there. */
function short(value) {
  if (Array.isArray(value) && value.length > 6) return '[...]';
  if (typeof value === 'object' && value.facts) return writtenSplitter(value);
  return JSON.stringify(value).replaceAll('"', "'");
}

/** `KFold(5)`: the class and what differs from its defaults. */
function writtenSplitter({ facts, options }) {
  const { changed } = facts.options.parse(options);
  const required = Object.keys(facts.options.shape).filter((name) => facts.options.shape[name].presence === 'required');
  const names = new Set([...required, ...changed]);
  return `${facts.name}({ ${[...names].map((name) => `${name}: ${short(options[name])}`).join(', ')} })`.replace(
    '({  })',
    '()',
  );
}

/**
 * An interface on one line: what it must have, and the names of up to four other members; of one that must have nothing,
 * its methods. With `types`, those of members and parameters.
 */
export function typeText({ name, generics, members }, { types = false } = {}) {
  const brief = members.some(({ optional }) => !optional);
  const others = members.filter(({ optional }) => optional).length;
  const text = members.flatMap((member) => {
    if (brief && member.optional) return others > 4 ? [] : `${member.name}?`;
    if (!brief && member.type) return [];
    const signature = member.signature.replace(/^readonly /, '');
    return types ? signature : withoutTypes(signature);
  });
  return `interface ${name}${generics.replace(/ extends .*?(?=>)/, '')} { ${text.join('; ')} }`;
}

const withoutTypes = (signature) =>
  signature
    .replace(/: (string|number|[A-Z]\w+)( \| null)?$/, '')
    .replace(/(\w): \w+(?=[,)])/g, '$1')
    .replace("Hook<'stop'>", "'stop'?");

/** The examples, after what they have in common: imports, and lines that several begin with. */
function inShort(examples) {
  const lines = examples.flatMap(({ code }) => code.split('\n'));
  const shared = [...new Set(lines)].filter(
    (line) => /^const .*;/.test(line) && lines.filter((each) => each === line).length > 2,
  );
  const imports = new Map();
  const rest = examples.map(({ title, code }) => {
    const own = code.split('\n').filter((line) => !line.startsWith('import ') && !shared.includes(line));
    for (const [, what, from] of code.matchAll(/^import (.+) from '(.+)';$/gm)) {
      const known = imports.get(from) ?? new Set();
      for (const name of what.replace(/^\{ | \}$/g, '').split(', ')) known.add(name);
      imports.set(from, known);
    }
    return `${title}:\n${codeBlock(own.join('\n').trim())}`;
  });
  const before = Array.from(imports, ([from, names]) => {
    const what = [...names].sort().join(', ');
    return what.startsWith('* as') ? `import ${what} from '${from}';` : `import { ${what} } from '${from}';`;
  });
  return ['What they begin with, where they use it:', codeBlock([...before, ...shared].join('\n')), ...rest].join('\n');
}
