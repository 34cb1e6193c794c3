/** The page of the leakage suite: its first page in words, then the tables. */
import { firstPage } from './firstPage.mjs';
import { comparison } from './peers/comparison.mjs';
import { byCheck, byCorpus, GOALS, verdictOf, wilson } from './summary.mjs';

const HEAD = {
  planted: 'n | effect | found | sensitivity | 95 % interval | not evaluated | counts',
  clean: 'n | what is true | accused | specificity | 95 % interval | not evaluated | counts',
};

function row({ kind, n, effect, cases, fired, open, goal = true }) {
  const right = kind === 'planted' ? fired : cases - fired;
  const share = `${(right / cases).toFixed(3)} | ${range(...wilson(right, cases))}`;
  return `| ${n} | ${effect ?? '—'} | ${fired} of ${cases} | ${share} | ${open} | ${goal ? 'yes' : '—'} |`;
}

const range = (low, high) => `${low.toFixed(3)}-${high.toFixed(3)}`;
const table = (head, lines) => [`| ${head} |`, `|${'---|'.repeat(head.split(' | ').length)}`, ...lines].join('\n');

function cells(right) {
  if (!right) return ['—', '—', '—'];
  const share = `${right.share.toFixed(4)} (${right.right} of ${right.cases})`;
  return [share, range(right.low, right.high), verdictOf(right)];
}

/** All checks together: one line each over the scenarios that a goal is set for. */
const overview = (checks) =>
  table(
    'check | sensitivity | 95 % interval | goal | specificity | 95 % interval | goal',
    checks.map(
      ({ check, type, planted, clean }) => `| ${check} ${type} | ${[...cells(planted), ...cells(clean)].join(' | ')} |`,
    ),
  );

/** Kinds of planted leaks, or of clean data, one line each. */
function corpora(found, kind, title, words) {
  const lines = found.filter((each) => each.kind === kind);
  if (lines.length === 0) return [];
  const share = kind === 'planted' ? 'sensitivity' : 'specificity';
  return [
    `## ${title}`,
    words,
    table(
      `check | kind | ${share} | 95 % interval | goal`,
      lines.map((each) => `| ${each.check} ${each.type} | ${each.corpus} | ${cells(each).join(' | ')} |`),
    ),
  ];
}

/**
 * The page. `scenarios`: what `summarise` gives; `peers`: what `readPeers` gives, empty where no other package was
 * asked; `unchanged`: a sentence about figures that must stay, if there is one.
 */
export function markdown(scenarios, { seed, planted, clean }, peers = []) {
  const checks = byCheck(scenarios);
  const kinds = byCorpus(checks);
  const others = comparison(peers);
  const parts = [
    firstPage({ checks, kinds, others, seed, planted, clean }),
    '## All checks',
    overview(checks),
    ...(peers.length > 0 ? ['## Beside other packages', others.text] : []),
    ...corpora(kinds, 'planted', 'Kinds of planted leaks', `Goal of each: a lower limit of ${GOALS.planted}.`),
    ...corpora(
      kinds,
      'clean',
      'Kinds of clean data',
      `Goal of each: a specificity of ${GOALS.cleanCorpus}. Most kinds have too few cases for a lower limit of that.`,
    ),
    ...checks.flatMap(({ check, type, rows }) => [
      `## ${check} ${type}`,
      ...['planted', 'clean'].flatMap((kind) => {
        const alike = rows.filter((each) => each.kind === kind);
        return alike.length > 0 ? [table(HEAD[kind], alike.map(row))] : [];
      }),
    ]),
  ];
  return `${parts.join('\n\n')}\n`;
}
