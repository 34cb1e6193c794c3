/**
 * Makes the code of dist as small as it may be without a change of what it does: comments go, and so do the sentences about
 * options, `.describe('Number of folds.')`, which are for documents and hover text. Both are in dist/types, which editors show, and
 * in the repository. Names and lines stay as they are, and in dist/node the names of the sources.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export function bareModules(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue;
    const path = join(folder, name);
    writeFileSync(path, withoutComments(withoutDescriptions(readFileSync(path, 'utf8'))));
  }
}

/** Comments that bundlers obey; licences, which go where the data go; names of the sources in dist/node. */
const KEPT = /@__PURE__|#__PURE__|@vite-ignore|webpackIgnore|\blicensed under\b|^\/\/ [\w./-]+\.ts$/;

/** @returns the code without comments, but for those of KEPT */
export function withoutComments(code) {
  if (!/\/[/*]/.test(code)) return code;
  const file = parsed(code);
  const ends = new Map();
  let keepsBlanks = false;
  const add = (ranges) => {
    for (const { pos, end } of ranges ?? []) if (!KEPT.test(code.slice(pos, end))) ends.set(pos, end);
  };
  const visit = (node) => {
    const children = node.getChildren(file);
    if (children.length > 0) return children.forEach(visit);
    // Comments stand before or after a token: a text or a regular expression with `//` in it is one token.
    add(ts.getLeadingCommentRanges(code, node.pos));
    add(ts.getTrailingCommentRanges(code, node.end));
    // Blanks and line breaks of a template are values.
    if (ts.isTemplateLiteralToken(node) && node.getText(file).includes('\n')) keepsBlanks = true;
  };
  visit(file);
  let bare = '';
  let at = 0;
  for (const [pos, end] of [...ends].sort(([a], [b]) => a - b)) {
    // A line break may end a statement, so one stays.
    bare += code.slice(at, pos) + (code.slice(pos, end).includes('\n') ? '\n' : ' ');
    at = end;
  }
  bare += code.slice(at);
  return keepsBlanks
    ? bare
    : bare
        .replace(/[ \t]+$/gm, '')
        .replace(/\n{2,}/g, '\n')
        .replace(/^\n/, '');
}

/** @returns the code without calls `.describe(text)` */
export function withoutDescriptions(code) {
  if (!code.includes('.describe(')) return code;
  const calls = [];
  const visit = (node) => {
    const described =
      ts.isCallExpression(node) && node.arguments.length === 1 && node.expression.name?.text === 'describe';
    if (described) calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(parsed(code));
  // From the end, so that places before it stay valid.
  return calls
    .map((call) => ({ start: call.expression.expression.end, end: call.end }))
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), code);
}

/** Without the syntax of JSDoc, which would be nodes between those of the code. */
const parsed = (code) =>
  ts.createSourceFile(
    'module.js',
    code,
    { languageVersion: ts.ScriptTarget.ESNext, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
    true,
  );
