/** What an editor proposes for options that take names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { BACKEND_NAMES, LOSS_NAMES, OPTIMIZER_NAMES } from '../../src/core/knownNames.js';
import { ROOT } from '../meta/program.js';

const FILE = join(ROOT, 'test/types/proposals.ts');
const TEXT = `import { CVKitValidator } from '../../src/index.js';
const model = () => ({ fit: () => undefined, predict: () => [1] });
new CVKitValidator().validate({ model, X: [[1]], y: [1], adapterOptions: { backend: 'B' }, optimizer: 'O', lossFn: 'L', keepModels: 'K' });
`;

const { options } = ts.parseJsonConfigFileContent({ extends: './tsconfig.json', files: [] }, ts.sys, ROOT);
const host: ts.LanguageServiceHost = {
  ...ts.sys,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  getScriptFileNames: () => [FILE],
  getScriptVersion: () => '1',
  getScriptSnapshot: (path) => {
    const text = path === FILE ? TEXT : ts.sys.fileExists(path) ? readFileSync(path, 'utf8') : undefined;
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => ROOT,
  getCompilationSettings: () => options,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (path) => path === FILE || ts.sys.fileExists(path),
};

it('names of backends, optimizers and losses are proposed', { tags: 'slow' }, () => {
  const editor = ts.createLanguageService(host);
  const proposed = (mark: string) =>
    editor.getCompletionsAtPosition(FILE, TEXT.indexOf(`'${mark}'`) + 1, {})?.entries.map(({ name }) => name);
  expect(proposed('B')).toEqual(['auto', ...BACKEND_NAMES]);
  expect(proposed('O')).toEqual(OPTIMIZER_NAMES);
  expect(proposed('L')).toEqual(LOSS_NAMES);
  expect(proposed('K')).toEqual(['none', 'memory', 'save']);
});
