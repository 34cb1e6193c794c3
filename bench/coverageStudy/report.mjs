/** Puts the chunks of the coverage study together. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
      const [ours, ruler] = [of('analytic'), of('corrected_t')];
      if (ours.missing === ours.repetitions) return []; // depends on the prevalence, in a case-control study
      return {
        ...scenario,
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

const share = (value) => value.toFixed(3);

/** The page of the docs. */
export function markdown(summary, { seed, intervals, truth }) {
  const lines = [
    '# What intervals about these predictions hold of the training procedure',
    '',
    `How often the 95 % interval of \`ciMethod: 'analytic'\`, the default interval without resampling, holds the expected value of`,
    'the training procedure on new patients. It does not claim to: it is about the models of these folds, and what another',
    'training set would change is not in it. The distance from .95 is what training adds.',
    `By simulation: \`npm run study:coverage\`, seed ${seed}, ${intervals} repetitions and ${truth} training sets per scenario.`,
    `The standard error of a coverage of .95 is ${Math.sqrt((0.95 * 0.05) / intervals).toFixed(4)}.`,
    '"Width" is the mean width over that of the corrected t interval (Nadeau & Bengio 2003) of the same five folds, whose own',
    'coverage is in the last column. Every sample has 20 patients or more of each class. Where the number of positive patients',
    'cannot vary, the study is case-control and metrics that depend on the prevalence have no interval.',
    '',
  ];
  for (const grid of ['tuning', 'judging']) {
    const ofGrid = summary.filter((row) => row.grid === grid);
    if (ofGrid.length === 0) continue;
    lines.push(`## ${grid === 'tuning' ? 'First grid' : 'Second grid'}`, '');
    lines.push('| metric | mean | lowest | highest | width, median |', '|---|---|---|---|---|');
    for (const metric of METRICS) {
      const rows = ofGrid.filter((row) => row.metric === metric);
      const covered = rows.map((row) => row.covered);
      const mean = covered.reduce((sum, each) => sum + each, 0) / covered.length;
      lines.push(
        `| ${metric} | ${share(mean)} | ${share(Math.min(...covered))} | ${share(Math.max(...covered))} | ${median(rows.map(({ ratio }) => ratio)).toFixed(2)} |`,
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
