/** House rules about files: a test of the same name, 500 lines at most, no swallowed errors, no empty tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { placeOf, programOf, projectFiles, projectPath, ROOT, walk } from './program.js';

/** Public files without a test of their own, each with its reason. */
const TESTED_ELSEWHERE: Record<string, string> = {
  'src/runner/foldEnsemble.ts': 'test/runner/ensemble.test.ts',
  'src/core/version.ts': 'test/meta/package.test.ts',
  // One table holds the transformers to scikit-learn.
  ...Object.fromEntries(
    ['oneHotEncoder', 'ordinalEncoder', 'robustScaler', 'simpleImputer', 'varianceThreshold'].map((name) => [
      `src/preprocessing/${name}.ts`,
      'test/preprocessing/defineTransformer.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    ['centerCrop', 'pad', 'resize'].map((name) => [
      `src/preprocessing/${name}.ts`,
      'test/preprocessing/imageSteps.test.ts',
    ]),
  ),
  'src/preprocessing/sequenceScaler.ts': 'test/preprocessing/channelScaler.test.ts',
  // All pictures are looked at together.
  ...Object.fromEntries(
    [
      ...['svg', 'plotCalibration', 'plotConfusion', 'plotDecisionCurve', 'plotFolds', 'plotForest', 'plotHistory'],
      ...['plotPrecisionRecall', 'plotRoc', 'plotScores', 'plotLearningCurve', 'plotComparison', 'plotImportance'],
      ...['instability', 'plotInstability'],
    ].map((name) => [`src/plot/${name}.ts`, 'test/plot/plots.test.ts']),
  ),
};

/** Files above 500 lines, each with its reason. */
const LONG: Record<string, string> = {};
const MAX_LINES = 500;

const ENTRIES = [
  'src/index.ts',
  'src/plot/index.ts',
  'src/stats/index.ts',
  'src/preprocessing/index.ts',
  'src/estimators/index.ts',
  'src/tuning/index.ts',
  'src/snake/index.ts',
  ...readdirSync(join(ROOT, 'adapters'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|[/\\])index\.ts$/.test(path))
    .map((path) => `adapters/${path.replaceAll('\\', '/')}`),
];

const program = programOf();
const files = projectFiles(program);

const checker = program.getTypeChecker();

/** Classes, functions and other values that an entry exports, each with its file. */
const publicValues = ENTRIES.flatMap((entry) => {
  const file = files.get(entry);
  const module = file && checker.getSymbolAtLocation(file);
  const exported = module ? checker.getExportsOfModule(module) : [];
  return exported.flatMap((symbol) => {
    const value = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declaration = value.valueDeclaration;
    return declaration ? [{ value, path: projectPath(declaration.getSourceFile().fileName) }] : [];
  });
});

/** Files that declare such a value. */
const publicFiles = () => [...new Set(publicValues.map(({ path }) => path))].sort();

/** `src/core/rows.ts` -> `test/core/rows.test.ts`; `adapters/tfjs/index.ts` -> `test/adapters/tfjs/index.test.ts`. */
const testOf = (path: string) => `test/${path.replace(/^src\//, '').replace(/\.ts$/, '.test.ts')}`;

/** Which argument of a promise's method handles an error. */
const HANDLER_AT = new Map([
  ['catch', 0],
  ['then', 1],
]);

/** Places where an error is caught and nothing is done. */
function swallowed(file: ts.SourceFile): string[] {
  const found: string[] = [];
  walk(file, (node) => {
    if (ts.isCatchClause(node) && node.block.statements.length === 0) found.push(placeOf(node));
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const at = HANDLER_AT.get(node.expression.name.text);
    const handler = at === undefined ? undefined : node.arguments[at];
    if (handler && ts.isFunctionLike(handler) && isEmpty((handler as ts.ArrowFunction).body)) found.push(placeOf(node));
  });
  return found;
}

function isEmpty(body: ts.Node | undefined): boolean {
  if (!body) return false;
  if (ts.isBlock(body)) return body.statements.length === 0;
  return ts.isIdentifier(body) && body.text === 'undefined';
}

/** Tests whose body is empty: they pass whatever happens. */
function emptyTests(file: ts.SourceFile): string[] {
  const found: string[] = [];
  walk(file, (node) => {
    if (!ts.isCallExpression(node) || !/^(it|test)\b/.test(node.expression.getText(file))) return;
    const body = node.arguments.find((argument) => ts.isFunctionLike(argument)) as ts.ArrowFunction | undefined;
    if (body && isEmpty(body.body)) found.push(placeOf(node));
  });
  return found;
}

/** Words that are no terms: see the glossary of AGENTS.md. */
const NO_TERMS = new Set('given told said asked odd beside apart looks looked seen made'.split(' '));
/** Names of the contract, and of evidence that callers read. */
const PUBLIC_NAMES = new Set([
  'GivenFold',
  'ciFitsMade',
  'fitNotSeen',
  'looked',
  'lookedAt',
  'lookedFor',
  'looksBack',
  'madeBy',
]);

/** `given` of `SplitterClaims` is a name of the contract as well. */
const isClaim = ({ parent }: ts.Node, { text }: ts.Identifier) =>
  text === 'given' && ts.isInterfaceDeclaration(parent) && parent.name.text === 'SplitterClaims';

/** Identifiers that a file declares and that hold a word which is no term. */
function notTerms(file: ts.SourceFile): string[] {
  const found: string[] = [];
  walk(file, (node) => {
    const { name } = node as ts.NamedDeclaration;
    if (!name || !ts.isIdentifier(name) || PUBLIC_NAMES.has(name.text)) return;
    // What an object literal calls its fields, and what is read of one, is declared elsewhere.
    if (ts.isPropertyAccessExpression(node) || ts.isPropertyAssignment(node) || isClaim(node, name)) return;
    const words = name.text.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase());
    if (words.some((word) => NO_TERMS.has(word))) found.push(`${placeOf(node)} ${name.text}`);
  });
  return found;
}

/** One spelling of all names, and files that stand for each other on two platforms. */
const TWINS = ['src/snake/index.ts', 'src/core/io.default.ts', 'src/pages/parts.ts', 'src/pages/tableParts.ts'];

/** Names that two files declare and export, or one declares under another's name. */
function declaredTwice(sources: readonly (readonly [string, ts.SourceFile])[]): string[] {
  const places = new Map<string, string>();
  const twice: string[] = [];
  for (const [path, file] of sources.filter(([path]) => !TWINS.includes(path))) {
    const names = new Set<string>();
    for (const node of file.statements) {
      if (!ts.canHaveModifiers(node) || !ts.getModifiers(node)?.some(isExport)) continue;
      const declared = ts.isVariableStatement(node) ? node.declarationList.declarations : [node];
      for (const { name } of declared as readonly ts.NamedDeclaration[]) if (name) names.add(name.getText(file));
    }
    for (const name of names) {
      const other = places.get(name);
      if (other) twice.push(`${name}: ${other}, ${path}`);
      places.set(name, path);
    }
  }
  return twice;
}

const isExport = ({ kind }: ts.Modifier) => kind === ts.SyntaxKind.ExportKeyword;

const parsed = (path: string, text: string) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

describe('every public class and function', () => {
  it('is found', () => {
    expect(publicFiles()).toContain('src/splitters/iid/kFold.ts');
    expect(publicFiles().length).toBeGreaterThan(10);
  });

  it('lives in a file that has a test of the same name', () => {
    const missing = publicFiles().filter((path) => !TESTED_ELSEWHERE[path] && !existsSync(join(ROOT, testOf(path))));
    expect(missing.map((path) => `${path}: ${testOf(path)} is missing`)).toEqual([]);
  });

  it('has a docstring', () => {
    const isClassOrFunction = ({ flags }: ts.Symbol) => flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Function);
    const bare = publicValues.filter(
      ({ value, path }) =>
        isClassOrFunction(value) && !TWINS.includes(path) && value.getDocumentationComment(checker).length === 0,
    );
    expect(bare.map(({ value, path }) => `${path}: ${value.name}`)).toEqual([]);
  });

  it('needs every exception that is made', () => {
    const idle = Object.keys(TESTED_ELSEWHERE).filter(
      (path) => !publicFiles().includes(path) || existsSync(join(ROOT, testOf(path))),
    );
    expect(idle).toEqual([]);
  });
});

describe('a file', () => {
  const lines = (file: ts.SourceFile) => file.text.trimEnd().split('\n').length;
  const isData = (path: string) => path.startsWith('src/datasets/data/');

  it(`has at most ${MAX_LINES} lines, or a reason`, () => {
    const long = [...files].filter(([path, file]) => !isData(path) && lines(file) > MAX_LINES);
    expect(long.filter(([path]) => !LONG[path]).map(([path, file]) => `${path}: ${lines(file)} lines`)).toEqual([]);
    expect(Object.keys(LONG).filter((path) => !long.some(([each]) => each === path))).toEqual([]);
  });

  it('is isolated where it replaces a module: another file of the process may have loaded it before', () => {
    const config = readFileSync(join(ROOT, 'vitest.config.ts'), 'utf8');
    const tests = readdirSync(join(ROOT, 'test'), { recursive: true }).map((name) => `test/${name}`);
    const mocks = tests.filter(
      (path) => path.endsWith('.test.ts') && /\bvi\.(doMock|mock)\(/.test(readFileSync(join(ROOT, path), 'utf8')),
    );
    expect(mocks.length).toBeGreaterThan(3);
    expect(mocks.filter((path) => !config.includes(`'${path}'`))).toEqual([]);
  });

  it('declares terms of the field', () => {
    expect([...files.values()].flatMap(notTerms)).toEqual([]);
  });

  it('exports no name that another file of the package exports', () => {
    expect(declaredTwice([...files])).toEqual([]);
  });

  it('swallows no error', () => {
    expect([...files.values()].flatMap(swallowed)).toEqual([]);
  });
});

describe('a test', () => {
  it('has a body', () => {
    const paths = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
    const tests = paths.filter((path) => path.endsWith('.test.ts')).map((path) => join(ROOT, 'test', path));
    expect(tests.length).toBeGreaterThan(100);
    expect(tests.flatMap((path) => emptyTests(parsed(path, readFileSync(path, 'utf8'))))).toEqual([]);
  });
});

describe('this test can fail', () => {
  it.each([
    'try { a(); } catch {}',
    'try { a(); } catch (error) { /* never mind */ }',
    'a().catch(() => {});',
    'a().catch(() => undefined);',
    'a().then(b, () => {});',
    'a().catch(function () {});',
  ])('on %s', (text) => {
    const bad = programOf({ 'src/core/bad.ts': `declare const a: any, b: any; ${text}` });
    expect(swallowed(projectFiles(bad).get('src/core/bad.ts') as ts.SourceFile)).toEqual(['src/core/bad.ts:1']);
  });

  it.each(['try { a(); } catch { b(); }', 'a().catch(() => b);', 'a().then(() => {});'])('and not on %s', (text) => {
    const good = programOf({ 'src/core/good.ts': `declare const a: any, b: any; ${text}` });
    expect(swallowed(projectFiles(good).get('src/core/good.ts') as ts.SourceFile)).toEqual([]);
  });

  it('on a name that two files export', () => {
    const file = (path: string) => [path, parsed(path, 'export const [a] = b; export class C {} class D {}')] as const;
    expect(declaredTwice([file('src/one.ts'), file('src/two.ts')])).toHaveLength(2);
    expect(declaredTwice([file('src/one.ts'), file('src/snake/index.ts')])).toEqual([]);
  });

  it('on a name that is no term', () => {
    const bad =
      'const given = 1; function f(rowsSeen: number, { a: odd }: { a: number }) {} interface A { said_by: string }';
    const names = notTerms(parsed(join(ROOT, 'bad.ts'), bad)).map((each) => each.split(' ')[1]);
    expect(names).toEqual(['given', 'rowsSeen', 'odd', 'said_by']);
    expect(notTerms(parsed(join(ROOT, 'good.ts'), 'const madera = a.given; class Lookup {}'))).toEqual([]);
  });

  it.each(["it('a', () => undefined);", "it.skipIf(b)('a', () => {});", "test.each([1])('a', async () => {});"])(
    'on %s',
    (text) => expect(emptyTests(parsed('bad.test.ts', text))).toHaveLength(1),
  );

  it('and not on a test with a body', () => {
    expect(emptyTests(parsed('good.test.ts', "it('a', () => expect(1).toBe(1)); it('b', run);"))).toEqual([]);
  });
});
