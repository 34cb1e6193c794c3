/**
 * What the programs of the reference print. A program that stands unchanged on a page keeps the text of that page, which a test
 * compares with what it prints (test/meta/generated.test.ts); a new one is run with the built package.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyProject } from '../../../test/helpers/emptyProject.mjs';

const ROOT = process.cwd();

/** Text by program of what stands on the pages now; '' where a program prints nothing. */
export function knownOutputs(folder) {
  const known = new Map();
  if (!existsSync(folder)) return known;
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.endsWith('.md'),
  )) {
    const page = readFileSync(join(folder, path), 'utf8');
    for (const [, code, output = ''] of page.matchAll(PROGRAM)) known.set(code, output);
  }
  return known;
}

const PROGRAM = /^```js\n(import [\s\S]+?)\n```(?:\n\n[^\n]*It prints:\n\n```text\n([\s\S]*?)\n```)?$/gm;

/** Runs programs in an empty project in which cvkit is installed, as the test does. */
export function outputsOf(programs) {
  const folder = emptyProject('cvkit-reference-');
  try {
    const files = programs.map((code, at) => {
      writeFileSync(join(folder, `program${at}.mjs`), code);
      return `program${at}.mjs`;
    });
    const runner = join(ROOT, 'test/helpers/runPrograms.mjs');
    const { status, stderr } = spawnSync(process.execPath, [runner, 'answer.json', ...files], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`The programs of the reference broke off: ${stderr}`);
    const answers = JSON.parse(readFileSync(join(folder, 'answer.json'), 'utf8'));
    const failed = answers.flatMap(({ error }, at) => (error ? [`${programs[at]}\n\n${error}`] : []));
    for (const each of failed) console.error(`A program of the reference fails:\n\n${each}\n`);
    if (failed.length > 0) process.exitCode = 1;
    // A page without its output would count as one whose program prints nothing.
    const ran = programs.flatMap((code, at) => (answers[at].error ? [] : [[code, answers[at].printed]]));
    return new Map(ran.map(([code, printed]) => [code, shown(printed)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Most lines of a text that a page shows. */
const MOST = 40;

function shown(printed) {
  const text = printed.replace(/[ \t]+$/gm, '').trimEnd();
  return text.split('\n').length > MOST ? '' : text;
}
