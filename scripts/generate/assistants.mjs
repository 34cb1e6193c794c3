/**
 * .cursorrules and .github/copilot-instructions.md, for assistants that work in a checkout of this package. The first is
 * read by an editor that runs commands and writes whole files: where things are, commands, patterns. The second completes
 * code as it is typed: what the package is, the interfaces that code implements, conventions.
 */
import { PATTERNS } from './llms.mjs';
import { typeText } from './llmsFull.mjs';
import { codeBlock } from './markdown.mjs';

export function cursorRules({ schema, pkg, agents, contributing }) {
  return `# cvkit ${schema.version}: working in this repository

${schema.description} ESM only, Node ${schema.node_requires}.

## Architecture

${sectionOf(agents, 'Map')}

## Commands

${Object.entries(COMMANDS)
  .map(([name, purpose]) => `- \`${commandOf(pkg, name)}\`: ${purpose}`)
  .join('\n')}
- \`npx vitest run --project unit test/path/to/file.test.ts\`: one test file.

## Patterns

How cvkit is called, in tests, examples and docs:

${codeBlock(PATTERNS)}

CONTRIBUTING.md says, file by file, how to add ${headingsOf(contributing)}.
The rules of the code are in AGENTS.md; all of them hold.
`;
}

/** Scripts of package.json that a contributor needs, and what for. */
const COMMANDS = {
  test: 'installs what is missing, then runs every suite in a few minutes',
  'test:all': 'slow tests, journeys, browsers, rules about the sources',
  build: 'writes `dist`, which the tests of examples, pages and the package read',
  generate: 'writes the generated documents; CI fails when they are stale',
  types: 'checks types',
  lint: 'lint and format',
  format: 'mends both',
  unused: 'finds code that nothing uses',
  demo: 'cross-validates a network on real data and writes `report.html`',
  bench: 'speed and memory, as ratios of one run',
  site: 'writes `site`, the documents for people and machines as static files',
};

function commandOf({ scripts }, name) {
  if (!(name in scripts)) throw new Error(`package.json has no script '${name}'`);
  return name === 'test' ? 'npm test' : `npm run ${name}`;
}

/** Interfaces that code of this package, or of its users, implements. */
const INTERFACES = ['Splitter', 'Fold', 'FrameworkAdapter', 'CVCallback', 'Check', 'CheckResult', 'Metric', 'Interval'];

export function copilotInstructions({ schema, api, agents }) {
  return `# cvkit: instructions for completing code

## Overview

${schema.description} \`UniversalCVRunner\` drives one fold loop for any model that an adapter understands (TensorFlow.js,
ONNX, objects with \`fit\` and \`predict\`). \`CVKitValidator\`, the leakage and balance checkers, callbacks and reports are
consumers of that loop: they never train or predict. Splitters, metrics, interval methods, checks and adapters are members of
registries; each passes the conformance suite of its kind.

## Key interfaces

${codeBlock(
  INTERFACES.map((name) =>
    typeText(
      api.interfaces.find((each) => each.name === name),
      { types: true },
    ),
  ).join('\n'),
  'ts',
)}

Members that may be left out stand there only where all of them may, or few. An option is declared once, in an option table (\`src/core/options.ts\`): \`nSplits: integer({ min: 2 }).default(5).describe('Number of
folds.')\`. An error is \`new InvalidOptionError(sentence(subject, must, got, instead))\`.

## Conventions

${sectionOf(agents, 'Rules')}

Names are those of scikit-learn in camelCase. British spelling. Tests mirror \`src\`, one file for one public name.
`;
}

/** The text under a second-level heading. */
function sectionOf(page, title) {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${title}\n`));
  if (!section) throw new Error(`AGENTS.md has no section '${title}'`);
  return section.slice(title.length).trim();
}

/** What CONTRIBUTING.md tells how to add: `a splitter`, and so on. */
const headingsOf = (page) => [...page.matchAll(/^### A(n? .+?):/gm)].map(([, title]) => `a${title}`).join(', ');
