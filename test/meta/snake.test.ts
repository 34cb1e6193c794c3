/** cvkit/snake against the types of the root: which keys stay, which functions get arguments in snake_case, one rule for names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { snakeCase } from '../../src/core/names.js';
import { CALLED, WITH_LOGS } from '../../src/snake/convert.js';
import { FIELD_KINDS, kindOfField, OTHERWISE } from '../../src/snake/names.js';
import { programOf, projectFiles, ROOT } from './program.js';
import { PublicFields, type Reached } from './publicFields.js';

const fields = new PublicFields();

/** What the table says of a field of an object with these names. */
const inTable = ({ name, siblings }: Pick<Reached, 'name' | 'siblings'>) =>
  kindOfField(name, Object.fromEntries(siblings.map((each) => [each, null])));

const wrong = (reached: readonly Reached[]) =>
  reached
    // Rows are never looked into, whatever they are.
    .filter((each) => each.needs !== 'nothing' && each.name !== 'X' && inTable(each) !== each.needs)
    .map((each) => `${each.place}: ${each.name} is ${each.needs}, the table says ${inTable(each)}`);

describe('the table of fields', () => {
  it('reaches what there is', () => {
    expect(fields.reached.length).toBeGreaterThan(300);
    for (const name of ['hasLeakage', 'meanScores', 'foldDetails', 'nSplits', 'bestParams', 'getNSplits']) {
      expect(fields.names).toContain(name);
    }
  });

  it('says of every field what its type says', () => {
    expect([...new Set(wrong(fields.reached))].sort()).toEqual([]);
  });

  it('holds nothing more', () => {
    const needed = new Set(fields.reached.filter(({ needs }) => needs !== 'nothing').map(({ name }) => name));
    expect([...FIELD_KINDS.keys()].filter((name) => !needed.has(name) && name !== 'logs')).toEqual([]);
    const exceptions = Object.entries(OTHERWISE).filter(
      ([name, other]) =>
        !other.with.every((one) => fields.reached.some((each) => each.name === name && each.siblings.includes(one))),
    );
    expect(exceptions).toEqual([]);
  });

  it('would miss nothing: a new record and a new object of the caller are found', () => {
    const text = ts.sys.readFile('src/checkers/leakageReport.ts') as string;
    const changed = text.replace(
      '  readonly severity: Severity;',
      '  readonly severity: Severity;\n  declare readonly byPlace: Record<string, number>;\n  declare readonly owned: unknown;',
    );
    expect(changed).not.toBe(text);
    const found = wrong(new PublicFields({ 'src/checkers/leakageReport.ts': changed }).reached);
    expect(found.join('\n')).toMatch(/byPlace is record, the table says fields/);
    expect(found.join('\n')).toMatch(/owned is caller, the table says fields/);
  });
});

describe('functions of the caller', () => {
  const isMoment = (name: string) =>
    /^on[A-Z]/.test(name) || name.includes(':') || name === 'forFold' || name === 'teardown' || name === 'progress';

  it('get arguments in snake_case exactly where these have names of ours', () => {
    const found: Record<string, number[]> = {};
    for (const { name, params } of fields.called) {
      if (isMoment(name) && name !== 'onTrial') continue;
      const places = params.flatMap((needs, at) => (needs === 'fields' ? [at] : []));
      if (places.length > 0) found[snakeCase(name)] = places;
    }
    // Its argument is typed as anything: a score table, or a model.
    expect({ ...found, scoring: [0] }).toEqual(CALLED);
  });

  it('get logs, whose keys are names of metrics, as they are', () => {
    const moments = fields.called.filter(({ name }) => isMoment(name));
    expect(moments.length).toBeGreaterThan(15);
    for (const { name, params } of moments) {
      const key = name.includes(':') ? name : snakeCase(name);
      expect([name, params[1] === 'record']).toEqual([name, WITH_LOGS.has(key)]);
      // What broke a run off is anybody's, and stays as it was thrown.
      expect([name, params[0] === 'record' || params[0] === 'caller']).toEqual([name, name === 'teardown']);
    }
  });
});

describe('the rule for names', () => {
  /** What the types make of names, read from the compiler. */
  function byTypes(names: readonly string[]): string[] {
    const path = 'src/snake/namesOfTheTest.ts';
    const rows = names.map((name, at) => `export type N${at} = SnakeCase<'${name}'>;`).join('\n');
    const program = programOf({ [path]: `import type { SnakeCase } from './types.js';\n${rows}` });
    const checker = program.getTypeChecker();
    const module = checker.getSymbolAtLocation(projectFiles(program).get(path) as ts.SourceFile) as ts.Symbol;
    const types = new Map(
      checker.getExportsOfModule(module).map((each) => [each.name, checker.getDeclaredTypeOfSymbol(each)]),
    );
    return names.map((_, at) => (types.get(`N${at}`) as ts.StringLiteralType).value);
  }

  it('is the same at run time and in the types, for every declared name', () => {
    const names = [...fields.names].filter((name) => /^\w+$/.test(name));
    expect(names.length).toBeGreaterThan(400);
    expect(byTypes(names)).toEqual(names.map(snakeCase));
  });

  it('is the same for any name', () => {
    const letter = fc.constantFrom(...'aXbXQ3zT1');
    const names = fc.sample(fc.string({ unit: letter, minLength: 1, maxLength: 24 }), { numRuns: 300, seed: 7 });
    expect(byTypes(names)).toEqual(names.map(snakeCase));
  });

  it('gives two names of one object no common spelling', () => {
    for (const { siblings, place } of fields.reached) {
      const all = [...new Set(siblings)];
      expect([place, new Set(all.map(snakeCase)).size]).toEqual([place, all.length]);
    }
  });
});

describe('the page for those who come from Python', () => {
  const entries: Readonly<Record<string, string>> = {
    "'cvkit/snake'": "'./index.js'",
    "'cvkit/estimators'": "'../estimators/index.js'",
  };
  /** What the compiler says under `strict` of each example of the page. */
  function faults(page: string): string[] {
    const blocks = [...page.matchAll(/^```(?:js|ts)\n([\s\S]*?)^```/gm)].map(([, code]) => code);
    const overlay = Object.fromEntries(
      blocks.map((code, at) => [
        `src/snake/example${at}OfThePage.ts`,
        code.replace(/(?<=from )'cvkit\/\w+'/g, (entry) => entries[entry]),
      ]),
    );
    expect(blocks.length).toBeGreaterThan(0);
    const program = programOf(overlay);
    expect(program.getCompilerOptions().strict).toBe(true);
    return Object.keys(overlay)
      .flatMap((path) => [...program.getSemanticDiagnostics(projectFiles(program).get(path))])
      .map(({ code, messageText }) => `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  }
  const page = readFileSync(join(ROOT, 'docs/migration.md'), 'utf8');

  it('has examples that compile under strict', () => {
    expect(faults(page)).toEqual([]);
  });

  it('would not with a name that there is not', () => {
    expect(faults(page.replace('report.has_leakage', 'report.hasLeakage')).join()).toContain('hasLeakage');
  });
});
