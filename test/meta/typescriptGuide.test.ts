/** The programs of docs/typescript.md: no error under strict flags with libraries checked, and they run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { needDist } from './dist.js';
import { type Printed, runAll } from './pagePrograms.js';
import { ROOT } from './program.js';

const page = readFileSync(join(ROOT, 'docs/typescript.md'), 'utf8');
const programs = [...page.matchAll(/^```ts\n([\s\S]*?)\n```$/gm)].map(([, code]) => code);
const wrong = `import { type ValidatorOptions } from 'cvkit';\nexport const settings: ValidatorOptions = { splits: 5 };`;

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  types: [],
};

let folder: string;
let problems: Map<string, string[]>;
let printed: Map<string, Printed>;

const javascriptOf = (code: string) =>
  ts.transpileModule(code, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } })
    .outputText;

beforeAll(() => {
  needDist();
  // Below the project, whose package they import by its name.
  folder = mkdtempSync(join(ROOT, 'test/meta/typescript-'));
  const files = [...programs, wrong].map((code, at) => {
    const path = join(folder, `program${at}.mts`);
    writeFileSync(path, code);
    return path;
  });
  const program = ts.createProgram(files, OPTIONS);
  const found = ts.getPreEmitDiagnostics(program);
  problems = new Map(
    files.map((path, at) => [
      [...programs, wrong][at],
      found
        .filter(({ file }) => file === program.getSourceFile(path))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
    ]),
  );
  // Of the libraries.
  const others = found.filter(({ file }) => !file?.fileName.includes('/test/meta/typescript-'));
  expect(others.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([]);
  printed = runAll(programs.map(javascriptOf));
}, 280_000);
afterAll(() => rmSync(folder, { recursive: true }));

it('has programs', () => expect(programs.length).toBeGreaterThan(4));

it.each(programs)('is compiled and runs: %s', (code) => {
  expect(problems.get(code)).toEqual([]);
  const { error, printed: text } = printed.get(javascriptOf(code)) as Printed;
  expect(error).toBeUndefined();
  expect(text).not.toBe('');
  expect(text).not.toContain('undefined');
});

it('and one that is wrong is seen', () => {
  expect(problems.get(wrong)?.join()).toContain("'splits' does not exist");
});
