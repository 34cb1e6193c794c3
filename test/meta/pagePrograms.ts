/** The programs that pages show: found, run in a project in which cvkit is installed, and what they print. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyProject } from '../helpers/emptyProject.mjs';
import { needDist } from './dist.js';
import { ROOT } from './program.js';

/** Whole programs on a page: blocks of JavaScript that begin with an import. */
export const programs = (page: string): string[] =>
  [...page.matchAll(/^```js\n([\s\S]*?)\n```$/gm)].map(([, code]) => code).filter((code) => code.startsWith('import '));

const FOLLOWED =
  /^```js\n([^`]*(?:`(?!``)[^`]*)*)\n```\n(?:\n<!-- \/generated -->\n)?\n[^\n]*It prints:\n\n```text\n([\s\S]*?)\n```$/gm;

/** Programs of a page that it follows with "prints" and a block of text: first line of the text, program, text. */
export const outputs = (page: string): [string, string, string][] =>
  [...page.matchAll(FOLLOWED)].map(([, code, text]): [string, string, string] => [
    text.split('\n')[0].trim(),
    code,
    text,
  ]);

/** Output without what differs from run to run: seconds, and blanks at the ends of lines. */
export const timeless = (text: string): string =>
  text
    .replace(/\b\d+(\.\d)? s\b/g, '0.0 s')
    .replace(/[ \t]+$/gm, '')
    .trimEnd();

export interface Printed {
  readonly error?: string;
  readonly printed: string;
}

/** Packages that pages say are to be installed. */
const INSTALLED = ['@tensorflow', 'fast-png', 'onnxruntime-node'];

/** Runs programs one after the other in one process and gives what each printed, or how it failed, by its text. */
export function runAll(codes: readonly string[]): Map<string, Printed> {
  needDist();
  // A project of its own, so that programs run as they do for users and write where nobody minds.
  const cwd = emptyProject('cvkit-docs-', INSTALLED);
  try {
    const names = codes.map((code, at) => {
      writeFileSync(join(cwd, `example${at}.mjs`), code);
      return `example${at}.mjs`;
    });
    const runner = join(ROOT, 'test/helpers/runPrograms.mjs');
    const { status, signal, stderr } = spawnSync(process.execPath, [runner, 'answer.json', ...names], {
      cwd,
      encoding: 'utf8',
      timeout: 280_000,
      killSignal: 'SIGKILL',
    });
    if (status !== 0) throw new Error(`The programs of the pages ended with ${status ?? signal}: ${stderr}`);
    const answers = JSON.parse(readFileSync(join(cwd, 'answer.json'), 'utf8')) as Printed[];
    return new Map(codes.map((code, at) => [code, answers[at]]));
  } finally {
    rmSync(cwd, { recursive: true });
  }
}
