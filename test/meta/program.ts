/** The package as the TypeScript compiler sees it, with files of a test laid over it. */
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** Path below the project, with forward slashes. */
export const projectPath = (path: string): string => relative(ROOT, path).split(sep).join('/');

const config = ts.getParsedCommandLineOfConfigFile(resolve(ROOT, 'tsconfig.json'), undefined, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (problem) => {
    throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'));
  },
}) as ts.ParsedCommandLine;

let previous: ts.Program | undefined;

/**
 * The program of src and adapters.
 *
 * @param overlay text by project path: files that exist only here, or here in another form
 */
export function programOf(overlay: Readonly<Record<string, string>> = {}): ts.Program {
  if (previous && Object.keys(overlay).length === 0) return previous;
  const laid = new Map(Object.entries(overlay).map(([path, text]) => [resolve(ROOT, path), text]));
  const host = ts.createCompilerHost(config.options, true);
  const { fileExists, readFile, getSourceFile, directoryExists } = host;
  host.fileExists = (path) => laid.has(resolve(path)) || fileExists(path);
  host.readFile = (path) => laid.get(resolve(path)) ?? readFile(path);
  host.directoryExists = (path) =>
    [...laid.keys()].some((file) => dirname(file) === resolve(path)) || (directoryExists?.(path) ?? true);
  host.getSourceFile = (path, ...rest) => {
    const text = laid.get(resolve(path));
    if (text !== undefined) return ts.createSourceFile(path, text, rest[0], true);
    // Unchanged files are taken from the program before, which makes an overlay cheap.
    return previous?.getSourceFile(path) ?? getSourceFile.call(host, path, ...rest);
  };
  const roots = config.fileNames.filter((path) => /^(src|adapters)\//.test(projectPath(path)));
  const program = ts.createProgram({
    rootNames: [...new Set([...roots.map((path) => resolve(path)), ...laid.keys()])],
    options: config.options,
    host,
  });
  if (laid.size === 0) previous ??= program;
  return program;
}

/** The files of src and adapters in a program, by project path. */
export function projectFiles(program: ts.Program): Map<string, ts.SourceFile> {
  const files = program.getSourceFiles().map((file): [string, ts.SourceFile] => [projectPath(file.fileName), file]);
  return new Map(files.filter(([path]) => /^(src|adapters)\//.test(path)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Calls `visit` for a node and everything below it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** `src/core/rows.ts:12`, as editors understand it. */
export function placeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  return `${projectPath(file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}
