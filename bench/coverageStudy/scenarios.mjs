/** Both grids of the coverage study, their metrics, and the goals that statistics.md sets. */
import { COLUMNS, JUDGING } from './judgingGrid.mjs';
import { LEARNERS } from './learners/index.mjs';
import { TUNING } from './tuningGrid.mjs';

/** Features of a sample: five, of which two carry signal, or a hundred where the learner selects. */
const featuresOf = (learner) => (learner === 'select5of100' ? 100 : 5);

const scenarios = (grid, lines) =>
  lines.map((line) => {
    const facts = Object.fromEntries(line.map((value, at) => [COLUMNS[at], value]));
    return {
      ...facts,
      grid,
      between: facts.rows === 1 ? 0 : 0.5,
      features: featuresOf(facts.learner),
      stable: LEARNERS[facts.learner].stable,
      id: `${grid}-${facts.name.replaceAll(/\W+/g, '-')}`,
    };
  });

export const SCENARIOS = [...scenarios('tuning', TUNING), ...scenarios('judging', JUDGING)];

/** The metrics that have goals. */
export const JUDGED = ['roc_auc', 'accuracy', 'sensitivity', 'specificity', 'brier'];

/** Further metrics, which are only reported. */
const REPORTED = ['balanced_accuracy', 'precision', 'npv', 'f1', 'mcc', 'log_loss'];

export const METRICS = [...JUDGED, ...REPORTED];

/** Means of a loss of each row. */
export const LOSSES = ['accuracy', 'brier', 'log_loss'];

export const RANGES = Object.fromEntries(
  METRICS.map((name) => [name, { mcc: [-1, 1], log_loss: [0, Number.POSITIVE_INFINITY] }[name] ?? [0, 1]]),
);

/** Goals for the coverage of 95 % intervals. `mostAuc`: the upper goal holds below this true AUC. */
export const GOALS = {
  least: { stable: 0.93, unstable: 0.91 },
  most: 0.99,
  mostAuc: 0.95,
  mean: [0.94, 0.97],
  width: 0.85,
  rulerCovers: 0.93,
};
