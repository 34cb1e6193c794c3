/** The names that a program uses and does not declare, in the order of their first use. */
import ts from 'typescript';

export function freeNames(code) {
  const file = ts.createSourceFile('example.mjs', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const declared = new Set();
  const used = new Set();
  const visit = (node) => {
    if (ts.isIdentifier(node)) (declares(node) ? declared : isReference(node) ? used : new Set()).add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...used].filter((name) => !declared.has(name) && !(name in globalThis));
}

/** It is the name that a declaration, a parameter or an import gives. */
const declares = (node) =>
  node.parent.name === node && !isProperty(node.parent) && !ts.isShorthandPropertyAssignment(node.parent);

const isProperty = (node) =>
  [ts.isPropertyAccessExpression, ts.isPropertyAssignment, ts.isMethodDeclaration, ts.isPropertyDeclaration].some(
    (is) => is(node),
  );

/** It stands for a value: no property, and no other name that a pattern takes apart. */
const isReference = ({ parent, ...node }) =>
  !(isProperty(parent) && parent.name?.pos === node.pos) && parent.propertyName?.pos !== node.pos;
