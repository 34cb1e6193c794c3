/** What imports what, by the module resolution of the compiler: static, type-only and dynamic imports. */
import ts from 'typescript';
import { placeOf, projectFiles, projectPath, walk } from './program.js';

export interface Arrow {
  /** Project path of the importing file. */
  readonly from: string;
  /** Project path, the specifier of a package, or `?` when only running the code would tell. */
  readonly to: string;
  readonly kind: 'static' | 'type' | 'dynamic';
  /** File and line. */
  readonly place: string;
}

/** All imports of the files of src and adapters. */
export function importGraph(program: ts.Program): Arrow[] {
  const arrows: Arrow[] = [];
  for (const [from, file] of projectFiles(program)) {
    walk(file, (node) => {
      const found = importOf(node);
      if (found) {
        const to = found.specifier === undefined ? '?' : target(found.specifier, file, program);
        arrows.push({ from, to, kind: found.kind, place: placeOf(node) });
      }
    });
  }
  return arrows;
}

function importOf(node: ts.Node): { specifier: string | undefined; kind: Arrow['kind'] } | undefined {
  if (ts.isImportDeclaration(node)) {
    return { specifier: textOf(node.moduleSpecifier), kind: isTypeOnly(node.importClause) ? 'type' : 'static' };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    return { specifier: textOf(node.moduleSpecifier), kind: isTypeOnlyExport(node) ? 'type' : 'static' };
  }
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    return { specifier: textOf(node.moduleReference.expression), kind: node.isTypeOnly ? 'type' : 'static' };
  }
  if (ts.isImportTypeNode(node)) {
    return {
      specifier: ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : undefined,
      kind: 'type',
    };
  }
  if (ts.isCallExpression(node)) {
    const requires = ts.isIdentifier(node.expression) && node.expression.text === 'require';
    if (requires || node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      return { specifier: textOf(node.arguments[0]), kind: requires ? 'static' : 'dynamic' };
    }
  }
  return undefined;
}

const textOf = (node: ts.Node): string | undefined => (ts.isStringLiteralLike(node) ? node.text : undefined);

/** `import type ...`, or nothing but `type` names in the braces. */
function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  return !clause.name && names !== undefined && ts.isNamedImports(names) && allTypes(names.elements);
}

function isTypeOnlyExport(node: ts.ExportDeclaration): boolean {
  const names = node.exportClause;
  return node.isTypeOnly || (names !== undefined && ts.isNamedExports(names) && allTypes(names.elements));
}

const allTypes = (names: ts.NodeArray<ts.ImportSpecifier | ts.ExportSpecifier>) =>
  names.length > 0 && names.every((name) => name.isTypeOnly);

function target(specifier: string, file: ts.SourceFile, program: ts.Program): string {
  if (!specifier.startsWith('.')) return specifier;
  const host: ts.ModuleResolutionHost = {
    fileExists: (path) => program.getSourceFile(path) !== undefined || ts.sys.fileExists(path),
    readFile: ts.sys.readFile,
  };
  const { resolvedModule } = ts.resolveModuleName(
    specifier,
    file.fileName,
    program.getCompilerOptions(),
    host,
    undefined,
    undefined,
    file.impliedNodeFormat,
  );
  return resolvedModule ? projectPath(resolvedModule.resolvedFileName) : specifier;
}
