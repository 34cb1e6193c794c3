/** docs/reference: a page for every public name, an index that a sidebar can be made of, and pages that anyone can read. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { tables } from '../../scripts/generate/tables.mjs';
import { balanceChecks, leakageChecks } from '../../src/checkers/builtInChecks.js';
import type { OptionShape, OptionTable } from '../../src/core/options.js';
import * as estimators from '../../src/estimators/index.js';
import * as root from '../../src/index.js';
import { intervalMethodNames } from '../../src/intervals/methodNames.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import * as plot from '../../src/plot/index.js';
import * as preprocessing from '../../src/preprocessing/index.js';
import { splitterRegistry } from '../../src/splitters/registry.js';
import * as stats from '../../src/stats/index.js';
import * as tuning from '../../src/tuning/index.js';
import * as testing from '../conformance/index.js';
import { outputs, type Printed, programs, runAll, timeless } from './pagePrograms.js';
import { ROOT } from './program.js';

const FOLDER = join(ROOT, 'docs/reference');
const KB = 1024;
/** Largest page, of these and of all others but the study of coverage. */
const LARGEST = 60 * KB;

const pages = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.md'));
const textOf = (path: string) => readFileSync(join(FOLDER, path), 'utf8');
const index = textOf('index.md');
/** Pages by what the index calls them. */
const listed = new Map([...index.matchAll(/^- \[(.+?)\]\((\S+?)\): \S/gm)].map(([, name, path]) => [name, path]));
const members = pages.filter((path) => path.includes('/') && !path.startsWith('types/'));
const isError = (name: string) => name.endsWith('Error');

describe('the index', () => {
  const names = [root, stats, preprocessing, estimators, tuning, plot, testing].flatMap((entry) => Object.keys(entry));
  /** Second names, which stand on the page of the first. */
  const others = (name: string) =>
    members.some((path) =>
      textOf(path)
        .match(/^Also exported as (.+)\.$/m)?.[1]
        .includes(`\`${name}\``),
    );

  it('has every public value but errors, which share a page, and second names', () => {
    expect(names.length).toBeGreaterThan(180);
    const missing = names.filter((name) => !listed.has(name) && !isError(name) && name !== 'registerMetric');
    expect(missing.filter((name) => !others(name))).toEqual([]);
    const errors = textOf('errors.md');
    expect(names.filter(isError).filter((name) => !errors.includes(`\n### ${name}\n`))).toEqual([]);
  });

  it('has every splitter, metric and interval method, and leads to every check', () => {
    const codes = [...leakageChecks, ...balanceChecks].map(({ code, type }) => `${code} ${type}`);
    for (const each of [splitterRegistry.names(), metricRegistry.names(), intervalMethodNames, codes]) {
      expect(each.length).toBeGreaterThan(3);
      expect(each.filter((name) => !listed.has(name))).toEqual([]);
    }
  });

  it('has headings and lists of links alone, after its first lines', () => {
    const [, ...groups] = index.split(/^## /m);
    expect(groups.length).toBeGreaterThan(12);
    for (const group of groups) {
      const [, ...lines] = group.trim().split('\n').filter(Boolean);
      expect(lines.filter((line) => !/^- \[[^\]]+\]\(\S+\.md\): \S.*[.?]$/.test(line))).toEqual([]);
    }
  });

  it('names every page', () => {
    const paths = new Set(listed.values());
    expect(pages.filter((path) => path !== 'index.md' && !paths.has(path))).toEqual([]);
  });
});

describe('a page', () => {
  it('has a name of its own where case does not count', () => {
    const lower = pages.map((path) => path.toLowerCase());
    expect(lower.filter((path, at) => lower.indexOf(path) !== at)).toEqual([]);
  });

  it('has at most 60 kB, as all others', () => {
    const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.md'),
    );
    const long = docs.filter((path) => statSync(join(ROOT, 'docs', path)).size > LARGEST);
    expect(long).toEqual([]);
  });

  it.each(members)('%s says what it is and shows an example', (path) => {
    const text = textOf(path);
    expect(text).toMatch(/^# \S+\n\n\S/);
    expect(text).toMatch(/^## Example\n\n```js\n(\/\/ This needs .+\n)?import /m);
    expect(text).not.toMatch(/\bundefined\b(?![`'])(?=\n```)/);
  });

  it('with an example that nobody can run at once is one of three', () => {
    const some = members.filter((path) => textOf(path).includes('// This needs '));
    expect(some.sort()).toEqual(['datasets/loadDiabeticReadmission.md', 'node/bullmq.md', 'node/slurm.md']);
  });

  it('holds no text that Vue would read: elements and expressions outside of code', () => {
    const plain = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`]*`/g, '');
    const found = pages.flatMap(
      (path) =>
        plain(textOf(path))
          .match(/<(?!!--)|\{\{/g)
          ?.map(() => path) ?? [],
    );
    expect(found).toEqual([]);
    expect(plain('a `<b>` <i> {{ c }}').match(/<|\{\{/g)).toHaveLength(2);
  });
});

describe('options', () => {
  const rows = (path: string) => new Set([...textOf(path).matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name));
  const namesOf = (owner: string) => Object.keys((tables.get(owner) as OptionTable<OptionShape>).shape);

  it.each([
    ['classes/CVKitValidator.md', ['CVKitValidator', 'validate', 'fitValidate']],
    ['classes/UniversalCVRunner.md', ['UniversalCVRunner', 'run']],
    ['splitters/KNNDM.md', ['KNNDM']],
    ['adapters/tfjsAdapter.md', ['tfjsAdapter']],
  ])('of %s are all there', (path, owners) => {
    const known = owners.flatMap((owner) => (tables.has(owner) ? namesOf(owner) : []));
    expect(known.length).toBeGreaterThan(3);
    expect(known.filter((name) => !rows(path).has(name))).toEqual([]);
  });

  it('show their defaults', () => {
    expect(textOf('classes/CVKitValidator.md')).toContain('| `ciMethod` |');
    expect(textOf('classes/UniversalCVRunner.md')).toMatch(/^\| `batchSize` \| `integer` \| `32` \|/m);
    expect(textOf('splitters/KFold.md')).toContain('new KFold({ nSplits = 5, shuffle = false, randomState? })');
  });
});

describe('sources', () => {
  it('are on the pages of members whose docstring names one', () => {
    expect(textOf('intervals/corrected_t.md')).toMatch(/^## Source\n\nNadeau & Bengio 2003/m);
    expect(textOf('metrics/roc_auc.md')).toMatch(/^## Source\n\nHanley & McNeil 1982/m);
    expect(members.filter((path) => textOf(path).includes('\n## Source\n')).length).toBeGreaterThan(80);
  });

  it('and pictures are where they are said to be', () => {
    for (const path of members) {
      for (const [, target] of textOf(path).matchAll(/!\[.*?\]\((\S+)\)/g)) {
        expect(existsSync(join(FOLDER, dirname(path), target)), `${path}: ${target}`).toBe(true);
      }
    }
  });
});

describe('examples', () => {
  let results: Map<string, Printed>;
  const onPages = members.flatMap((path) => programs(textOf(path)).map((code): [string, string] => [path, code]));
  const texts = members.flatMap((path) => outputs(textOf(path)).map((each) => [path, ...each] as const));
  /** Programs that print pages, or draw where they are run. */
  const silent = ['callbacks/ProgressLogger.md', 'classes/ClinicalMetrics.md', 'transformers/Resize.md'];

  beforeAll(() => {
    results = runAll([...new Set(onPages.map(([, code]) => code))]);
  }, 300_000);

  it('are many, and almost all print what their page shows', () => {
    expect(onPages.length).toBeGreaterThan(250);
    const printing = new Set(texts.map(([path]) => path));
    expect(onPages.map(([path]) => path).filter((path) => !printing.has(path))).toEqual(silent);
  });

  it.each(onPages)('%s runs', (_path, code) => {
    const { error, printed } = results.get(code) as Printed;
    expect(error).toBeUndefined();
    expect(printed).not.toContain('undefined');
  });

  it.each(texts)('%s prints what it shows (%s)', (_path, _line, code, text) => {
    expect(timeless((results.get(code) as Printed).printed)).toBe(timeless(text));
  });
});
