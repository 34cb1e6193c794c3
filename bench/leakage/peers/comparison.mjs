/** cvkit beside rules of other packages: counts on the cases that both judged, and where a rule is better. */
import { accuses, grouped } from '../summary.mjs';

const PACKAGES = { trustcv: 'trustcv', deepchecks: 'deepchecks', 'cleanlab or cleanvision': 'clean' };
const none = () => ({ found: 0, accused: 0 });

/** `{ check, type, rule, planted, clean, ours, theirs, raised }` per check and rule, over scenarios with a goal. */
function countsOf(scenarios) {
  const rows = new Map();
  for (const { check, type, kind, goal, cases } of scenarios) {
    if (goal === false) continue;
    for (const { status, fired, errors } of cases) {
      for (const [rule, theirs] of Object.entries(fired)) {
        const key = `${check}/${rule}`;
        if (!rows.has(key))
          rows.set(key, { check, type, rule, planted: 0, clean: 0, ours: none(), theirs: none(), raised: 0 });
        const row = rows.get(key);
        row[kind]++;
        const word = kind === 'planted' ? 'found' : 'accused';
        row.ours[word] += Number(accuses(status));
        row.theirs[word] += Number(theirs);
        row.raised += Number(rule in errors);
      }
    }
  }
  return [...rows.values()].sort((a, b) => (`${a.check}${a.rule}` < `${b.check}${b.rule}` ? -1 : 1));
}

/** Mean of the shares that were right, over the kinds of cases that there are. */
function rightOf({ found, accused }, { planted, clean }) {
  const shares = [...(planted ? [found / planted] : []), ...(clean ? [1 - accused / clean] : [])];
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/**
 * `text` (tables in Markdown), `rows`, `versions`, the number of `rules`, the rows where a rule is `better` (right more
 * often, the mean of sensitivity and specificity), and those where it is `finding` more leaks but is not better.
 */
export function comparison(scenarios) {
  const rows = countsOf(scenarios);
  const better = rows.filter((row) => rightOf(row.theirs, row) > rightOf(row.ours, row));
  const finding = rows.filter((row) => row.theirs.found > row.ours.found && !better.includes(row));
  const versions = Object.assign({}, ...scenarios.map((each) => each.versions));
  const rules = rows.length;
  return { rows, better, finding, versions, rules, text: rules === 0 ? '' : text(rows, better, scenarios) };
}

function text(rows, better, scenarios) {
  const of = (count, cases) => (cases === 0 ? '—' : String(count));
  const lines = rows.map(
    (row) =>
      `| ${row.check} ${row.type} | ${row.rule} | ${row.planted} | ${of(row.ours.found, row.planted)} | ${of(row.theirs.found, row.planted)} | ` +
      `${row.clean} | ${of(row.ours.accused, row.clean)} | ${of(row.theirs.accused, row.clean)} | ${row.raised} | ${better.includes(row) ? 'rule' : rightOf(row.theirs, row) === rightOf(row.ours, row) ? 'equal' : 'cvkit'} |`,
  );
  const most = Math.max(...scenarios.map(({ cases }) => cases.length));
  return [
    `The first ${most} cases of every scenario that a rule can read, with up to ${Math.max(...scenarios.map(({ n }) => n))} rows. A rule fires when it complains about any fold
(the first 10 are asked); about pairs only when a fold tears them. Text is one number a level, and a missing cell the mean of its
column, for rules that take numbers alone. "Raised": the rule ended in an error, and counts as silent. "Right more often": by the mean
of sensitivity and specificity.`,
    [
      '| check | rule | planted | cvkit found | rule found | clean | cvkit accused | rule accused | raised | right more often |',
      '|---|---|---|---|---|---|---|---|---|---|',
      ...lines,
    ].join('\n'),
    without(rows),
    kinds(scenarios),
    HOW,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Checks that a package has no rule for. */
function without(rows) {
  const checks = [...new Map(rows.map(({ check, type }) => [check, `${check} ${type}`]))];
  const lines = Object.entries(PACKAGES).flatMap(([name, start]) => {
    const lacking = checks.filter(([check]) => !rows.some((row) => row.check === check && row.rule.startsWith(start)));
    return lacking.length > 0 ? [`- ${name} has none for ${lacking.map(([, words]) => words).join(', ')}.`] : [];
  });
  return lines.join('\n');
}

/** The same by kinds of leaks and clean data that have a name, in one line each. */
function kinds(scenarios) {
  const named = scenarios.filter(({ corpus, goal }) => corpus && goal !== false);
  if (named.length === 0) return '';
  const lines = [...grouped(named, ({ check, kind, corpus }) => `${check}/${kind}/${corpus}`).values()].flatMap(
    (alike) => {
      const [{ check, kind, corpus }] = alike;
      const word = kind === 'planted' ? 'found' : 'accused';
      const rows = countsOf(alike);
      if (rows.length === 0) return [];
      const cases = Math.max(...rows.map((row) => row[kind]));
      const each = rows.map((row) => `${row.rule} ${row.theirs[word]}${row[kind] < cases ? ` of ${row[kind]}` : ''}`);
      const ours = Math.max(...rows.map((row) => row.ours[word]));
      return [`| ${check} | ${kind} | ${corpus} | ${cases} | ${ours} | ${each.join('; ')} |`];
    },
  );
  return ['| check | kind | what | cases | cvkit | rules |', '|---|---|---|---|---|---|', ...lines].join('\n');
}

const HOW = `### How the rules were asked

- trustcv's own checker is called per fold with its defaults: near-duplicates from a cosine of .99 of standardised features, a correlation
  with the label above .95, label shares more than .2 apart, any pair of places nearer than a tenth of all pairs, means and standard
  deviations that are equal to 1e-10, equal means of the training rows and of all rows. Its check of duplicates hashes a row together with
  its row number, so that it sees copies at equal places alone.
- cleanlab's Datalab is called with \`near_duplicate\` on standardised features: a neighbour nearer than .13 of the median distance to the
  nearest one, cosine above three columns, Euclidean below. Its \`identifier_column\` (whole numbers that run from one to the next, as many
  as rows) is documented but cannot be asked for in this version; the rule is written anew. For pictures its judge of spurious
  correlations (score below .3) is given cleanvision's scores of dark, light, uninformative and blurry pictures.
- Rules on single features are not asked about pictures. deepchecks' conditions are written anew from its documentation, with the defaults of its suites: shares of copies above .05, drift of
  features from .2 and of labels from .15 (Kolmogorov-Smirnov distance, Cramér's V), predictive power score from .8, in the training rows
  from .7 or .2 apart, a test row as old as the youngest training row, a patient on both sides, two spellings of a text, a new label.
- cleanvision's hashes, too: equal MD5 sums, and equal perceptual hashes of 64 bits.`;
