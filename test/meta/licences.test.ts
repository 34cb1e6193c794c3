/** What is installed with cvkit may be used by everybody, and THIRD-PARTY.md names it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageJson } from './dist.js';
import { ROOT } from './program.js';

const PERMISSIVE = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];
const manifest = packageJson();

interface Installed {
  readonly name: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A package as Node finds it from a folder: in the nearest `node_modules`. */
function installedFrom(folder: string, name: string): { place: string; found: Installed } {
  const place = join(folder, 'node_modules', name);
  const file = join(place, 'package.json');
  if (existsSync(file)) return { place, found: JSON.parse(readFileSync(file, 'utf8')) };
  if (folder === ROOT) throw new Error(`${name} is not installed`);
  return installedFrom(dirname(folder), name);
}

/** Packages with all that they depend on, by name. */
function withDependencies(names: readonly string[]): Map<string, Installed> {
  const all = new Map<string, Installed>();
  const visit = (name: string, folder: string) => {
    const { place, found } = installedFrom(folder, name);
    if (all.has(name)) return;
    all.set(name, found);
    for (const each of Object.keys(found.dependencies ?? {})) visit(each, place);
  };
  for (const name of names) visit(name, ROOT);
  return all;
}

const notPermissive = (packages: Iterable<Installed>) =>
  [...packages]
    .filter(({ license }) => !PERMISSIVE.includes(license ?? ''))
    .map(({ name, license }) => [name, license]);

describe('licences', () => {
  it('of what is installed with cvkit are permissive', () => {
    const packages = withDependencies(Object.keys(manifest.dependencies));
    expect(packages.size).toBeGreaterThan(Object.keys(manifest.dependencies).length);
    expect(notPermissive(packages.values())).toEqual([]);
  });

  it('of what users add for a framework or a format are permissive, the packages themselves', () => {
    const peers = Object.keys(manifest.peerDependencies).map((name) => installedFrom(ROOT, name).found);
    expect(notPermissive(peers)).toEqual([]);
  });

  it('are those of THIRD-PARTY.md, package by package', () => {
    const page = readFileSync(join(ROOT, 'THIRD-PARTY.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([^`]+)` \| ([\w.-]+) \|/gm)].map(([, name, licence]) => [name, licence]);
    const packages = [...withDependencies(Object.keys(manifest.dependencies)).values()];
    const installed = packages.map(({ name, license }) => [name, license]).sort();
    expect(rows).toEqual(installed);
  });

  it('can fail', () => {
    expect(notPermissive([{ name: 'a', license: 'GPL-3.0' }, { name: 'b' }, { name: 'c', license: 'MIT' }])).toEqual([
      ['a', 'GPL-3.0'],
      ['b', undefined],
    ]);
  });
});
