import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import * as root from '../../src/index.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { TIMED_METRICS } from '../../src/metrics/timed/timedMetrics.js';
import { splitterRegistry } from '../../src/splitters/registry.js';
import { ROOT } from './program.js';

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const schema = JSON.parse(textOf('api-schema.json'));
const KB = 1024;

describe('api-schema.json', () => {
  const validate = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true }).compile(
    JSON.parse(textOf('docs/api-schema.schema.json')),
  );

  it('is what its JSON Schema says, every parameter described', () => {
    expect(validate(schema), JSON.stringify(validate.errors?.slice(0, 5))).toBe(true);
    expect(schema.$schema).toBe('./docs/api-schema.schema.json');
  });

  it.each<[string, (copy: typeof schema) => void]>([
    ['a key is missing', (copy) => delete copy.metrics],
    ['a key is new', (copy) => (copy.extra = 1)],
    ['a parameter has no description', (copy) => delete copy.classes[0].constructor.params[0].description],
    ['a parameter is required and has a default', (copy) => (copy.classes[0].constructor.params[0].required = true)],
    ['a method has no snake_case name', (copy) => delete copy.classes[0].methods[0].spec_name],
    ['a family is unknown', (copy) => (copy.splitters.other = copy.splitters.iid)],
    ['a code is none', (copy) => (copy.checks[0].code = 'L1')],
    ['examples are too few', (copy) => copy.examples.splice(2)],
  ])('is refused where %s', (_what, change) => {
    const copy = structuredClone(schema);
    change(copy);
    expect(validate(copy)).toBe(false);
  });

  it('has every function, and every metric and check by name', () => {
    const functions = [...schema.functions, ...schema.datasets].map(({ name }: { name: string }) => name);
    const exported = Object.entries(root)
      .filter(([, value]) => typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value)))
      .map(([name]) => name);
    // A second name for `defineMetric`.
    expect(exported.filter((name) => !functions.includes(name))).toEqual(['registerMetric']);
    const metrics = schema.metrics.map(({ name }: { name: string }) => name);
    expect(metrics.slice(0, metricRegistry.names().length)).toEqual(metricRegistry.names());
    // Those that are registered with the first data of their kind.
    expect(metrics).toEqual(expect.arrayContaining([...TIMED_METRICS.map(({ name }) => name), 'brier_at_t', 'hd95']));
    expect(schema.checks.length).toBeGreaterThanOrEqual(13);
    expect(schema.split.map(({ name }: { name: string }) => name)).toEqual(['split', 'getNSplits']);
  });

  it('names the fields of results', () => {
    const fieldsOf = (list: string, owner: string): string[] =>
      schema[list]
        .find(({ name }: { name: string }) => name === owner)
        .fields.map(({ spec_name }: { spec_name: string }) => spec_name);
    expect(fieldsOf('classes', 'ValidationResult')).toContain('confidence_intervals');
    expect(fieldsOf('classes', 'CVResults')).toContain('mean_scores');
    expect(fieldsOf('classes', 'LeakageReport')).toEqual(
      expect.arrayContaining(['has_leakage', 'severity', 'leakage_types']),
    );
    expect(fieldsOf('types', 'Interval')).toContain('n_units');
  });

  it('tells options of a last object from what comes before them', () => {
    const method = (owner: string, called: string) =>
      schema.classes
        .find(({ name }: { name: string }) => name === owner)
        .methods.find(({ name }: { name: string }) => name === called);
    expect(method('CVKitValidator', 'validate').keyword_only).toBe(true);
    const check = method('DataLeakageChecker', 'check');
    expect(check.keyword_only).toBeUndefined();
    const places = check.params.filter(({ keyword }: { keyword?: true }) => !keyword);
    expect(places.map(({ name }: { name: string }) => name)).toEqual(['X', 'y']);
  });

  it('has the address of the repository that package.json names', () => {
    expect(JSON.parse(textOf('package.json')).repository.url).toBe(`git+${schema.repository}.git`);
  });
});

describe('api-schema.small.json', () => {
  const small = JSON.parse(textOf('api-schema.small.json'));
  const rows = Object.assign({}, ...Object.values<object>(small.entries));

  it('has at most 60 kB and says what it is', () => {
    expect(statSync(join(ROOT, 'api-schema.small.json')).size).toBeLessThanOrEqual(60_000);
    expect(small.$comment).toContain("import { NAME } from 'ENTRY'");
    expect(textOf('llms.txt')).toContain('api-schema.small.json');
  });

  it('has every name of api-schema.json with its entry, and the pictures', () => {
    const lists = ['classes', 'functions', 'datasets'].flatMap((list) => schema[list]);
    const all: { name: string; import: string }[] = [...lists, ...Object.values<never[]>(schema.splitters).flat()];
    expect(all.length).toBeGreaterThan(150);
    const missing = all.filter(({ name, import: line }) => !(name in (small.entries[line.split("'")[1]] ?? {})));
    expect(missing.map(({ name }) => name)).toEqual([]);
    expect(schema.types.filter(({ name, type }: Record<string, string>) => !type && !(name in rows))).toEqual([]);
    expect(rows.plotRoc[0]).toMatch(/^plotRoc\(source, \{/);
    for (const [list, key] of Object.entries({ metrics: 'name', ci_methods: 'name', checks: 'code' })) {
      expect(Object.keys(small[list])).toEqual(schema[list].map((row: Record<string, string>) => row[key]));
    }
  });

  it('says how each is called, with defaults, and what it does in a sentence', () => {
    expect(rows.KFold).toEqual([
      'new KFold({ nSplits = 5, shuffle = false, randomState? })',
      'K folds of equal size, the first `n % k` one row larger.',
    ]);
    for (const [name, row] of Object.entries<string | string[]>(rows)) {
      if (typeof row === 'string') continue;
      expect(row[0], name).toMatch(new RegExp(`^(new )?${name}\\b`));
      expect(row[1], name).toMatch(/\S/);
    }
  });
});

describe('the texts for assistants', () => {
  it.each([
    ['llms.txt', 5, 8],
    ['docs/llms-full.txt', 18, 24],
  ])('%s has %d to %d KB', (path, least, most) => {
    const size = statSync(join(ROOT, path)).size / KB;
    expect(size).toBeGreaterThanOrEqual(least);
    expect(size).toBeLessThanOrEqual(most);
  });

  it.each(['llms.txt', 'docs/llms-full.txt'])('%s names every splitter, metric and public class', (path) => {
    const words = new Set(textOf(path).match(/[\w.]+/g));
    const missing = (names: readonly string[]) => names.filter((name) => !words.has(name));
    expect(missing(splitterRegistry.names())).toEqual([]);
    // The full reference refers to the short one for these.
    if (path === 'llms.txt') expect(missing(metricRegistry.names())).toEqual([]);
    expect(
      missing(['CVKitValidator', 'UniversalCVRunner', 'DataLeakageChecker', 'BalanceChecker', 'ClinicalMetrics']),
    ).toEqual([]);
  });

  it('docs/llms-full.txt has every public method and function', () => {
    const text = textOf('docs/llms-full.txt');
    const functions: { name: string }[] = [...schema.functions, ...schema.datasets];
    const methods: { name: string }[] = schema.classes
      .filter(
        ({ name }: { name: string }) =>
          !/Error$|Logger$|Callback$|^EarlyStopping|Checkpoint$|Scheduler$|Plateau$/.test(name),
      )
      .flatMap((each: { methods: { name: string }[] }) => each.methods);
    const missing = [...functions, ...methods].filter(({ name }) => !new RegExp(`\\b${name}[(/]`).test(text));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('docs/llms-full.txt says of every call what api-schema.json says', () => {
    const text = textOf('docs/llms-full.txt');
    const bundles = new Map(
      [...text.matchAll(/`\.\.\.(\w+)`: ([^;]+?)(?=; `|\. *$)/gm)].map(([, name, parts]) => [name, parts.split(', ')]),
    );
    expect(bundles.size).toBeGreaterThan(10);
    /** Options with what names stand for in their place, and both sides of `XTrain/Test`. */
    const expanded = (parts: readonly string[]): string[] =>
      parts.flatMap((part) => {
        const [, bundle] = part.match(/^\.\.\.(\w+)$/) ?? [];
        if (bundle) return expanded(bundles.get(bundle) as string[]);
        const [, stem, rest] = part.match(/^(\w+)Train\/Test(.*)$/) ?? [];
        return stem ? [`${stem}Train${rest}`, `${stem}Test${rest}`] : [part];
      });
    const optionsIn = (line: string): string[] => {
      const [, inside = ''] = line.match(/\{ (.*) \}\)/) ?? [];
      // Commas within a default, `[0.1,0.25]`, have no blank after them.
      const names = expanded(inside.split(', ').filter(Boolean)).map((each) => each.replace(/[=?].*$/, ''));
      return [...new Set(names)].sort();
    };
    interface Called {
      readonly name: string;
      readonly params: readonly { readonly name: string; readonly keyword?: true }[];
      readonly keyword_only?: true;
    }
    const calls: [string, Called][] = [
      ...schema.classes.flatMap((each: { name: string; methods: Called[] }) =>
        each.methods.map((method): [string, Called] => [`.${method.name}`, method]),
      ),
      ...[...schema.functions, ...schema.datasets].map((each: Called): [string, Called] => [each.name, each]),
    ];
    let compared = 0;
    for (const [name, { params, keyword_only }] of calls) {
      const options = params
        .filter(({ keyword }) => keyword_only || keyword)
        .map((each) => each.name)
        .sort();
      if (options.length === 0) continue;
      const lines = text.split('\n').filter((line) => line.trim().startsWith(`${name}(`) && line.includes('{'));
      if (lines.length === 0) continue;
      compared++;
      expect(lines.map(optionsIn), name).toContainEqual(options);
    }
    expect(compared).toBeGreaterThan(40);
  });

  it('docs/llms-full.txt has the seven examples, and what they import', () => {
    const text = textOf('docs/llms-full.txt');
    const imports = new Set(
      [...text.matchAll(/^import \{? ?(.+?) ?\}? from /gm)].flatMap(([, names]) => names.split(', ')),
    );
    for (const { title, code } of schema.examples) {
      expect(text).toContain(`\n${title}:\n\`\`\`js\n`);
      // What several begin with stands once, before them.
      const missing = code.split('\n').filter((line: string) => !line.startsWith('import ') && !text.includes(line));
      expect(missing, title).toEqual([]);
      const names = [...code.matchAll(/^import \{? ?(.+?) ?\}? from /gm)].flatMap(([, each]) => each.split(', '));
      expect(names.filter((name) => !imports.has(name))).toEqual([]);
    }
    expect(schema.examples.length).toBe(7);
  });

  it('those of editors differ from each other and from AGENTS.md', () => {
    const [cursor, copilot, agents] = ['.cursorrules', '.github/copilot-instructions.md', 'AGENTS.md'].map(textOf);
    expect(new Set([cursor, copilot, agents]).size).toBe(3);
    const titles = (text: string) => [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles(cursor)).toEqual(['Architecture', 'Commands', 'Patterns']);
    expect(titles(copilot)).toEqual(['Overview', 'Key interfaces', 'Conventions']);
  });

  it('are files of the package under their names', () => {
    const { exports } = JSON.parse(textOf('package.json'));
    for (const name of [
      'llms.txt',
      'llms-full.txt',
      'api-schema.json',
      'api-schema.small.json',
      'api-schema.schema.json',
    ]) {
      expect(existsSync(join(ROOT, exports[`./${name}`])), name).toBe(true);
    }
  });
});
