/**
 * Finds the codes that errors are thrown with, by reading the sources: the `code` of `new SomeError(message, { code })`,
 * and what is passed for a parameter called `code` of a helper that throws.
 */
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @returns rows of `code`, the names of the `errors` that bear it, `must`, the first message with it, `isDefault`,
 *   whether it is the code of a class when no other is given, and by path of the `files` that raise it their first message
 */
export function errorCodes() {
  const rootNames = ['src', 'adapters'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .sort()
      .map((path) => join(ROOT, folder, path)),
  );
  const program = ts.createProgram({ rootNames, options: { noLib: true, noResolve: false, types: [] } });
  const checker = program.getTypeChecker();
  const found = new Map();
  let file;
  const add = (code, error, message, isDefault = false) => {
    const row = found.get(code) ?? { code, errors: new Set(), must: '', isDefault, files: {} };
    row.errors.add(error);
    row.files[relative(ROOT, file).split(sep).join('/')] ||= message;
    row.must ||= message;
    found.set(code, row);
  };
  for (const name of rootNames) {
    file = name;
    visit(program.getSourceFile(name));
  }
  return [...found.values()]
    .map(({ errors, must, files, ...row }) => ({
      ...row,
      errors: [...errors].sort(),
      must: brief(must),
      files: Object.fromEntries(Object.entries(files).map(([path, message]) => [path, brief(message)])),
    }))
    .sort((a, b) => (a.code < b.code ? -1 : 1));

  function visit(node) {
    const error = ts.isNewExpression(node) ? declared(node.expression).getText() : '';
    if (isErrorName(error)) {
      const [message, options] = node.arguments ?? [];
      for (const code of codesIn(declared(options))) add(code, error, messageText(message));
    } else if (ts.isCallExpression(node)) ofHelper(node);
    else if ((ts.isBindingElement(node) || ts.isVariableDeclaration(node)) && node.name.getText() === 'code')
      ofClass(node);
    ts.forEachChild(node, visit);
  }

  /** What stands behind a name: `options` of `const options = { code: 'invalid_predictions' }`, or the default of a parameter. */
  function declared(node) {
    if (!node || !ts.isIdentifier(node)) return node;
    return checker.getSymbolAtLocation(node)?.valueDeclaration?.initializer ?? node;
  }

  /** The code that a class has when none is given: `{ code = 'invalid_data' }`, or `const code = cause ? cause.code : 'fold'`. */
  function ofClass({ initializer, parent }) {
    const name = enclosing(parent, ts.isClassDeclaration)?.name.text;
    if (!name || !isErrorName(name) || !initializer) return;
    for (const code of texts(initializer)) add(code, name, '', true);
  }

  /** A call such as `refuse(must, got, 'same_folds')`, or `super(message, { code: 'leakage' })`. */
  function ofHelper(call) {
    if (call.expression.kind === ts.SyntaxKind.SuperKeyword) {
      const { name } = enclosing(call, ts.isClassDeclaration) ?? {};
      if (!name || !isErrorName(name.text)) return;
      for (const code of codesIn(call.arguments.at(-1))) add(code, name.text, '', true);
      return;
    }
    const helper = checker.getResolvedSignature(call)?.declaration;
    if (helper?.parameters?.some((each) => ts.isObjectBindingPattern(each.name))) {
      const error = thrownBy(helper);
      if (error) for (const code of call.arguments.flatMap(codesIn)) add(code, error, '');
    }
    const at = helper?.parameters?.findIndex((each) => each.name.getText() === 'code') ?? -1;
    if (at < 0 || !call.arguments[at]) return;
    const error = thrownBy(helper);
    const given = (name) =>
      messageText(call.arguments[helper.parameters.findIndex((each) => each.name.getText() === name)]);
    const message = given('message') || (given('must') && `${given('subject') || '…'} must ${given('must')}.`);
    if (error) for (const code of texts(call.arguments[at])) add(code, error, message);
  }

  /** A message as it is written, with `…` for what is filled in; empty where it is made elsewhere. */
  function messageText(written) {
    const node = declared(written);
    if (!node) return '';
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isTemplateExpression(node)) {
      return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
    }
    if (ts.isBinaryExpression(node)) return messageText(node.left) + messageText(node.right);
    if (ts.isCallExpression(node) && node.expression.getText() === 'sentence') {
      const [subject, must] = node.arguments.map(messageText);
      return must ? `${subject || '…'} must ${must}.` : '';
    }
    return '';
  }
}

/** What is filled in, once. */
const brief = (message) => message.replace(/…[ …]*…/g, '…');

/** `TrialPruned` has the name that users of Optuna know. */
const isErrorName = (name) =>
  name === 'TrialPruned' || (/^[A-Z]\w*Error$/.test(name) && !['Error', 'TypeError', 'RangeError'].includes(name));

/** The values of `code` in an object literal. */
function codesIn(options) {
  if (!options || !ts.isObjectLiteralExpression(options)) return [];
  const code = options.properties.find((each) => ts.isPropertyAssignment(each) && each.name.getText() === 'code');
  return code ? texts(code.initializer) : [];
}

/** What a literal, a template or a choice of these can be; what a template fills in reads `*`. */
function texts(node) {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return [node.head.text + node.templateSpans.map(({ literal }) => `*${literal.text}`).join('')];
  }
  return ts.isConditionalExpression(node) ? [...texts(node.whenTrue), ...texts(node.whenFalse)] : [];
}

/** Name of the error class that a helper makes, also where it is a parameter with a default. */
function thrownBy(helper) {
  let name;
  const look = (node) => {
    if (ts.isNewExpression(node)) {
      const made = node.expression.getText();
      const given = helper.parameters.find((each) => each.name.getText() === made);
      if (given?.initializer) name ??= given.initializer.getText();
      else if (isErrorName(made)) name ??= made;
    }
    ts.forEachChild(node, look);
  };
  if (helper.body) look(helper.body);
  return name;
}

function enclosing(node, is) {
  for (let at = node.parent; at; at = at.parent) if (is(at)) return at;
  return undefined;
}
