/**
 * In dist/modules, which pages bundle, the sentences about options become comments: `.describe('Number of folds.')` is
 * written as a comment of these words. They are for documents and hover text, which are made from the sources; a page
 * would carry 6 kB of them. Lines stay where they were, so that source maps hold.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export function descriptionsToComments(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue;
    const path = join(folder, name);
    const code = readFileSync(path, 'utf8');
    if (!code.includes('.describe(')) continue;
    const changed = withComments(code);
    if (changed !== code) writeFileSync(path, changed);
  }
}

/** @returns the code with a comment in the place of every call `.describe(text)` */
export function withComments(code) {
  const file = ts.createSourceFile('module.js', code, ts.ScriptTarget.ESNext, true);
  const calls = [];
  const visit = (node) => {
    const described =
      ts.isCallExpression(node) && node.arguments.length === 1 && node.expression.name?.text === 'describe';
    if (described) calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  // From the end, so that places before it stay valid.
  return calls
    .map((call) => ({ start: call.expression.expression.end, end: call.end, text: call.arguments[0].getText(file) }))
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: said }) => {
      const gap = text.slice(start, end).split('\n').length - said.split('\n').length;
      return `${text.slice(0, start)} /* ${said.replaceAll('*/', '* /')} */${'\n'.repeat(gap)}${text.slice(end)}`;
    }, code);
}
