/** Puts the chunks of the coverage study together and says whether its goals are met. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEARNERS } from './learners.mjs';
import { METRICS } from './scenarios.mjs';

/** Per scenario and metric: the truth, coverage and mean width of both methods. Scenarios without a chunk are left out. */
export function summarise(scenarios, folder, counts) {
  return scenarios.flatMap((scenario) => {
    const truths = chunks(folder, scenario.id, 'truth', counts.truth);
    const found = chunks(folder, scenario.id, 'intervals', counts.intervals);
    if (truths.length === 0 || found.length === 0) return [];
    return METRICS.flatMap((metric) => {
      const sum = (key) => truths.reduce((total, chunk) => total + chunk[metric][key], 0);
      const truth = sum('sum') / sum('count');
      const of = (method) =>
        coverage(
          found.flatMap((chunk) => chunk[metric][method]),
          truth,
        );
      const [ours, ruler] = [of('bootstrap'), of('corrected_t')];
      if (ours.missing === ours.repetitions) return []; // depends on the prevalence, in a case-control study
      return {
        ...scenario,
        stable: LEARNERS[scenario.learner].stable,
        metric,
        truth,
        ...ours,
        correctedT: ruler.covered,
        ratio: ours.width / ruler.width,
      };
    });
  });
}

function chunks(folder, id, kind, count) {
  const found = [];
  for (let from = 0; from < count; from++) {
    const file = join(folder, `${id}.${kind}.${from}.json`);
    if (existsSync(file)) found.push(JSON.parse(readFileSync(file, 'utf8')));
  }
  return found;
}

function coverage(intervals, truth) {
  const given = intervals.filter((each) => each !== null);
  const mean = (value) => given.reduce((sum, each) => sum + value(each), 0) / given.length;
  return {
    repetitions: intervals.length,
    missing: intervals.length - given.length,
    covered: mean(([lower, upper]) => (lower <= truth && truth <= upper ? 1 : 0)),
    width: mean(([lower, upper]) => upper - lower),
  };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** The goals of the study, judged for one metric over the rows of one grid. */
function judge(rows) {
  const floor = ({ stable }) => (stable ? 0.93 : 0.91);
  const rated = rows.filter(({ correctedT }) => correctedT >= 0.93);
  const mean = rows.reduce((sum, { covered }) => sum + covered, 0) / rows.length;
  return {
    mean,
    low: rows.filter((row) => row.covered < floor(row)),
    high: rows.filter(({ covered }) => covered > 0.99),
    wide: rated.filter(({ ratio }) => ratio > 0.8),
    medianRatio: rated.length > 0 ? median(rated.map(({ ratio }) => ratio)) : null,
  };
}

const share = (value) => value.toFixed(3);

/** The page of the docs. */
export function markdown(summary, { seed, intervals, truth }) {
  const lines = [
    '# Coverage of the default interval',
    '',
    `How often the default 95 % interval (\`ciMethod: 'bootstrap'\`) holds the expected value of the training procedure on new`,
    `patients, by simulation: \`npm run study:coverage\`, seed ${seed}, ${intervals} repetitions and ${truth} training sets per scenario.`,
    'Constants are fixed on the tuning grid and judged on the judging grid, which has other sizes, signals and learners.',
    `The standard error of a coverage of .95 is ${Math.sqrt((0.95 * 0.05) / intervals).toFixed(4)}.`,
    '"Width" is the mean width over that of the corrected t interval (Nadeau & Bengio 2003) of the same five folds, whose own',
    'coverage is in the last column.',
    '',
    'Goals: coverage of .93 or more for stable learners and .91 for unstable ones (trees, nearest neighbours), .99 at most, .94 to',
    '.97 on average; width at most .80 of the corrected t interval, .75 in the median, where that one covers .93 itself. They were',
    'set for roc_auc, accuracy, sensitivity, specificity and brier; the other metrics are judged alike. Every sample has 20',
    'patients or more of each class, else the default interval claims less. Where the number of positive patients cannot vary,',
    'the study is case-control and metrics that depend on the prevalence have no interval.',
    '',
  ];
  for (const grid of ['tuning', 'judging']) {
    const ofGrid = summary.filter((row) => row.grid === grid);
    if (ofGrid.length === 0) continue;
    lines.push(`## ${grid === 'tuning' ? 'Tuning grid' : 'Judging grid'}`, '');
    lines.push(
      '| metric | mean | lowest | highest | width, median | coverage outside the goal | too wide |',
      '|---|---|---|---|---|---|---|',
    );
    for (const metric of METRICS) {
      const rows = ofGrid.filter((row) => row.metric === metric);
      const { mean, low, high, wide, medianRatio } = judge(rows);
      const covered = rows.map((row) => row.covered);
      const names = (list) => list.map(({ id }) => id.replace(`${grid}-`, '')).join(', ') || 'none';
      lines.push(
        `| ${metric} | ${share(mean)} | ${share(Math.min(...covered))} | ${share(Math.max(...covered))} | ${
          medianRatio === null ? '' : medianRatio.toFixed(2)
        } | ${names([...low, ...high])} | ${names(wide)} |`,
      );
    }
    lines.push(
      '',
      '| scenario (patients-rows per patient-prevalence-signal-learner) | metric | truth | coverage | width | corrected t |',
    );
    lines.push('|---|---|---|---|---|---|');
    for (const row of ofGrid) {
      lines.push(
        `| ${row.id.replace(`${grid}-`, '')} | ${row.metric} | ${share(row.truth)} | ${share(row.covered)} | ${row.ratio.toFixed(2)} | ${share(row.correctedT)} |`,
      );
    }
    lines.push('');
  }
  return lines.join('\n');
}
