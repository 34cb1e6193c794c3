/** docs/llms-full.txt: every public name with its full signature, as briefly as it can be said. */
import { codeBlock } from './markdown.mjs';
import { INSTALL, inReadingOrder, SPLITTER_METHODS } from './schema.mjs';

/** Types that a user writes or reads member by member. */
const TYPES = ['OutOfFold', 'Interval', 'CVCallback'];

/**
 * Options that several calls take, by the name that stands for them: the table that says how they are written, and their
 * names. A name stands only where a call takes all of them, written so.
 */
const BUNDLES = {
  rows: ['run', 'sampleWeight', 'positiveLabel', 'groups'],
  split: ['split', 'groups', 'timestamps', 'labelEndTimes', 'coordinates', 'hierarchy', 'environment'],
  train: [
    'run',
    'preprocessing',
    'epochs',
    'batchSize',
    'optimizer',
    'lossFn',
    'callbacks',
    'validation',
    'signal',
    'foldTimeout',
    'task',
    'times',
    'causeOfInterest',
    'tolerance',
    'aggregate',
    'classWeight',
    'parent',
    'augment',
    'recalibrate',
    'threshold',
    'onFoldError',
    'retries',
    'runDirectory',
    'resumeKey',
    'copyData',
  ],
  part: ['run', 'folds', 'shard', 'dryRun'],
  runner: ['UniversalCVRunner', 'framework', 'adapter', 'adapterOptions', 'executor', 'nJobs'],
  design: ['check', 'featureNames', 'design', 'spatialThreshold', 'raiseOn'],
  author: ['CVKitValidator', 'notApplicable', 'independentRows', 'preparedInside', 'acknowledged'],
  sight: ['validate', 'embeddings', 'revealIds'],
  unpack: ['readTable', 'maxBytes', 'maxRatio'],
  images: [
    'readImages',
    'groupsFrom',
    'labelsFrom',
    'rows',
    'values',
    'window',
    'invertMonochrome1',
    'resize',
    'interpolation',
    'pad',
    'fill',
    'crop',
    'patientsAcrossSites',
    'studiesAcrossPatients',
    'formats',
    'onUnreadable',
    'check',
    'root',
    'readAhead',
    'cacheMegabytes',
    'maxPixels',
  ],
  origin: ['data', 'description', 'license', 'source', 'sha256', 'trueAuc', 'truth', 'warnings', 'repeatedIds'],
  asked: ['conformalSets', 'alpha', 'folds', 'groups', 'everyRow'],
  boot: ['bbcCV', 'level', 'nBootstrap', 'randomState'],
  clinical: [
    'ClinicalMetrics',
    'confidenceLevel',
    'prevalence',
    'treatmentEffect',
    'proportionMethod',
    'aucScale',
    'nBootstrap',
    'randomState',
  ],
  ci: ['CVKitValidator', 'ciMethod', 'ciLevel', 'nBootstrap', 'sampling'],
  monitor: ['EarlyStopping', 'monitor', 'minDelta', 'mode'],
  folds: ['GroupKFold', 'nSplits', 'shuffle', 'randomState'],
  cut: ['KFold', 'nSplits', 'shuffle', 'randomState'],
  purge: ['PurgedKFoldCV', 'nSplits', 'purgeGap', 'embargoSize', 'purgeTime', 'embargoTime'],
  load: ['loadHeartDisease', 'path', 'cacheDir', 'timeout', 'stallTimeout', 'signal'],
  onnx: ['onnxModel', 'output', 'layout', 'batchSize', 'allowMissing', 'runtime', 'sessionOptions', 'ort'],
};

/** Names that stand for several of these. */
const LARGER = {
  fit: [
    ...['...train', 'verifyIsolation?', "keepModels='none'", 'modelPath?', 'overwrite?'],
    ...['returnTrainScores?', 'importance?', 'apparent?', 'refit?'],
  ],
  tested: [
    ...['metrics?', 'scoring?', 'verbose=1', 'randomState?', 'auxiliary?', 'patientIds?', 'leakageChecker?'],
    ...['...rows', '...runner', '...design', '...author', '...sight', '...fit'],
  ],
  checked: ['cv?', 'nSplits=5', 'randomState=42', 'task?', 'embeddings?', '...split', '...design', '...author'],
  level: ['level=0.95', '...rows'],
  placed: ['randomState?', 'coordinates?'],
  weight: ['sampleWeight?', 'positiveLabel?'],
  counted: ['sampleWeight?', 'groups?', 'level=0.95'],
  loaded: ['adapter?', 'adapterOptions?', "modules='refuse'"],
  roc: ['nBootstrap=2000', 'randomState=42', '...level'],
  blocks: ["blockShape='grid'", 'blockSize?', '...placed'],
  job: [
    'X',
    'y',
    'featureNames?',
    'spacing?',
    'verbose=0',
    '...train',
    '...runner',
    '...split',
    '...rows',
    '...origin',
  ],
  permuted: ['randomState=42', 'metric?', 'nPermutations=199', '...job'],
};

const ENTRIES = ['preprocessing', 'estimators', 'stats', 'tuning', 'table', 'node', 'bullmq', 'adapters/onnx'].map(
  (name) => `cvkit/${name}`,
);

export function llmsFull({ schema, tables, api, examples }) {
  const bundles = bundlesOf(tables);
  const text = writer(tables, bundles);
  const splitterNames = new Set(tables.splitters.map(({ name }) => name));
  const classes = inReadingOrder(api.classes.filter(({ name }) => !splitterNames.has(name)));
  const isError = ({ name }) => name.endsWith('Error');
  const entry = (from) =>
    text.entry(
      classes.filter((each) => each.from === from && !each.hooks && !isError(each)),
      api.functions.filter((each) => each.from === from),
    );
  const inSnakeCase = new Set([...splitterNames].map((name) => tables.snakeCase(name).replace('k_fold', 'kfold')));
  const splitMethods = api.classes.find(({ name }) => name === 'KFold').methods;
  const page = `# cvkit ${schema.version}: full reference

> ESM, Node ${schema.node_requires}. \`${INSTALL}\`. Each parameter: api-schema.json; /plot, /testing, /adapters/tfjs: docs.

\`a\` is required, \`a=1\` a default, \`a?\` optional. Braces: options, last; each also in snake_case. Classes need \`new\`; without parentheses: types of results. \`~T\` is a promise of T; no type: nothing, itself, an object, or one called as the function. \`XTrain/Test\`: XTrain and XTest; \`a/b()\`: two alike. Names of options: ${[...bundles.named].map(([name, parts]) => `\`...${name}\`: ${parts.join(', ')}`).join('; ')}.

## cvkit
${entry('cvkit')}
- Callbacks: ${classes
    .filter(({ hooks, typeOnly }) => hooks && !typeOnly)
    .map(({ name, params }) => `\`${name}(${text.call(params)})\``)
    .join(', ')}

## Splitters
Each has ${splitMethods
    .filter(({ name }) => SPLITTER_METHODS.includes(name))
    .map((each) => `\`.${text.method(each)}\``)
    .join(' and ')}; \`data\`: { ...split }. Name and options:
${codeBlock(tables.splitters.map(({ name, options }) => text.splitter(name, options)).join('\n'), '')}

${ENTRIES.map((name) => `## ${name}\n${entry(name)}`).join('\n\n')}
- \`adapterOptions\` of tfjs: ${text.optionsOf(tables.tfjsOptions)}

## Names
- Metrics, checks and \`ciMethod\`: llms.txt. \`method\`: a splitter in snake_case, or ${tables.methods.filter((name) => !inSnakeCase.has(name)).join(', ')}
- \`data\`: [X, y], [X, y, groups] or { X, y, ...split }. \`threshold\`: 'youden', { fixed }, { sensitivity }, { specificity } or { cost }. \`paramGrid\`: name to choices or { low, high, log?, step? }; \`step__option\` of \`preprocessing\`
- \`overallStatus\`: passed, passed_with_acknowledgements, failed, needs_review, not_fully_verified; of a check also not_evaluated, not_applicable, error

## Types
${codeBlock(TYPES.map((name) => typeText(api.interfaces.find((each) => each.name === name))).join('\n'), '')}

## Examples
${inShort(examples)}
`;
  const idle = [...bundles.named.keys()].filter((name) => !bundles.used.has(name));
  if (idle.length > 0)
    throw new Error(`scripts/generate/llmsFull.mjs: no call takes the options of ${idle.join(', ')}`);
  return page;
}

/** Of types with no more the declarations tell. */
const FEW_FIELDS = 4;

/** How options are written, and what of them a name stands for. */
function bundlesOf({ tables }) {
  const named = new Map(
    Object.entries(BUNDLES).map(([name, [owner, ...options]]) => {
      const rows = tables.get(owner).rows();
      return [name, options.map((option) => optionText(rows.find((row) => row.name === option)))];
    }),
  );
  for (const [name, parts] of Object.entries(LARGER)) named.set(name, parts);
  const used = new Set();
  return {
    named,
    used,
    /** Options as they are written, with names in the place of those that they stand for. */
    written(rows) {
      const inOrder = [...rows].sort((a, b) => Number(b.required ?? 0) - Number(a.required ?? 0));
      let all = bothSides(inOrder.map(optionText));
      let left = all;
      for (const [name, parts] of named) {
        if (parts.some((part) => !(name in LARGER ? left : all).includes(part))) continue;
        used.add(name);
        left = [...left.filter((each) => !parts.includes(each)), `...${name}`];
        all = [...all, `...${name}`];
      }
      return left;
    },
  };
}

function writer({ tables }, bundles) {
  const bundled = bundles.written;
  /** Signatures that several classes have, which stand once. */
  const said = new Set();
  const options = (owner) => bundled(tables.get(owner).rows()).join(', ');
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
  const method = ({ name, params, returns }) =>
    `${name}(${call(params)})${name === 'clone' ? '' : returnText(shortType(returns, name))}`;
  const methodLines = (methods) => bySignature(methods, method).map((each) => ` .${each}`);
  const classLines = ({ name, from, aliases, typeOnly, params, fields, methods }) => [
    `${[name, ...aliases].join('|')}${typeOnly ? '' : `(${call(params)})`}`,
    ...(typeOnly && from === 'cvkit' && fields.length > FEW_FIELDS
      ? [` { ${fields.map((field) => field.name).join(', ')} }`]
      : []),
    ...methodLines(methods.filter((each) => !said.has(method(each)))),
  ];
  return {
    call,
    method,
    optionsOf: (table) => bundled(table.rows()).join(', '),
    splitter(name, table) {
      return `${name}: ${bundled(table.rows()).join(', ')}`.replace(/: $/, '');
    },
    entry(classes, functions) {
      const common = commonOf(classes.flatMap(({ methods }) => methods.map(method))).filter((each) => !said.has(each));
      for (const each of common) said.add(each);
      const lines = [...classes.flatMap(classLines), ...bySignature(functions, method)];
      if (common.length > 0) lines.unshift(`// several classes: ${common.map((each) => `.${each}`).join(' ')}`);
      return codeBlock(lines.join('\n'), '');
    },
  };
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

const UNSAID = ['', 'void', 'this', 'object', 'any', 'any[]', 'Options', 'NoOptions'];
const returnText = (type) => (UNSAID.includes(type) ? '' : `: ${type.replace(/^~(void|any|any\[\]|object)$/, '~')}`);

/**
 * `~T` for a promise of T, and `~` alone where T is called as the function is; a type that is derived from the code says
 * nothing to a reader.
 */
function shortType(type, name = '') {
  const text = /typeof|OptionsOf|\['|^Record<string, unknown>$/.test(type)
    ? 'object'
    : type.replaceAll('readonly ', '').replace('any[][]', 'any[]');
  const whole = text.replace(/ & \{.*\}$/, '').replace(/^Readonly<(.+)>$/, '$1');
  const plain = whole.replace(/\b(Recalibration|Dataset|ConstructedModel|Folds)<[^<>]*>/, '$1');
  const isLong = plain.split(' | ').length > 2 && !plain.includes('<');
  const promised = (isLong ? 'object' : plain).replace(/^Promise<(.+)>$/, '~$1');
  const called = promised.replace(/^~?(\w+\.)?/, '');
  return called.toLowerCase() === name.toLowerCase()
    ? promised.slice(0, -called.length).replace(/\w+\./, '')
    : promised;
}

/** A default as it is written; a long list is only told to be there. */
export function short(value) {
  if (Array.isArray(value) && value.length > 6) return '[...]';
  if (typeof value === 'object' && value?.facts) return writtenSplitter(value);
  return (JSON.stringify(value) ?? String(value)).replaceAll('"', "'");
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
 * An interface on one line: what it must have, and the names of up to four other members (six with `types`); of one that must have nothing,
 * its methods. With `types`, those of members and parameters.
 */
export function typeText({ name, generics, members }, { types = false } = {}) {
  const brief = members.some(({ optional }) => !optional);
  const others = members.filter(({ optional }) => optional).length;
  const text = members.flatMap((member) => {
    if (brief && member.optional) return others > (types ? 6 : 4) ? [] : `${member.name}?`;
    if (!brief && member.type) return [];
    const signature = member.signature.replace(/^readonly /, '');
    return types ? signature : withoutTypes(signature);
  });
  return `interface ${name}${generics.replace(/ extends .*?(?=>)/, '')} { ${text.join('; ')} }`;
}

const withoutTypes = (signature) =>
  signature
    .replace(/^(\w+\??): [^']+$/, '$1')
    .replace(/(\w): \w+(?=[,)])/g, '$1')
    .replace(/: [A-Z]\w+$/, '')
    .replace(/: '\w+'(?: \| '\w+')+$/, '')
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
  return ['First lines, unless declared:', codeBlock([...before, ...shared].join('\n')), ...rest].join('\n');
}
