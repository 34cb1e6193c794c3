/** Tutorials, followed as they are printed: files are saved, commands typed, and what these print is what the page shows. */
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyProject } from '../helpers/emptyProject.mjs';
import { needDist } from './dist.js';
import { timeless } from './pagePrograms.js';
import { ROOT } from './program.js';

const PAGES = ['docs/getting-started.md', 'docs/tutorial-network.md'];
/** Packages that the pages say are to be installed. */
const INSTALLED = ['@tensorflow'];
const run = promisify(execFile);

interface Step {
  readonly files: Readonly<Record<string, string>>;
  readonly command: string;
  /** What the page shows of its output; parts between lines of `...`. */
  readonly shown: readonly string[];
}

const BLOCK = /(?:`([\w-]+\.mjs)`:\n\n```js\n([\s\S]*?)\n```)|(?:```sh\n([\s\S]*?)\n```)|(?:```text\n([\s\S]*?)\n```)/g;
const IS_SETUP = /^(npm i|mkdir) /;

/** The commands of a page, each with the files that are saved before it. Those that make a folder and install are left out. */
function stepsOf(page: string): Step[] {
  const steps: Step[] = [];
  let files: Record<string, string> = {};
  for (const [, name, code, commands, text] of page.matchAll(BLOCK)) {
    if (name) files[name] = code;
    for (const command of (commands ?? '').split('\n').filter((line) => line !== '' && !IS_SETUP.test(line))) {
      steps.push({ files, command, shown: [] });
      files = {};
    }
    const last = steps.at(-1);
    if (text && last) steps[steps.length - 1] = { ...last, shown: text.split(/^ *\.\.\.(?:\n|$)/m) };
  }
  return steps;
}

/** The output, also of a command that ends with 1 or 3: these are answers of `cvkit check`. */
async function outputOf(command: string, cwd: string): Promise<string> {
  // `npx` would start npm to find what lies here.
  const [program, ...args] = command.split(' ');
  const script = program === 'npx' ? join(ROOT, 'dist/node/cli.js') : args.shift();
  const name = program === 'npx' ? args.shift() : program;
  expect(['cvkit', 'node']).toContain(name);
  try {
    return (await run(process.execPath, [script as string, ...args], { cwd, timeout: 120_000 })).stdout;
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
    if (program === 'npx' && (code === 1 || code === 3)) return stdout;
    throw new Error(`${command} ended with ${code}: ${stderr}`);
  }
}

/** What of the shown parts does not follow in the output, one after the other. */
function missing(shown: readonly string[], output: string): string[] {
  const clean = (text: string) => timeless(text.replace(/^\n+/, ''));
  let rest = clean(output);
  return shown.map(clean).filter((part) => {
    const at = rest.indexOf(part);
    if (at >= 0) rest = rest.slice(at + part.length);
    return at < 0;
  });
}

let folder: string;

beforeAll(() => {
  needDist();
  folder = emptyProject('cvkit-tutorial-', INSTALLED);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(PAGES)('%s', (path) => {
  const steps = stepsOf(readFileSync(join(ROOT, path), 'utf8'));

  it('has commands, and shows what some of them print', () => {
    expect(steps.length).toBeGreaterThan(1);
    expect(steps.filter(({ shown }) => shown.length > 0).length).toBeGreaterThan(0);
  });

  it.each(steps.map((step) => [step.command, step] as const))('%s', async (command, { files, shown }) => {
    for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
    const output = await outputOf(command, folder);
    expect(missing(shown, output), output).toEqual([]);
  });
});

describe('this test can fail', () => {
  const page =
    'Save it as `a.mjs`:\n\n```js\nconsole.log(1);\n```\n\n```sh\nnpm i b\nnode a.mjs\n```\n\nIt prints:\n\n```text\n1\n...\n2\n```\n';

  it('on a page that shows what is not printed', () => {
    expect(stepsOf(page)).toEqual([
      { files: { 'a.mjs': 'console.log(1);' }, command: 'node a.mjs', shown: ['1\n', '2'] },
    ]);
    expect(missing(['1\n', '2'], '1\nother\n2\n')).toEqual([]);
    expect(missing(['1\n', '2'], '2\n1\n')).toEqual(['2']);
    expect(missing(['took 1 s'], 'took 2.5 s')).toEqual([]);
  });

  it('on a command that fails', async () => {
    writeFileSync(join(folder, 'fails.mjs'), 'throw new Error("no")');
    await expect(outputOf('node fails.mjs', folder)).rejects.toThrow('node fails.mjs ended with 1');
  });
});
