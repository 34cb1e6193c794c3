/** The two doors: only foldsOf splits, only runFold builds, fits and predicts. Asked of the type checker. */
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { placeOf, programOf, projectFiles, walk } from './program.js';

interface Door {
  /** The interface whose methods are guarded, and where it is declared. */
  readonly type: string;
  readonly declaredIn: string;
  readonly methods: readonly string[];
  /** The one file that may use them. */
  readonly file: string;
}

const DOORS: readonly Door[] = [
  {
    type: 'Splitter',
    declaredIn: 'src/splitters/splitter.ts',
    methods: ['split'],
    file: 'src/splitters/foldsOf.ts',
  },
  {
    type: 'FrameworkAdapter',
    declaredIn: 'src/runner/frameworkAdapter.ts',
    methods: ['build', 'fit', 'predict'],
    file: 'src/runner/runFold.ts',
  },
];

/** Uses outside the doors, each with its reason. */
const EXCEPTIONS: { file: string; method: string; reason: string }[] = ['build', 'fit', 'predict'].map((method) => ({
  file: 'src/runner/withPreprocessing.ts',
  method,
  reason: 'an adapter around another one, which runFold calls in its place',
}));

/**
 * Every use of a guarded method outside its door: calls, and taking the method off its object (to call it later), by
 * `.`, by `[]` or by destructuring. Asking whether it is there (`typeof x.split`, `isFunction(x.split)`) is no use.
 */
function uses(program: ts.Program): string[] {
  const checker = program.getTypeChecker();
  const files = projectFiles(program);
  const found: string[] = [];
  for (const door of DOORS) {
    const guarded = typeNamed(door, files, checker);
    for (const [path, file] of files) {
      if (path === door.file) continue;
      walk(file, (node) => {
        const taken = takenMember(node);
        if (!taken || !door.methods.includes(taken.name) || isAsked(node, checker)) return;
        if (EXCEPTIONS.some((row) => row.file === path && row.method === taken.name)) return;
        if (isOf(guarded, receiverType(taken.from, checker), checker)) {
          found.push(`${placeOf(node)}: \`${taken.name}\` of a ${door.type} is used in ${door.file} only`);
        }
      });
    }
  }
  return found;
}

/** The member that an expression or a binding takes off an object; `from` is the object or the binding pattern. */
function takenMember(node: ts.Node): { name: string; from: ts.Node } | undefined {
  if (ts.isPropertyAccessExpression(node)) return { name: node.name.text, from: node.expression };
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return { name: node.argumentExpression.text, from: node.expression };
  }
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
    const name = node.propertyName ?? node.name;
    if (ts.isIdentifier(name) || ts.isStringLiteral(name)) return { name: name.text, from: node.parent };
  }
  return undefined;
}

/** `typeof` before it, or an argument of a function that answers yes or no. */
function isAsked(node: ts.Node, checker: ts.TypeChecker): boolean {
  const { parent } = node;
  if (ts.isTypeOfExpression(parent)) return true;
  if (!ts.isCallExpression(parent) || parent.expression === node) return false;
  const answer = checker.getResolvedSignature(parent)?.getReturnType();
  return answer !== undefined && (answer.flags & ts.TypeFlags.BooleanLike) !== 0;
}

const receiverType = (node: ts.Node, checker: ts.TypeChecker) =>
  checker.getNonNullableType(checker.getTypeAtLocation(node));

/** True for the interface, classes that implement it, and unions and type parameters that hold one of these. */
function isOf(guarded: ts.Type, type: ts.Type, checker: ts.TypeChecker): boolean {
  // `any` says nothing about what it holds: models of users are `any`, and adapters call their fit and predict.
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return false;
  if (type.isUnion()) return type.types.some((part) => isOf(guarded, part, checker));
  if (type.flags & ts.TypeFlags.TypeParameter) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint !== undefined && constraint !== type && isOf(guarded, constraint, checker);
  }
  return checker.isTypeAssignableTo(type, guarded);
}

function typeNamed(door: Door, files: Map<string, ts.SourceFile>, checker: ts.TypeChecker): ts.Type {
  const file = files.get(door.declaredIn);
  const declaration = file?.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === door.type,
  ) as ts.InterfaceDeclaration | undefined;
  if (!declaration) throw new Error(`${door.declaredIn} declares no interface ${door.type}`);
  return checker.getTypeAtLocation(declaration.name);
}

const HEAD = `
  import type { Splitter } from '../splitters/splitter.js';
  import { KFold } from '../splitters/iid/kFold.js';
  import type { FrameworkAdapter } from '../runner/frameworkAdapter.js';
`;

/** Uses that have to be found, and code that is none, each in a file of its own. */
const BAD: Readonly<Record<string, string>> = {
  'the interface': 'export const bad = (s: Splitter) => s.split(10);',
  'a class': 'export const bad = () => [...new KFold().split(10)];',
  'a class of its own': 'class Own extends KFold {} export const bad = () => new Own().split(10);',
  'optional chaining': 'export const bad = (s?: Splitter) => s?.split(10);',
  brackets: `export const bad = (s: Splitter) => s['split'](10);`,
  'a union': 'export const bad = (s: Splitter | string) => s.split("10" as never);',
  'a type parameter': 'export const bad = <S extends Splitter>(s: S) => s.split(10);',
  'a method taken off': 'export const bad = (s: Splitter) => { const { split } = s; return split(10); };',
  'a renamed method': 'export const bad = ({ split: cut }: Splitter) => cut(10);',
  'a method handed on': 'declare const run: (f: unknown) => void; export const bad = (s: Splitter) => run(s.split);',
  'a bound method': 'export const bad = (s: Splitter) => s.split.bind(s);',
  build: 'export const bad = (a: FrameworkAdapter) => a.build({}, {} as never);',
  fit: 'export const bad = (a: FrameworkAdapter) => a.fit({}, {} as never, {} as never, {} as never);',
  predict: 'export const bad = (a: FrameworkAdapter) => a.predict({}, {} as never, {} as never);',
  'a narrowed adapter': 'export const bad = (a: FrameworkAdapter & { x: 1 }) => a.predict({}, 0 as never, 0 as never);',
};
const GOOD: Readonly<Record<string, string>> = {
  text: `export const good = 'a b'.split(' ');`,
  'a question': `export const good = (s: Splitter) => typeof s.split === 'function';`,
  'a question to a function':
    'declare const is: (f: unknown) => boolean; export const good = (s: Splitter) => is(s.split);',
  'another method': 'export const good = (s: Splitter) => s.getNSplits(10);',
  'a model of the user': 'export const good = (m: any) => m.fit([], []).predict([]);',
  'something else that fits': 'export const good = (m: { fit(X: number[]): void }) => m.fit([1]);',
  'a model with fit and predict': 'export const good = (m: { fit(): void; predict(): void }) => m.predict();',
};
const pathOf = (what: string) => `src/checkers/planted ${what}.ts`;

/** One program for the package and all that is planted in it: checking the types of a second one takes as long again. */
const program = programOf(
  Object.fromEntries(Object.entries({ ...BAD, ...GOOD }).map(([what, text]) => [pathOf(what), HEAD + text])),
);
const found = uses(program);
const foundIn = (what: string) => found.filter((use) => use.startsWith(`${pathOf(what)}:`));

describe('the two doors', () => {
  it('only foldsOf splits, only runFold builds, fits and predicts', () => {
    expect(found.filter((use) => !use.startsWith(pathOf('').slice(0, -3)))).toEqual([]);
  });

  it('are used at all', () => {
    for (const door of DOORS) {
      const text = projectFiles(program).get(door.file)?.text ?? '';
      for (const method of door.methods) expect(text).toContain(`.${method}(`);
    }
  });
});

describe('this test can fail', () => {
  it.each(Object.keys(BAD))('on %s', (what) => {
    expect(foundIn(what)).toEqual([
      expect.stringMatching(/\.ts:5: `(split|build|fit|predict)` of a (Splitter|FrameworkAdapter)/),
    ]);
  });

  it.each(Object.keys(GOOD))('and not on %s', (what) => {
    expect(foundIn(what)).toEqual([]);
  });
});
