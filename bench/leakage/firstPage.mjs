/** The first page in words: goals met and unmet, where other packages are better, what a reader may conclude. */
import { GOALS, verdictOf } from './summary.mjs';

const SHARES = { planted: 'sensitivity', clean: 'specificity' };
const three = (value) => value.toFixed(3).replace(/^0/, '');
const whole = (value) => value.toLocaleString('en-US');
const bullets = (lines) => lines.map((line) => `- ${line}`).join('\n');

/** One line for each goal that is not met, or one that says that all are. */
function goals(checks, kinds) {
  const all = [
    ...checks.flatMap(({ check, type, planted, clean }) => of(`${check} ${type}`, planted, clean)),
    ...named(kinds),
  ];
  const byVerdict = (verdict) => all.filter((each) => each.verdict === verdict);
  const unmet = [...byVerdict('not met'), ...byVerdict('too few cases')];
  const lines = unmet.map(({ name, kind, right, cases, low, corpus, verdict }) => {
    const wrong =
      kind === 'planted'
        ? `found ${whole(right)} of ${whole(cases)}`
        : `accused ${whole(cases - right)} of ${whole(cases)}`;
    const goal =
      corpus && kind === 'clean' ? `specificity ${three(GOALS.cleanCorpus)}` : `lower limit ${three(GOALS[kind])}`;
    const so = verdict === 'not met' ? 'Not met' : 'Too few cases to say';
    return `**${so}**: ${SHARES[kind]} of ${name}, ${wrong} (lower limit ${three(low)}; goal: ${goal}).`;
  });
  return bullets([...lines, `Met: ${all.length - unmet.length} of ${all.length} goals.`]);
}

const of = (name, ...rights) =>
  rights.flatMap((right) => (right ? [{ name, ...right, verdict: verdictOf(right) }] : []));
const named = (kinds) => kinds.flatMap((each) => of(`${each.check} ${each.type} on "${each.corpus}"`, each));

/** Where rules of other packages did better on the same cases. */
function peers({ versions, better, finding, rules }) {
  if (rules === 0) return 'Other packages were not asked in this run (`npm run bench:leakage:peers`).';
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version ?? '(not installed)'}`);
  const lines = [
    ...better.map(
      (each) =>
        `**${each.rule}** is better than ${each.check}: found ${each.theirs.found} of ${each.planted} (cvkit ${each.ours.found}), ` +
        `accused ${each.theirs.accused} of ${each.clean} (cvkit ${each.ours.accused}).`,
    ),
    ...finding.map(
      (each) =>
        `${each.rule} finds more than ${each.check} (${each.theirs.found} against ${each.ours.found} of ${each.planted}), ` +
        `and accuses more (${each.theirs.accused} against ${each.ours.accused} of ${each.clean} clean sets).`,
    ),
  ];
  const all = `${rules} rules were asked about the same cases (${names.join(', ')};
deepchecks and cleanvision by their rules as documented).`;
  return lines.length > 0
    ? `${all}\n\n${bullets(lines)}`
    : `${all} No rule is right more often than the check of cvkit, and none finds more planted leaks.`;
}

export function firstPage({ checks, kinds, others, seed, planted, clean }) {
  const count = (kind) =>
    whole(
      checks.reduce((sum, { rows }) => sum + rows.reduce((s, each) => s + (each.kind === kind ? each.cases : 0), 0), 0),
    );
  return `# How often the checks find a leak, and how often they accuse a clean set

Data sets with a leak that was put in on purpose, and clean twins without one, all made by programs: ${count('planted')} planted and
${count('clean')} clean sets. Each check sees its own and says what it thinks. "Found" and "accused" count the statuses \`failed\` and
\`needs_review\`.

## Goals

Every check: a lower 95 % limit (Wilson) of ${three(GOALS.planted)} for sensitivity at the effects that it promises to find, and of ${three(GOALS.clean)} for specificity.
Kinds of leaks that have a name of their own: ${three(GOALS.planted)} each; kinds of clean data: a specificity of ${three(GOALS.cleanCorpus)} each.
A kind of clean data that misses its goal in its first cases, mostly 50, is judged by 200.

${goals(checks, kinds)}

## Where others are better

${peers(others)}

![Sensitivity against specificity, one dot per check of cvkit and per rule of other packages](images/leakage-benchmark.svg)

## What you may conclude

- A check that meets its goals finds leaks of these kinds and sizes, in data like these, nearly always, and seldom accuses such data
  when they are clean. One clean set in a hundred may still be accused by each check: a finding is a reason to look.
- Scenarios with a dash in the column "counts" show where a check stops to see. They have effects below or above what is promised, or
  rows that coincide by chance.
- "Not evaluated" is neither found nor passed. In the column of planted leaks it counts as missed.

## What you may not conclude

- That data which pass have no leak. A leak of a kind that nobody planted here is not measured, and your data may be harder.
- How likely a finding is to be true in your data. That depends on how often such data have leaks, which nobody knows.
- That one package is better than another in general. The cases were written by the authors of cvkit, for its checks; rules of others
  were run at their defaults, and some were made for other questions.

\`npm run bench:leakage\`, seed ${seed}: ${planted} planted and ${clean} clean sets per check, or more, shared between its scenarios.`;
}
