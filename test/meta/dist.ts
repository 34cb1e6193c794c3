/** What is in dist: the tests that read it run after the build, as `npm test` does. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { npm as npmIn } from '../../scripts/npm.mjs';
import { ROOT, walk } from './program.js';

export const DIST = join(ROOT, 'dist');

/** The package.json of this package, or of one in node_modules. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of a package
export const packageJson = (name?: string): any =>
  JSON.parse(readFileSync(join(ROOT, name ? `node_modules/${name}` : '.', 'package.json'), 'utf8'));

/** Throws with what to do when nothing has been built. */
export function needDist(): void {
  // The last file that a build writes.
  if (!existsSync(join(DIST, 'node/index.js'))) {
    throw new Error('dist is missing or incomplete: run npm run build first');
  }
}

/** Runs npm, by default here; gives what it prints. */
export const npm = (args: readonly string[], cwd = ROOT): string => npmIn(args, cwd);

export interface Packed {
  readonly filename: string;
  /** Bytes of the archive. */
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** What `npm pack` makes of this folder, without making it. */
export const packed = (): Packed => JSON.parse(npm(['pack', '--dry-run', '--json', '--offline']))[0];

/** Files that pages name and that the package leaves out: they are on the site and in the repository. */
export const LEFT_OUT =
  /^docs\/(images|public|\.vitepress)\/|^docs\/reference\/(?!errors)|^docs\/(coverage(-scenarios)?|leakage-benchmark|leakage-peers)\./;

interface Imports {
  readonly static: string[];
  readonly dynamic: string[];
}

/** A JavaScript file as the compiler reads it. */
export function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ESNext, true);
}

function importsOf(file: ts.SourceFile): Imports {
  const found: Imports = { static: [], dynamic: [] };
  walk(file, (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      found.static.push((node.moduleSpecifier as ts.StringLiteral).text);
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      found.dynamic.push(ts.isStringLiteralLike(specifier) ? specifier.text : '?');
    }
  });
  return found;
}

/** Files that load with `entry`, and what they import from outside. `lazy` follows dynamic imports, too. */
export function graphOf(entry: string, { lazy = false } = {}): { files: string[]; packages: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    const imports = importsOf(parse(path));
    for (const specifier of [...imports.static, ...(lazy ? imports.dynamic : [])]) {
      if (specifier.startsWith('.')) visit(resolve(dirname(path), specifier));
      else packages.add(specifier);
    }
  };
  visit(entry);
  return { files: [...files], packages: [...packages].sort() };
}

/** Where `import` of a package leads, by its exports. */
export function entryOf(name: string): string {
  const { exports, module, main } = packageJson(name);
  const row = exports?.['.'];
  const target = row?.import?.default ?? row?.import ?? row?.default ?? module ?? main;
  return join(ROOT, 'node_modules', name, target);
}

/** Places of `await` outside any function. */
export function topLevelAwaits(file: ts.SourceFile): number[] {
  const found: number[] = [];
  walk(file, (node) => {
    const awaits = ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined);
    if (awaits && !ts.findAncestor(node, ts.isFunctionLike)) found.push(node.getStart());
  });
  return found;
}
