/** Every link of the pages leads somewhere: to a file, to a heading in it, and in the packed copy to a file that is packed. Tables have headings. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LEFT_OUT, packageJson, packed } from './dist.js';
import { ROOT } from './program.js';

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const pages = [
  ...readdirSync(ROOT),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((path) => path.endsWith('.md'));

/** Headings as the anchors that they become: lower case, spaces as hyphens, other signs left out. */
const anchors = (page: string): Set<string> => {
  const seen = new Map<string, number>();
  const found = new Set<string>();
  for (const [, heading] of withoutCode(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/ /g, '-');
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    found.add(times === 0 ? anchor : `${anchor}-${times}`);
  }
  return found;
};

const withoutCode = (page: string) => page.replace(/^```[\s\S]*?^```$/gm, '');

/** Targets of the links and pictures of a page, those to other hosts left out. */
const targets = (page: string) =>
  [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target).filter((each) => !/^\w+:/.test(each));

/** What is wrong with a link of a page, or nothing. */
function problem(path: string, target: string, read = textOf): string | undefined {
  const [file, anchor] = target.split('#');
  const place = file === '' ? path : normalize(join(dirname(path), file));
  if (place.startsWith('..') || !existsSync(join(ROOT, place))) return `${path}: ${target} is not there`;
  if (anchor === undefined) return undefined;
  if (statSync(join(ROOT, place)).isDirectory()) return `${path}: ${target} names a heading of a folder`;
  return anchors(read(place)).has(anchor) ? undefined : `${path}: ${target} names no heading`;
}

describe('links', () => {
  it('are many', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/README.md']));
    expect(pages.flatMap((path) => targets(textOf(path))).length).toBeGreaterThan(100);
  });

  it.each(pages)('of %s lead somewhere', (path) => {
    expect(targets(textOf(path)).flatMap((target) => problem(path, target) ?? [])).toEqual([]);
  });

  it('lead to files that are packed, from pages that are, or to what the package leaves out on purpose', () => {
    const paths = packed().files.map(({ path }) => path);
    const isPacked = (place: string) => paths.some((path) => path === place || path.startsWith(`${place}/`));
    const outside = pages
      .filter((path) => paths.includes(path))
      .flatMap((path) =>
        targets(textOf(path)).map((target) => [path, normalize(join(dirname(path), target.split('#')[0]))]),
      )
      .filter(([path, place]) => place !== dirname(path) && !isPacked(place) && !LEFT_OUT.test(place));
    expect(outside).toEqual([]);
  });

  it('reach every page of docs from its table of contents', () => {
    // The first page of the site is where readers begin.
    const reached = new Set(['docs/README.md', 'docs/index.md']);
    for (const path of reached) {
      if (!path.endsWith('.md')) continue;
      for (const target of targets(textOf(path))) {
        const place = normalize(join(dirname(path), target.split('#')[0]));
        if (place.startsWith('docs/')) reached.add(place);
      }
    }
    expect(pages.filter((path) => path.startsWith('docs/') && !reached.has(path))).toEqual([]);
  });
});

it('tables of pages have a heading for each column, which screen readers say with each cell', () => {
  const headings = (page: string) =>
    [...withoutCode(page).matchAll(/^(\|.*\|)\n\|[\s|:-]+\|$/gm)].map(([, row]) => row);
  const isEmpty = (row: string) => /\|\s*\|/.test(row);
  const tables = pages.map((path) => [path, headings(textOf(path))] as const);
  expect(tables.flatMap(([, rows]) => rows).length).toBeGreaterThan(100);
  expect(tables.flatMap(([path, rows]) => rows.filter(isEmpty).map((row) => `${path}: ${row}`))).toEqual([]);
  expect(headings('| | b |\n| --- | --- |\n').filter(isEmpty)).toHaveLength(1);
});

describe('the guides for those who change cvkit', () => {
  /** Paths in code marks: with a slash or an ending, and without a blank, a star or a placeholder. */
  const paths = (page: string) =>
    [...withoutCode(page).matchAll(/`([\w./-]+)`/g)]
      .map(([, path]) => path)
      .filter((path) => /^(src|test|adapters|scripts|docs|bench|examples|models|\.ci)\//.test(path))
      .filter((path) => !/\/(name|family)\b|\/name\./.test(path));

  it.each(['AGENTS.md', 'CONTRIBUTING.md'])('%s names files that are there', (page) => {
    const named = paths(textOf(page));
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it.each(['AGENTS.md', 'CONTRIBUTING.md'])('%s names commands that are there', (page) => {
    const { scripts } = packageJson();
    const named = [...textOf(page).matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name]) => name);
    const known = new Set([...Object.keys(scripts), 'ci', 'install', 'registry', 'stage']);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('this test can fail', () => {
  it('on a file or a heading that is not there', () => {
    expect(problem('docs/README.md', 'nowhere.md')).toBe('docs/README.md: nowhere.md is not there');
    expect(problem('README.md', '../elsewhere.md')).toBe('README.md: ../elsewhere.md is not there');
    expect(problem('README.md', '#nowhere')).toBe('README.md: #nowhere names no heading');
    expect(problem('README.md', '#a-b-1', () => '# A b\n\n## A: b\n\n## `A` b')).toBeUndefined();
    expect(targets('[a](b.md) ![c](d.svg) [e](https://f.org)\n```js\nx[0](y)\n```\n')).toEqual(['b.md', 'd.svg']);
  });
});
