/** The tables of the page. */
import { JUDGED, METRICS } from './scenarios.mjs';
import { judge, meanOf } from './verdicts.mjs';

/** A share as the page writes it: .950. */
export const share = (value, digits = 3) => value.toFixed(digits).replace(/^(-?)0\./, '$1.');

const three = (value) => (value === undefined || !Number.isFinite(value) ? '-' : share(value, 3));
const width = (value) => (value === undefined || !Number.isFinite(value) ? '-' : value.toFixed(2));

/** Methods of the table by name; `about` is what the interval claims to be about. */
const METHODS = {
  fits10: { title: '`ciFits: 10`', about: 'procedure' },
  fits5: { title: '`ciFits: 5`', about: 'procedure' },
  corrected_t: { title: 'corrected t', about: 'procedure' },
  conservative_z: { title: 'conservative z', about: 'procedure' },
  cv_bootstrap: { title: 'fast bootstrap (Cai et al.)', about: 'procedure' },
  nested_cv: { title: 'nested cross-validation', about: 'refitted model' },
  bayle_all: { title: 'Bayle et al., all pairs', about: 'predictions' },
  bayle_within: { title: 'Bayle et al., within folds', about: 'predictions' },
  fits0: { title: '`ciFits: 0`', about: 'predictions' },
};

const tableHead = (names) => [`| ${names.join(' | ')} |`, `|${names.map(() => '---').join('|')}|`];

/** Per metric and method: how often the procedure is covered. */
export function methodTable(rows) {
  const lines = [
    'How often the procedure is covered. "Width": median of the mean width over that of the corrected t interval, where that one covers .93 or more.',
    '"About": what the method claims to be about. "Failed": scenarios whose coverage is too low, too high. "Missing": repetitions without an interval.',
    '',
    ...tableHead([
      'metric',
      'method',
      'about',
      'scenarios',
      'repetitions',
      'lowest',
      'mean',
      'highest',
      'width',
      'failed',
      'missing',
    ]),
  ];
  for (const metric of METRICS) {
    const ofMetric = rows.filter((row) => row.metric === metric);
    for (const [method, { title, about }] of Object.entries(METHODS)) {
      const found = judge(ofMetric, method);
      if (!found) continue;
      const cells = [three(found.lowest), three(found.mean), three(found.highest), width(found.width)];
      const failed = `${found.tooLow.length}, ${found.tooHigh.length}`;
      lines.push(
        `| ${[metric, title, about, found.scenarios, found.repetitions, ...cells, failed, found.missing].join(' | ')} |`,
      );
    }
  }
  return lines;
}

/** `ciFits: 0`: its own estimand, what it covers of the procedure, and the warning. */
export function predictionsTable(rows) {
  const found = rows.filter(({ metric, predictions }) => JUDGED.includes(metric) && predictions);
  if (found.length === 0) return ['Not run.'];
  const lines = [
    'What `ciFits: 0` covers of its own estimand, the mean performance of the models of a repetition on a pool of new patients (at least 4,000, and 40 times the',
    'sample up to 40,000: the error of the pool adds about 1/40 to the variance, .003 to the coverage), and of the procedure. "Warned": share of runs in which the folds differ more than their test rows',
    'explain (Cochran, p < .01), of those that could be tested.',
    '',
    ...tableHead([
      'metric',
      'scenarios',
      'own: lowest',
      'mean',
      'highest',
      'procedure: lowest',
      'mean',
      'warned: lowest',
      'mean',
      'highest',
    ]),
  ];
  for (const metric of JUDGED) {
    const ofMetric = found.filter((row) => row.metric === metric);
    if (ofMetric.length === 0) continue;
    const own = ofMetric.map(({ predictions }) => predictions.covered);
    const procedure = ofMetric.map(({ methods }) => methods.fits0.covered);
    const marked = ofMetric.flatMap(({ predictions }) => predictions.marked ?? []);
    const warned =
      marked.length > 0
        ? [Math.min(...marked), meanOf(marked), Math.max(...marked)]
        : [undefined, undefined, undefined];
    const cells = [
      Math.min(...own),
      meanOf(own),
      Math.max(...own),
      Math.min(...procedure),
      meanOf(procedure),
      ...warned,
    ];
    lines.push(`| ${[metric, ofMetric.length, ...cells.map(three)].join(' | ')} |`);
  }
  return lines;
}

/** Fewer intervals say too little about how often they cover. */
const LEAST_UNSEEN = 50;

/** Intervals of `ciFits: 10` with a training part of 0. */
export function unseenTable(rows) {
  const lines = [
    "Intervals of `ciFits: 10` whose halves show no effect of training: how many of a scenario's intervals they are, and how often they cover. Coverage is",
    `that of scenarios with ${LEAST_UNSEEN} of them or more.`,
    '',
    ...tableHead(['metric', 'share: lowest', 'mean', 'highest', 'covered: lowest', 'mean', 'highest', 'scenarios']),
  ];
  for (const metric of JUDGED) {
    const ofMetric = rows.filter((row) => row.metric === metric);
    if (ofMetric.length === 0) continue;
    const shares = ofMetric.map(({ unseen }) => unseen?.share ?? 0);
    const covered = ofMetric.flatMap(({ unseen }) => (unseen && unseen.n >= LEAST_UNSEEN ? [unseen.covered] : []));
    const cells = [shares, covered].flatMap((values) =>
      values.length > 0
        ? [Math.min(...values), meanOf(values), Math.max(...values)]
        : [undefined, undefined, undefined],
    );
    lines.push(`| ${[metric, ...cells.map(three), covered.length].join(' | ')} |`);
  }
  return lines;
}

/** One line per scenario and metric. */
export function everyScenario(rows) {
  const lines = [
    ...tableHead([
      'scenario',
      'what',
      'metric',
      'truth (s.e.)',
      'bias / sd',
      '`ciFits: 10`',
      'limits',
      'width',
      '`5`',
      'corrected t',
      'conservative z',
      'bootstrap',
      '`0`',
      'own',
      'warned',
    ]),
  ];
  for (const row of rows) {
    const of = (method) => three(row.methods[method]?.covered);
    const { covered, limits } = row.methods.fits10;
    const cells = [
      row.name,
      facts(row),
      row.metric,
      `${three(row.truth)} (${share(row.truthSe, 4)})`,
      width(row.bias),
      three(covered),
      `${three(limits[0])}-${three(limits[1])}`,
      width(row.ratios.fits10),
      ...['fits5', 'corrected_t', 'conservative_z', 'cv_bootstrap', 'fits0'].map(of),
      three(row.predictions?.covered),
      three(row.predictions?.marked),
    ];
    lines.push(`| ${cells.join(' | ')} |`);
  }
  return lines;
}

/** What a scenario is, in a few words. */
function facts({ n, rows, sizes, labels, kind, signal, learner, prevalence, folds, repeats, sampling }) {
  return [
    `${n} patients`,
    ...(rows > 1
      ? [`${rows} rows each${{ label: ', more for positive ones', hard: ', more for hard ones' }[sizes] ?? ''}`]
      : []),
    ...(labels === 'row' ? ['labels per row'] : []),
    `${kind} ${signal}`,
    learner,
    `prevalence ${share(prevalence, 2)}`,
    `${folds} folds${repeats > 1 ? ` x ${repeats}` : ''}`,
    ...(sampling === 'case_control' ? ['case-control'] : []),
  ].join('; ');
}
