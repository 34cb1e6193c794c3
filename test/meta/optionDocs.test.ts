/** What an editor shows of the published types: hover text of options, proposals for names, and no foreign type. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { tables } from '../../scripts/generate/tables.mjs';
import { DIST, needDist, packageJson } from './dist.js';
import { ROOT } from './program.js';

const TYPES = join(DIST, 'types');
const USER = join(ROOT, 'user.ts');
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  skipLibCheck: false,
  types: [],
  paths: {
    cvkit: [join(TYPES, 'src/index.d.ts')],
  },
};

/** An editor with one file of a user open in it. */
function editorOf(text: string) {
  const host: ts.LanguageServiceHost = {
    getScriptFileNames: () => [USER],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const found = name === USER ? text : ts.sys.readFile(name);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => ROOT,
    getCompilationSettings: () => OPTIONS,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === USER || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
  };
  const service = ts.createLanguageService(host);
  return {
    hover(word: string) {
      const info = service.getQuickInfoAtPosition(USER, text.indexOf(word));
      const tags = (info?.tags ?? []).map(({ name, text: parts }) => `@${name} ${ts.displayPartsToString(parts)}`);
      return {
        type: ts.displayPartsToString(info?.displayParts),
        text: [ts.displayPartsToString(info?.documentation), ...tags].join('\n'),
      };
    },
    proposals: (before: string) =>
      service
        .getCompletionsAtPosition(USER, text.indexOf(before) + before.length, {})
        ?.entries.map(({ name }) => name) ?? [],
    problems: () => {
      const program = service.getProgram() as ts.Program;
      return ts
        .getPreEmitDiagnostics(program)
        .filter(({ file }) => !file || file.fileName === USER || file.fileName.startsWith(TYPES))
        .map(
          ({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
        );
    },
  };
}

beforeAll(needDist);

describe('an editor with the published types', () => {
  const editor = editorOf(`
    import { CVKitValidator, KFold, StratifiedGroupKFold, UniversalCVRunner, type Splitter } from 'cvkit';
    const X = [[1], [2], [3], [4]];
    const y = [0, 1, 0, 1];
    for (const [train, test] of new KFold({ nSplits: 2 }).split(X, y)) { const rows: Int32Array = train; test.at(rows[0]); }
    new KFold().getNSplits(null);
    const pairs: Splitter = { split: () => [[[0], [1]]], getNSplits: () => 1 };
    const validator = new CVKitValidator({ method: 'loocv', metrics: ['roc_auc', 'my_own'], cv: 5 });
    const runner = new UniversalCVRunner({ cvSplitter: pairs, adapterOptions: { backend: 'wasm' } });
    const model = { fit: () => {}, predict: () => [0] };
    runner.run({ model, data: { X, y, groups: null }, optimizer: 'adam', lossFn: 'binaryCrossentropy' });
    validator.validate({ model, X, y, groups: null, scoring: { area: 'roc_auc' } });
    new StratifiedGroupKFold({ randomState: null });
  `);

  it('finds nothing wrong under --strict, without skipLibCheck', () => {
    expect(editor.problems()).toEqual([]);
  });

  it('shows the sentence, the range and the default of an option', () => {
    const { type, text } = editor.hover('nSplits: 2');
    expect(type).toBe('(property) nSplits?: number | null | undefined');
    expect(text).toBe('Number of folds.\nMust be an integer >= 2.\n@default 5');
  });

  it('proposes names, and lets others pass', () => {
    expect(editor.proposals("method: '")).toEqual(expect.arrayContaining(['loocv', 'patient_grouped_kfold']));
    expect(editor.proposals("metrics: ['")).toEqual(expect.arrayContaining(['roc_auc', 'balanced_accuracy']));
    expect(editor.proposals("area: '")).toEqual(expect.arrayContaining(['roc_auc']));
    expect(editor.proposals("optimizer: '")).toEqual(expect.arrayContaining(['adam', 'sgd']));
    expect(editor.proposals("lossFn: '")).toEqual(expect.arrayContaining(['binaryCrossentropy']));
    expect(editor.proposals("backend: '")).toEqual(expect.arrayContaining(['wasm', 'tensorflow']));
  });

  it('does not know options in snake_case', () => {
    const { problems } = editorOf("import { KFold } from 'cvkit'; new KFold({ n_splits: 5 });");
    expect(problems()).toEqual([expect.stringContaining("'n_splits' does not exist")]);
  });
});

describe('the published declarations', () => {
  const files = () =>
    readdirSync(TYPES, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.d.ts'))
      .map((path) => [path, readFileSync(join(TYPES, path), 'utf8')]);

  it('have a text, the range and the default for every option of every table', () => {
    const all = files();
    expect(all.filter(([, text]) => /= InputOf<typeof \w+>;/.test(text)).map(([path]) => path)).toEqual([]);
    const declared = all.map(([, text]) => text).join('\n');
    for (const table of tables.values()) {
      for (const [name, { description, must }] of Object.entries(table.shape)) {
        if (table.owner === 'tfjsAdapter' || table.owner === 'fromDataset') continue; // read from a record
        expect(description, `${table.owner}.${name}`).not.toBe('');
        expect(declared.includes(`     * ${description}\n     * Must ${must}.\n`), `${table.owner}.${name}`).toBe(true);
      }
    }
  });

  it('lead from the entries to no type of another package but the one that comes with it', () => {
    const program = ts.createProgram({ rootNames: entries(), options: OPTIONS });
    const foreign = program.getSourceFiles().filter((file) => program.isSourceFileFromExternalLibrary(file));
    const packages = foreign.map(({ fileName }) => fileName.replace(/.*node_modules\/((@[^/]+\/)?[^/]+)\/.*/, '$1'));
    expect([...new Set(packages)]).toEqual(['eventemitter3']);
  });
});

/** The declarations of all entries of the package. */
const entries = () =>
  Object.values<{ types?: string }>(packageJson().exports).flatMap(({ types }) => (types ? [join(ROOT, types)] : []));
