/**
 * The page of the docs: a page of words and a picture, then the tables. Every sentence about a result is made from the
 * numbers.
 */
import { TITLES } from './picture.mjs';
import { GOALS, JUDGED, METRICS } from './scenarios.mjs';
import { everyScenario, methodTable, predictionsTable, share, unseenTable } from './tables.mjs';
import { judge } from './verdicts.mjs';

const GRIDS = { judging: 'The judging grid', tuning: 'The tuning grid' };

const gridsOf = (summary) => ['judging', 'tuning'].filter((grid) => summary.some((row) => row.grid === grid));

/** `counts` and `seeds` of the run; `frozenAt`: the commit that froze the judging grid. */
export function page(summary, { counts, seeds, frozenAt }) {
  const grids = gridsOf(summary);
  const lines = ['# Coverage of the default interval', '', ...words(summary, grids, { counts, frozenAt }), ''];
  for (const grid of grids) {
    const rows = summary.filter((row) => row.grid === grid);
    lines.push(`## ${GRIDS[grid]}`, '', `Seed ${seeds[grid]}.`, '');
    lines.push('### Methods', '', ...methodTable(rows), '');
    lines.push('### Without fits: the models of the folds', '', ...predictionsTable(rows), '');
    lines.push('### Where the training part is 0', '', ...unseenTable(rows), '');
    lines.push('Each scenario alone: [all scenarios](coverage-scenarios.md).', '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The tables of the single scenarios, a page of their own. */
export function scenariosPage(summary) {
  const lines = [
    '# Coverage: every scenario',
    '',
    'The scenarios behind the summary in [Coverage](coverage.md), which says how they were made.',
    '',
  ];
  for (const grid of gridsOf(summary)) {
    lines.push(`## ${GRIDS[grid]}`, '', ...everyScenario(summary.filter((row) => row.grid === grid)), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** What was judged before, and what came of it. */
const BEFORE = [
  '**An earlier form of the interval** was judged on another grid, frozen at f5a15f73f2f6. Its sensitivity covered .842, .906 and .908 in three scenarios',
  'with little or no signal, nearly always by estimates of exactly 0, which had no training part. They have one now, and the rule for the',
  'degrees of freedom is another one (`docs/intervals-theory.md`); grid and seeds of this page are new.',
  '',
  'Six scenarios ("sizes by label", "interaction, neighbours", "interaction, boosting", "many rows, hard ones more", "large, rare", "ten folds") were run',
  'before halvings with a half without a value were left out. That changes none of the metrics with goals, and up to one in twelve of the intervals of precision, NPV and MCC there.',
  '',
];

/** The first page. It speaks of the judging grid where that was run. */
function words(summary, grids, { counts, frozenAt }) {
  const [grid] = grids;
  if (!grid) return ['Nothing has been run.'];
  const rows = summary.filter((row) => row.grid === grid);
  const scenarios = new Set(rows.map(({ id }) => id)).size;
  const verdicts = JUDGED.flatMap((metric) => {
    const judged = judge(rows.filter((row) => row.metric === metric));
    return judged ? [{ metric, ...judged }] : [];
  });
  const repetitions = Math.min(...verdicts.map((each) => each.repetitions));
  const origin =
    grid === 'judging' && frozenAt
      ? `They were fixed in advance: the grid was frozen at commit ${frozenAt.slice(0, 12)}, and its seeds come from that hash.`
      : 'This is the grid that recipes were tried on; it proves nothing. The judging grid has not been run.';
  const error = Math.sqrt((0.95 * 0.05) / repetitions);
  return [
    'A 95 % interval should hold the true value in 95 of 100 studies. Here the true value is known, since the patients are simulated:',
    'it is the mean performance, on new patients, of models that are trained by the same procedure on as many patients as a fold is',
    'trained on (the estimand `procedure`). Each study is a fresh sample of patients, a cross-validation by cvkit, and the interval of',
    '`ciFits: 10`, which trains on ten pairs of halves to estimate what training adds.',
    '',
    `The words below are about ${plural(scenarios, 'scenario')} with ${repetitions} or more repetitions each that gave an interval. ${origin}`,
    `The standard error of a coverage of .95 is ${share(error, 4)}. True values come from ${counts.truth} training sets per scenario.`,
    '',
    '![Coverage of the 95 % interval against its width, one dot per scenario and metric](images/coverage.svg)',
    '',
    ...verdicts.flatMap(sentences),
    '',
    ...reportedWords(rows),
    '',
    ...widthWords(verdicts),
    '',
    ...predictionWords(rows),
    '',
    ...BEFORE,
    `Goals: coverage ${share(GOALS.least.stable, 2)} or more in every scenario (${share(GOALS.least.unstable, 2)} for learners that change much with their training set), ${share(GOALS.mean[0], 2)} to`,
    `${share(GOALS.mean[1], 2)} on the average, never above ${share(GOALS.most, 2)} where the true AUC is below ${share(GOALS.mostAuc, 2)}, and a width of at most ${share(GOALS.width, 2)} of the corrected t interval in the`,
    `median, where that one covers ${share(GOALS.rulerCovers, 2)} or more. A scenario fails a goal only if the 95 % limits of its coverage (Wilson) lie beyond it.`,
    'Samples have 20 patients or more of each class. Again: `npm run study:coverage`.',
  ];
}

function sentences({ metric, scenarios, lowest, highest, mean, meanMet, tooLow, tooHigh, close }) {
  const names = (rows) => rows.map((row) => `"${row.name}" (${share(row.methods.fits10.covered)})`).join(', ');
  const failed = [
    ...(tooLow.length > 0 ? [`too low in ${plural(tooLow.length, 'scenario')}: ${names(tooLow)}`] : []),
    ...(tooHigh.length > 0 ? [`too high in ${plural(tooHigh.length, 'scenario')}: ${names(tooHigh)}`] : []),
    ...(meanMet ? [] : ['the mean is outside its goal']),
  ];
  const more = close.length > 0 ? ` Beyond a goal, but within the error of simulation: ${names(close)}.` : '';
  return [
    `- **${TITLES[metric]}** covers ${share(mean)} on the average of ${plural(scenarios, 'scenario')}, from ${share(lowest)} to ${share(highest)}: ${failed.length > 0 ? failed.join('; ') : 'all goals met'}.${more}`,
  ];
}

/** Metrics without goals, by the lower goal of the others. */
function reportedWords(rows) {
  const low = METRICS.filter((metric) => !JUDGED.includes(metric)).flatMap((metric) => {
    const judged = judge(rows.filter((row) => row.metric === metric));
    return judged && judged.tooLow.length > 0
      ? [`${metric} in ${plural(judged.tooLow.length, 'scenario')} (lowest ${share(judged.lowest)})`]
      : [];
  });
  if (low.length === 0) return [];
  return [
    `**Not for every metric.** Metrics that have no goal cover too little, by the same bound, in some scenarios: ${low.join(', ')}. These are functions of counts whose`,
    'estimates lie near a corner when a model calls hardly anyone positive, where the delta method fails. There the tables below say what to expect.',
  ];
}

function widthWords(verdicts) {
  const parts = verdicts.map(({ metric, width, widthMet, compared }) =>
    width === undefined
      ? `${TITLES[metric]} could not be compared`
      : `${TITLES[metric]} ${width.toFixed(2)} (${plural(compared, 'scenario')}, goal ${widthMet ? 'met' : 'missed'})`,
  );
  return [
    `Width compared with the corrected t interval, median over scenarios where that one covers enough: ${parts.join('; ')}.`,
  ];
}

function predictionWords(rows) {
  const judged = rows.filter(({ metric, predictions }) => JUDGED.includes(metric) && predictions);
  if (judged.length === 0) return ['`ciFits: 0` was not run.'];
  const lowest = (of) => share(Math.min(...judged.map(of)));
  const mean = (of) => share(judged.reduce((sum, row) => sum + of(row), 0) / judged.length);
  const procedure = (row) => row.methods.fits0.covered;
  const own = (row) => row.predictions.covered;
  return [
    `Without fits (\`ciFits: 0\`) the interval is about the models of these folds. Over scenarios and the metrics above it covers their mean performance in ${mean(own)} of studies`,
    `on the average (lowest ${lowest(own)}), and the procedure, about which it makes no claim, in ${mean(procedure)} (lowest ${lowest(procedure)}).`,
  ];
}

const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
