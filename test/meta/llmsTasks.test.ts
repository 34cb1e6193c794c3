/**
 * llms.txt is enough: six tasks (a network on grouped rows, a search, own folds, an ONNX file, calibration, an adapter) were
 * programmed from it alone. They run, use nothing that it does not name, and what it names exists.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import * as onnx from '../../adapters/onnx/index.js';
import { tables } from '../../scripts/generate/tables.mjs';
import * as estimators from '../../src/estimators/index.js';
import * as root from '../../src/index.js';
import * as preprocessing from '../../src/preprocessing/index.js';
import * as stats from '../../src/stats/index.js';
import { type Printed, runAll } from './pagePrograms.js';
import { ROOT, walk } from './program.js';

const FOLDER = join(ROOT, 'test/meta/llmsTasks');
const tasks = readdirSync(FOLDER).map((name): [string, string] => [name, readFileSync(join(FOLDER, name), 'utf8')]);
const text = readFileSync(join(ROOT, 'llms.txt'), 'utf8');
const words = new Set(text.match(/[\w]+/g));

/** What stands between an opening brace at `from` and the one that closes it, cut at its commas. */
function partsAt(from: number): string[] {
  let depth = 0;
  let start = from + 1;
  const parts: string[] = [];
  for (let at = from; at < text.length; at++) {
    if ('{[('.includes(text[at])) depth++;
    if ('}])'.includes(text[at])) depth--;
    if ((text[at] === ',' && depth === 1) || depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
    if (depth === 0) return parts;
  }
  return parts;
}

describe('six tasks', () => {
  let results: Map<string, Printed>;
  beforeAll(() => {
    results = runAll(tasks.map(([, code]) => code));
  }, 200_000);

  it('are there', () => {
    expect(tasks.map(([name]) => name).sort()).toEqual(
      ['calibration', 'customAdapter', 'groupedNetwork', 'onnx', 'ownSplit', 'tuning'].map((name) => `${name}.mjs`),
    );
  });

  it.each(tasks)('%s runs and gives numbers', (_name, code) => {
    const { error, printed } = results.get(code) as Printed;
    expect(error).toBeUndefined();
    const numbers = printed.match(/-?\d+\.\d+/g)?.map(Number) ?? [];
    expect(numbers.length).toBeGreaterThan(0);
    expect(printed).not.toMatch(/undefined|NaN/);
  });

  it('give what the data hold', () => {
    const numbersOf = (name: string) => {
      const { printed } = results.get(tasks.find(([each]) => each === name)?.[1] as string) as Printed;
      return printed.match(/-?\d+\.\d+/g)?.map(Number) as number[];
    };
    // Street, Wolberg & Mangasarian 1993, SPIE 1905:861, came to an accuracy of .97 on these data.
    expect(numbersOf('tuning.mjs').at(-1)).toBeGreaterThan(0.98);
    for (const accuracy of numbersOf('ownSplit.mjs')) expect(accuracy).toBeGreaterThan(0.94);
    const [slope, , mended] = numbersOf('calibration.mjs');
    expect(Math.abs(mended - 1)).toBeLessThan(Math.abs(slope - 1));
  });

  it.each(tasks)('%s uses nothing that llms.txt does not name', (_name, code) => {
    const file = ts.createSourceFile('task.mjs', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
    const imported = new Set<string>();
    const options = new Set<string>();
    walk(file, (node) => {
      if (ts.isImportSpecifier(node) && !/models/.test(node.parent.parent.parent.getText()))
        imported.add(node.name.text);
      const called =
        (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText().split('.').at(-1);
      if (!called || !tables.has(called)) return;
      for (const each of node.arguments ?? []) {
        if (!ts.isObjectLiteralExpression(each)) continue;
        for (const { name } of each.properties) if (name) options.add(name.getText());
      }
    });
    // `randomSource` makes the images of the task, which its data would be.
    imported.delete('randomSource');
    expect(imported.size).toBeGreaterThan(2);
    expect([...imported, ...options].filter((name) => !words.has(name))).toEqual([]);
  });
});

describe('what llms.txt names', () => {
  const known: Record<string, unknown> = { ...root, ...stats, ...preprocessing, ...estimators, ...onnx };

  it('exists: classes and functions', () => {
    const called = [...text.matchAll(/(?:new |`|\b)([A-Z]\w+|[a-z]\w+)\(/g)].map(([, name]) => name);
    const made = new Set([...text.matchAll(/new ([A-Z]\w+)\(/g)].map(([, name]) => name));
    expect(called.length).toBeGreaterThan(20);
    const own = ['Float64Array', 'Mine'];
    expect([...made].filter((name) => !(name in known) && !own.includes(name))).toEqual([]);
  });

  it('takes the options that stand there', () => {
    const compared = new Set<string>();
    for (const { 1: name, index, 0: whole } of text.matchAll(/(\w+)\((?:[\w., ]+, )?\{ /g)) {
      const table = tables.get(name);
      if (!table) continue;
      compared.add(name);
      const parts = partsAt(index + whole.length - 2).filter((part) => !part.startsWith('...'));
      const names = parts.map((part) => part.match(/^\w+/)?.[0] ?? part);
      expect(
        names.filter((option) => table.canonical(option) === undefined),
        `${name}: ${parts}`,
      ).toEqual([]);
    }
    const wanted = [
      'CVKitValidator',
      'validate',
      'run',
      'runWithHyperparameterTuning',
      'calibrationCurve',
      'PredefinedSplit',
    ];
    expect(wanted.filter((name) => !compared.has(name))).toEqual([]);
    expect(compared.size).toBeGreaterThan(12);
  });
});
