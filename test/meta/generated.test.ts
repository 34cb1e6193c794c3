/** The documents for people and machines (`.ci/run` asks whether they are fresh): complete, of the promised shape, and every example in them runs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { balanceChecks, leakageChecks } from '../../src/checkers/builtInChecks.js';
import { BACKEND_NAMES } from '../../src/core/knownNames.js';
import * as root from '../../src/index.js';
import { intervalMethodNames } from '../../src/intervals/methodNames.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { splitterRegistry } from '../../src/splitters/registry.js';
import { outputs, type Printed, programs, runAll, timeless } from './pagePrograms.js';
import { ROOT } from './program.js';

interface Param {
  readonly name: string;
  readonly spec_name: string;
  readonly type: string;
  readonly default?: unknown;
  readonly required?: true;
}

interface Method {
  readonly name: string;
  readonly spec_name: string;
  readonly description: string;
  readonly keyword_only?: true;
  readonly params: readonly Param[];
  readonly returns: string;
}

interface ClassRow {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly constructor: { readonly params: readonly Param[] };
  readonly methods: readonly Method[];
}

interface SplitterRow {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly params: readonly Param[];
}

interface Schema {
  readonly classes: readonly ClassRow[];
  readonly splitters: Readonly<Record<string, readonly SplitterRow[]>>;
  readonly datasets: readonly { readonly name: string }[];
  readonly examples: readonly { readonly title: string; readonly code: string }[];
}

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const schema = JSON.parse(textOf('api-schema.json')) as Schema;
const splitters = Object.values(schema.splitters).flat();
const pages = ['README.md', ...readdirSync(join(ROOT, 'docs'), { recursive: true }).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith('.md'))
  // Those of the reference are run by its own test.
  .filter((path) => !path.startsWith('docs/reference/') || path === 'docs/reference/errors.md');

describe('api-schema.json', () => {
  const exported = Object.entries(root).filter(([, value]) => isClass(value)) as [string, { prototype: object }][];
  const rowOf = (name: string) =>
    [...schema.classes, ...splitters].find((row) => row.name === name || row.aliases?.includes(name));

  it('has a row for every class that the package exports', () => {
    expect(exported.length).toBeGreaterThan(15);
    expect(exported.map(([name]) => name).filter((name) => !rowOf(name))).toEqual([]);
  });

  it('lists every public method of these classes', () => {
    // Splitters share two methods, which the reference gives once; their rows hold options alone.
    for (const [name, { prototype }] of exported.filter(([name]) => schema.classes.includes(rowOf(name) as ClassRow))) {
      const listed = (rowOf(name) as ClassRow).methods.map((method) => method.name);
      expect(
        publicMethods(prototype).filter((method) => !listed.includes(method)),
        name,
      ).toEqual([]);
    }
  });

  it('describes every method', () => {
    const bare = schema.classes.flatMap(({ name, methods }) =>
      methods.filter(({ description }) => description === '').map((method) => `${name}.${method.name}`),
    );
    expect(bare).toEqual([]);
  });

  it('has every splitter and data set', () => {
    expect(schema).toMatchObject({ name: 'cvkit', version: root.VERSION, pypi: '', python_requires: '' });
    expect(splitters.map(({ name }) => name).sort()).toEqual(splitterRegistry.names().sort());
    expect(schema.datasets.map(({ name }) => name).sort()).toEqual([
      'generateSyntheticEhr',
      'generateTemporalPatientData',
      'loadCancerImaging',
      'loadDiabeticReadmission',
      'loadHeartDisease',
    ]);
  });

  it('says of a parameter that it is required, or what it is when left out, never both', () => {
    const methods = schema.classes.flatMap((row) => row.methods);
    const lists = [
      ...schema.classes.map((row) => row.constructor.params),
      ...methods.map(({ params }) => params),
      ...splitters.map(({ params }) => params),
    ];
    for (const params of lists) {
      expect(new Set(params.map(({ name }) => name)).size).toBe(params.length);
      for (const param of params) {
        expect(param).toMatchObject({ spec_name: expect.any(String), type: expect.any(String) });
        expect('required' in param && 'default' in param, param.name).toBe(false);
      }
    }
    const byName = (name: string) => methods.find((method) => method.name === name);
    expect(byName('fitValidate')).toMatchObject({ spec_name: 'fit_validate', keyword_only: true });
    expect(byName('fitValidate')?.params).toContainEqual(
      expect.objectContaining({ name: 'XTest', spec_name: 'X_test', required: true }),
    );
    expect(byName('run')?.params).toContainEqual(expect.objectContaining({ name: 'batchSize', default: 32 }));
  });
});

describe('the tables of docs', () => {
  /** First cells of the rows of all tables of a page, without code marks and links. */
  const rowsOf = (path: string) => [...textOf(path).matchAll(/^\| (?:\[)?`?([\w.:*]+)/gm)].map(([, name]) => name);

  it.each<[string, readonly string[]]>([
    ['docs/intervals.md', intervalMethodNames],
    ['docs/checks.md', [...leakageChecks, ...balanceChecks].map(({ code }) => code)],
    ['docs/backends.md', BACKEND_NAMES],
  ])('%s has a row for every name', (path, names) => {
    expect(names.length).toBeGreaterThan(3);
    const rows = rowsOf(path);
    expect(names.filter((name) => !rows.includes(name))).toEqual([]);
  });

  it.each<[string, RegExp, readonly string[]]>([
    ['splitters', /^splitters(-\w+)?\.md$/, splitterRegistry.names()],
    ['metrics', /^metrics\.md$/, metricRegistry.names()],
  ])('the guides to %s lead to the page of every one', (folder, guide, names) => {
    const guides = readdirSync(join(ROOT, 'docs'), 'utf8').filter((path) => guide.test(path));
    const text = guides.map((path) => textOf(`docs/${path}`)).join('\n');
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !text.includes(`(reference/${folder}/${name}.md)`))).toEqual([]);
  });

  it('docs/reference/errors.md has every code that is written in the sources', () => {
    const sources = ['src', 'adapters'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => textOf(`${folder}/${name}`)),
    );
    const codes = new Set(
      sources.flatMap((text) => [...text.matchAll(/\bcode(?:: | = )'([a-z_]+)'/g)].map(([, code]) => code)),
    );
    codes.delete('implied_task'); // caught inside the runner
    codes.delete('string'); // the kind of a field of reports
    const rows = rowsOf('docs/reference/errors.md');
    expect(codes.size).toBeGreaterThan(60);
    expect([...codes].filter((code) => !rows.includes(code))).toEqual([]);
  });

  it('README.md stays short', () => {
    expect(textOf('README.md').split('\n').length).toBeLessThan(175);
  });
});

describe('examples run', () => {
  let results: Map<string, Printed>;

  const texts = pages.flatMap((path) => outputs(textOf(path)).map((each) => [path, ...each] as const));
  const inSchema = schema.examples.map(({ title, code }): [string, string] => [title, code]);
  const known = new Set(schema.examples.map(({ code }) => code));
  const onPages = pages.flatMap((path) =>
    programs(textOf(path))
      .filter((code) => !known.has(code))
      .map((code): [string, string] => [path, code]),
  );
  const wrong = `import { KFold } from 'cvkit';\nnew KFold({ splits: 5 });`;

  beforeAll(() => {
    results = runAll([...new Set([...inSchema, ...onPages].map(([, code]) => code)), wrong]);
  }, 300_000);

  it('and there are some', () => {
    expect(inSchema.length).toBeGreaterThanOrEqual(7);
    expect(onPages.length).toBeGreaterThanOrEqual(2);
    expect(texts.length).toBeGreaterThanOrEqual(3);
  });

  it.each([...inSchema, ...onPages])('%s', (_title, code) => {
    const { error, printed } = results.get(code) as Printed;
    expect(error).toBeUndefined();
    expect(printed).not.toContain('undefined');
  });

  it.each(texts)('%s prints what the page says (%s)', (_path, _line, code, text) => {
    expect(timeless((results.get(code) as Printed).printed)).toBe(timeless(text));
  });

  it('and one that is wrong is seen', () => {
    expect(results.get(wrong)?.error).toContain('KFold has no option `splits`. Did you mean `nSplits`?');
  });
});

const isClass = (value: unknown) =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));

const publicMethods = (prototype: object) =>
  Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor' && !name.startsWith('_'))
    .map(([name]) => name);
