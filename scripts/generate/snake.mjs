/**
 * The entry `cvkit/snake`, written from `src/index.ts`: its classes, functions and types, and the order in which the original
 * interface takes arguments. A new name of `cvkit` needs a line here only when it is one of the exceptions.
 */
import { readFileSync } from 'node:fs';

const names = (text) => text.trim().split(/\s+/);

/** Types with the names of cvkit: what callers write for it, and what has no name that changes. */
const AS_THEY_ARE = names(`
  AdapterCapabilities AdapterSession Augment AugmentBatch Batch Check CheckCost CheckInput CheckKind CheckParts CheckStatus
  Column Decision Dense Design Difference Encounter EpochControl EpochLogs Evidence Excluded Executor Features Finding
  FitHistory FitHooks FitOptions FoldChecker FoldEvent FoldLink FoldOutcome FoldReply FoldServices FoldTask FrameworkAdapter
  GivenFold HeldMemory HeldOut ImageFeatures Label LabelFacts LabelsInput Metric ModelOption ModelPlace Outcome OverallStatus
  OwnSplitterClass OwnSplitterFacts Predictions PredictOptions RandomSource RandomState Recorded RecordedOptions RowSource
  RowsInput SARIFLog Severity Share Task TaskOption TestRows TrailEvent Undefined WeightSnapshot
`);

/** Types that callers write in either spelling; so are all whose name ends with `Options`. */
const FROM_CALLERS = names(`
  CVCallback DataOption FoldHandlers FoldModels ModelFactory ModelFn PlaceOption Schedule ScoreTableInput Scoring
  ScoringFunction SideData SplitIndices ValidationOption
`);

/** Values that are the same in both entries. */
const isShared = (name) =>
  /Error$|^define|^register/.test(name) ||
  ['VERSION', 'deriveSeed', 'inlineExecutor', 'undefinedBecause'].includes(name);

/** Type parameters of public types. */
const GENERIC = { Dataset: ['<X = number[][]>', '<X>'] };

/** The methods of every splitter take these. */
const SPLITTER = { split: [['X', 'y'], ['groups']], get_n_splits: [['X', 'y'], ['groups']] };

const WRITTEN = '// Written by `npm run generate` from src/index.ts and scripts/generate/snake.mjs.\n';

/**
 * @param index text of `src/index.ts`
 * @param snakeCase the rule for names
 * @returns text by path of the sources that follow from it
 */
export function snakeSources(index, snakeCase) {
  const exported = exportsOf(index);
  return {
    'src/snake/index.ts': indexText(exported, snakeCase),
    'src/snake/positions.ts': positionsText(exported, snakeCase),
  };
}

/** Each public name with the one that its declaration has, its file, and whether it is a type alone. */
function exportsOf(index) {
  const statements = [...index.matchAll(/^export (type )?\{([^}]*)\} from '\.\/([^']+)\.js';/gm)];
  return statements.flatMap(([, type, list, file]) =>
    list
      .split(',')
      .map((item) => /^(?<type>type )?(?<own>\w+)(?: as (?<alias>\w+))?$/.exec(item.trim())?.groups)
      .filter(Boolean)
      .map((item) => ({
        own: item.own,
        name: item.alias ?? item.own,
        isType: Boolean(type ?? item.type),
        path: `src/${file}.ts`,
      })),
  );
}

function indexText(exported, snakeCase) {
  const types = exported.filter(({ isType }) => isType).map(({ name }) => name);
  const values = exported.filter(({ isType }) => !isType);
  const isClass = ({ name }) => /^[A-Z]/.test(name);
  const shared = values.filter(({ name }) => isShared(name));
  const own = values.filter(({ name }) => !isShared(name));
  const unknown = [...AS_THEY_ARE, ...FROM_CALLERS].filter((name) => !types.includes(name));
  if (unknown.length > 0) throw new Error(`src/index.ts has no type ${unknown.join(', ')}.`);
  return `${WRITTEN}
/**
 * cvkit in snake_case: the classes and functions of \`cvkit\` under the names of the Python interface that it began as. The
 * closed list of public names; methods, options and fields follow from one rule, \`snakeCase\`.
 *
 * What a caller writes for cvkit (adapters, splitters, metrics, checks) keeps the interfaces of \`cvkit\`, in camelCase.
 */
import * as cvkit from '../index.js';
import { snakeClass, snakeFunction } from './convert.js';
import type { Snake, SnakeInput, SnakeInstance, SnakeOptions } from './types.js';

export {
  ${shared.map((each) => (isClass(each) ? each.name : `${each.name} as ${snakeCase(each.name)}`))},
  ${AS_THEY_ARE.map((name) => `type ${name}`)}
} from '../index.js';
export type { SnakeCase } from './types.js';

// ---- classes ----
${own.filter(isClass).map(classLines).join('\n')}

// ---- functions ----
${own
  .filter((each) => !isClass(each))
  .map(({ name }) => `export const ${snakeCase(name)} = snakeFunction(cvkit.${name});`)
  .join('\n')}

// ---- types ----
${types
  .filter((name) => !AS_THEY_ARE.includes(name))
  .map(typeLine)
  .join('\n')}
`;
}

/** A class with its type, or an alias of one. */
const classLines = ({ name, own }) =>
  name === own
    ? `export const ${own} = snakeClass(cvkit.${own}, '${own}');\nexport type ${own} = SnakeInstance<cvkit.${own}, '${own}'>;`
    : `export { ${own} as ${name} };`;

function typeLine(name) {
  const [parameters, parameter] = GENERIC[name] ?? ['', ''];
  const spelling = FROM_CALLERS.includes(name) ? 'SnakeInput' : name.endsWith('Options') ? 'SnakeOptions' : 'Snake';
  return `export type ${name}${parameters} = ${spelling}<cvkit.${name}${parameter}>;`;
}

/** Python's order of arguments, as far as cvkit takes them by place, and after them its options. */
function positionsText(exported, snakeCase) {
  const { classes, splitters } = JSON.parse(readFileSync('test/reference/originalInterface.json', 'utf8'));
  const order = (params) => params.map(({ name }) => name);
  const rows = [
    ...classes.map(({ name, methods, ...row }) => {
      const text = readFileSync(exported.find((each) => each.name === name).path, 'utf8');
      const calls = methods.map(({ name: method, keyword_only, params }) => {
        const all = keyword_only ? [] : order(params);
        const count = countByPlace(text, method, snakeCase);
        return [method, [all.slice(0, count), all.slice(count)]];
      });
      return [name, { constructor: [[], order(row.constructor)], ...Object.fromEntries(calls) }];
    }),
    ['Splitter', SPLITTER],
    ...Object.values(splitters).flatMap((family) =>
      family.map(({ name, params }) => [name, { constructor: [[], order(params)] }]),
    ),
  ];
  const entry = ([method, [first, options]]) =>
    `${method}: '${first.length > 0 ? `${first.join(' ')} | ` : ''}${options.join(' ')}',`;
  const body = rows.map(([name, calls]) => `${name}: { ${Object.entries(calls).map(entry).join(' ')} },`);
  return `${WRITTEN}
/**
 * The order of arguments in the original interface (test/reference/originalInterface.json), by class and method. Those before
 * a bar are taken by place by the method of cvkit, too; the others are its options.
 */
export const POSITIONS = { ${body.join('\n')} } as const;
`;
}

/** How many arguments a method of cvkit takes by place, before its options. */
function countByPlace(text, method, snakeCase) {
  const calls = [...text.matchAll(/^ {2}(?:async )?(\w+)(?:<[^(]*>)?\(([^)]*)\)/gm)];
  const [, , list] = calls.find(([, name]) => snakeCase(name) === method);
  return [...list.matchAll(/(?:^|,)\s*(\w+)\??:/g)].filter(([, name]) => name !== 'input').length;
}
