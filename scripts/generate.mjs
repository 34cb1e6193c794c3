/**
 * Writes what a machine can write: the lists of members (registry rows, names, index); and from docstrings, option tables and
 * registries api-schema.json, llms.txt, docs/llms-full.txt, the files for assistants, and the marked pieces of the pages.
 *
 * Usage: node scripts/generate.mjs [--check] [--lists] [--outputs]. With --check nothing is written; stale files are named, and it
 * fails. With --outputs all programs of the reference are run again: after a change of what they print.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copilotInstructions, cursorRules } from './generate/assistants.mjs';
import { errorCodes } from './generate/errorCodes.mjs';
import { examplesOf } from './generate/examples.mjs';
import { assembledKernel } from './generate/kernel.mjs';
import { leakagePicture } from './generate/leakage.mjs';
import { llms } from './generate/llms.mjs';
import { llmsFull } from './generate/llmsFull.mjs';
import { loadTables } from './generate/loadTables.mjs';
import { filled } from './generate/markdown.mjs';
import { memberLists } from './generate/members.mjs';
import { pieces } from './generate/pieces.mjs';
import { readApi } from './generate/readApi.mjs';
import { reference } from './generate/reference/index.mjs';
import { apiSchema } from './generate/schema.mjs';
import { smallSchema } from './generate/smallSchema.mjs';
import { splitPictures } from './generate/splits.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const textOf = (path) => readFileSync(path, 'utf8');
const now = (path) => (existsSync(path) ? textOf(path) : undefined);
const isCheck = process.argv.includes('--check');

// Sources first: the documents are made from what they export.
report({ ...memberLists(), ...(await assembledKernel()) });
if (!process.argv.includes('--lists')) report(await documents());

function report(generated) {
  for (const [path, text] of Object.entries(generated)) {
    if (now(path) === text) continue;
    if (isCheck) {
      console.error(`${path} is not what \`npm run generate\` would write.`);
      process.exitCode = 1;
    } else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      console.log(`wrote ${path} (${Buffer.byteLength(text)} bytes)`);
    }
  }
}

/** Text by path of everything that is generated, in whole or in part. */
async function documents() {
  const tables = await loadTables();
  const facts = {
    api: readApi(),
    tables,
    checks: await tables.checks(),
    codes: errorCodes(),
    examples: examplesOf(textOf('docs/examples.md')),
    leakage: JSON.parse(textOf('docs/leakage-benchmark.json')),
    pkg: JSON.parse(textOf('package.json')),
    agents: textOf('AGENTS.md'),
    contributing: textOf('CONTRIBUTING.md'),
  };
  const schema = apiSchema(facts);
  const all = { ...facts, schema };
  const isGenerated = (path) => path.startsWith('docs/reference/') && path !== 'docs/reference/errors.md';
  const pages = ['README.md', ...docs().filter((path) => !isGenerated(path))].filter((path) => path.endsWith('.md'));
  const guides = pages.filter((path) => /^docs\/[\w-]+\.md$/.test(path) && path !== 'docs/README.md');
  const referencePages = reference(all, {
    guides: Object.fromEntries(guides.map((path) => [path.slice(5), textOf(path)])),
    isCheck,
    isAgain: process.argv.includes('--outputs'),
  });
  removeOld(docs().filter((path) => isGenerated(path) && path.endsWith('.md') && !(path in referencePages)));
  return {
    ...referencePages,
    'api-schema.json': `${JSON.stringify(schema, null, 1)}\n`,
    'api-schema.small.json': `${JSON.stringify(smallSchema(all), null, 0).replace(/(\]|"),(?="\w+":(\[|"))/g, '$1,\n')}\n`,
    'llms.txt': llms(all),
    'docs/llms-full.txt': llmsFull(all),
    ...splitPictures(tables),
    'docs/images/leakage-benchmark.svg': leakagePicture(facts.leakage),
    '.cursorrules': cursorRules(all),
    '.github/copilot-instructions.md': copilotInstructions(all),
    ...Object.fromEntries(pages.map((path) => [path, filled(textOf(path), pieces(all))])),
  };
}

/** Files below docs. */
function docs() {
  return readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name.replaceAll('\\', '/')}`);
}

/** Pages of names that are gone. */
function removeOld(paths) {
  for (const path of paths) {
    if (!isCheck) rmSync(path);
    console[isCheck ? 'error' : 'log'](`${path} is of a name that is gone.`);
    if (isCheck) process.exitCode = 1;
  }
}
