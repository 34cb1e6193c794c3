/** The notebooks of examples: their cells run, one after the other, and print what is stored with them. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';

beforeAll(needDist);

const textOf = (path: string) => readFileSync(join(ROOT, 'examples/notebooks', path), 'utf8');

/** What the cells print, as one program with the package of this folder, after what stands for the notebook. */
function printedBy(cells: readonly string[], notebook: string): string {
  const program = [notebook, ...cells].join('\n').replace(/(["'])npm:cvkit@\^?0\.1/g, '$1cvkit');
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: ROOT, encoding: 'utf8' });
}

it('that of Jupyter prints what it has stored', () => {
  interface Cell {
    readonly cell_type: string;
    readonly source: string | string[];
    readonly outputs?: readonly { readonly text?: string[]; readonly data?: Record<string, string[]> }[];
  }
  const { cells, metadata } = JSON.parse(textOf('patients.ipynb')) as { cells: Cell[]; metadata: object };
  expect(metadata).toMatchObject({ kernelspec: { name: 'deno' } });
  const code = cells.filter(({ cell_type }) => cell_type === 'code');
  const stored = code.flatMap(({ outputs = [] }) =>
    outputs.flatMap(({ text, data }) => text ?? data?.['image/svg+xml'] ?? []),
  );
  const deno = `globalThis.Deno = {
    jupyter: { display: async (data) => console.log(data['image/svg+xml']) },
    writeTextFile: async (_path, text) => { if (!text.startsWith('<!doctype html>')) throw new Error(text); },
  };`;
  const printed = printedBy(
    code.map(({ source }) => [source].flat().join('')),
    deno,
  );
  expect(printed.trimEnd().split('\n')).toEqual(stored.join('').trimEnd().split('\n'));
  expect(stored.join('')).toMatch(/AUC 0\.\d+, 95 % interval[\s\S]*<svg /);
});

it('that of Observable shows a verdict, scores with intervals and a picture', () => {
  const cells = [...textOf('patients.html').matchAll(/<script type="module">([\s\S]*?)<\/script>/g)].map(
    ([, code]) => code,
  );
  expect(cells).toHaveLength(5);
  const observable = `
    const view = (value) => value;
    const Inputs = { range: (_limits, { value }) => value, table: (rows) => JSON.stringify(rows) };
    const html = (texts, ...values) => texts.map((text, at) => text + [values[at] ?? ''].flat().join('')).join('');
    const document = { createElement: () => ({}) };
    const display = (shown) => console.log(shown.innerHTML ?? shown);`;
  const printed = printedBy(cells, observable);
  expect(printed).toMatch(/<p><b>[A-Z ]+: /);
  expect(printed).toMatch(/"score":"roc_auc","estimate":0\.\d+,"lower":0\.\d+,"upper":0\.\d+/);
  expect(printed).toContain('<svg ');
});
