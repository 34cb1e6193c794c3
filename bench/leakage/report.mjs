/** The tables of the leakage suite. */
import { existsSync, readFileSync } from 'node:fs';

const FIRED = ['failed', 'needs_review'];

/** Counts of a scenario over its chunks, with the 95 % Wilson interval of the share that fired. */
export function summarise(scenarios, tasks) {
  return scenarios.map((scenario) => {
    const statuses = tasks
      .filter(({ id, file }) => id === scenario.id && existsSync(file))
      .flatMap(({ file }) => JSON.parse(readFileSync(file, 'utf8')));
    const fired = statuses.filter((status) => FIRED.includes(status)).length;
    const open = statuses.filter((status) => status === 'not_evaluated').length;
    return { ...scenario, cases: statuses.length, fired, open };
  });
}

/** Wilson 1927, Journal of the American Statistical Association 22:209. */
function wilson(count, n) {
  const z = 1.959964;
  const p = count / n;
  const centre = (p + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

/** The goal of statistics: lower limits of .95 for sensitivity and .98 for specificity. */
const GOALS = { planted: 0.95, clean: 0.98 };

const met = (kind, low) => (low >= GOALS[kind] ? 'met' : 'not met');

function row({ kind, n, effect, cases, fired, open, goal = true }) {
  const right = kind === 'planted' ? fired : cases - fired;
  const interval = wilson(right, cases).map((limit) => limit.toFixed(3));
  const share = `${(right / cases).toFixed(3)} | ${interval.join('-')}`;
  return `| ${n} | ${effect ?? '—'} | ${fired} of ${cases} | ${share} | ${open} | ${goal ? 'yes' : '—'} |`;
}

const HEAD = {
  planted: 'n | effect | found | sensitivity | 95 % interval | not evaluated | counts',
  clean: 'n | what is true | accused | specificity | 95 % interval | not evaluated | counts',
};
const table = (kind, rows) => [`| ${HEAD[kind]} |`, '|---|---|---|---|---|---|---|', ...rows.map(row)].join('\n');

/** All checks together: one line each over the scenarios that a goal is set for. */
function overview(checks) {
  const lines = checks.map(([check, rows]) => {
    const cells = ['planted', 'clean'].flatMap((kind) => {
      const judged = rows.filter((each) => each.kind === kind && each.goal !== false);
      const cases = judged.reduce((sum, each) => sum + each.cases, 0);
      if (cases === 0) return ['—', '—', '—'];
      const fired = judged.reduce((sum, each) => sum + each.fired, 0);
      const right = kind === 'planted' ? fired : cases - fired;
      const [low, high] = wilson(right, cases);
      return [
        `${(right / cases).toFixed(4)} (${right} of ${cases})`,
        `${low.toFixed(3)}-${high.toFixed(3)}`,
        met(kind, low),
      ];
    });
    return `| ${check} ${rows[0].type} | ${cells.join(' | ')} |`;
  });
  return [
    '| check | sensitivity | 95 % interval | goal | specificity | 95 % interval | goal |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

export function markdown(scenarios, { seed, planted, clean }) {
  const judged = scenarios.filter(({ cases }) => cases > 0);
  const checks = [...grouped(judged)].sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = checks.map(([check, rows]) => {
    const of = (kind) => rows.filter((each) => each.kind === kind);
    return [
      `## ${check} ${rows[0].type}`,
      ...['planted', 'clean'].flatMap((kind) => (of(kind).length > 0 ? [table(kind, of(kind))] : [])),
    ].join('\n\n');
  });
  return `# How often the checks find a leak, and how often they accuse a clean set

\`npm run bench:leakage\`, seed ${seed}: ${planted} data sets with a planted leak and ${clean} clean twins per check, or more.
"Found" and "accused" count the statuses \`failed\` and \`needs_review\`. The goal of every check is a lower 95 % limit
(Wilson) of .95 for sensitivity at the effects that it promises to find, and of .98 for specificity. Scenarios that do not
count for it are points of the power curve, below or above what the check promises, or rows that coincide by chance.

${overview(checks)}

${parts.join('\n\n')}
`;
}

/** By check; `Map.groupBy` is younger than Node 20. */
function grouped(scenarios) {
  const found = new Map();
  for (const scenario of scenarios) found.set(scenario.check, [...(found.get(scenario.check) ?? []), scenario]);
  return found;
}
