/** When a coverage meets the goals, and when it fails them. */
import { GOALS } from './scenarios.mjs';

const Z = 1.959963984540054;

/** Wilson's 95 % limits of a share of `hits` in `n`. */
export function wilson(hits, n) {
  const [share, square] = [hits / n, Z * Z];
  const middle = (share + square / (2 * n)) / (1 + square / n);
  const half = (Z * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n))) / (1 + square / n);
  return [middle - half, middle + half];
}

/**
 * The verdict on the coverage of one scenario: 'too low' only if the upper limit lies below the goal, 'too high' only
 * if the lower limit lies above its upper goal, which counts only where the true AUC is below `mostAuc`; 'close' if
 * the coverage itself is on the wrong side of a goal and its limits hold the goal; else 'met'.
 */
export function verdict({ covered, limits }, { stable, trueAuc }) {
  const least = GOALS.least[stable ? 'stable' : 'unstable'];
  const bounded = trueAuc < GOALS.mostAuc;
  if (limits[1] < least) return 'too low';
  if (bounded && limits[0] > GOALS.most) return 'too high';
  return covered < least || (bounded && covered > GOALS.most) ? 'close' : 'met';
}

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
};

export const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * What `rows` of one metric say of a method: how coverage spreads, verdicts, and the goals of the mean and the width.
 */
export function judge(rows, method = 'fits10') {
  const given = rows.filter((row) => row.methods[method]);
  if (given.length === 0) return undefined;
  const covered = given.map((row) => row.methods[method].covered);
  const verdicts = given.map((row) => ({ row, verdict: verdict(row.methods[method], row) }));
  const fair = given.filter(
    ({ methods, ratios }) => methods.corrected_t?.covered >= GOALS.rulerCovers && Number.isFinite(ratios[method]),
  );
  const mean = meanOf(covered);
  const width = fair.length > 0 ? median(fair.map(({ ratios }) => ratios[method])) : undefined;
  return {
    scenarios: given.length,
    repetitions: Math.min(...given.map((row) => row.methods[method].n)),
    missing: given.reduce((sum, row) => sum + row.methods[method].missing, 0),
    lowest: Math.min(...covered),
    highest: Math.max(...covered),
    mean,
    meanMet: mean >= GOALS.mean[0] && mean <= GOALS.mean[1],
    width,
    widthMet: width !== undefined && width <= GOALS.width,
    compared: fair.length,
    tooLow: verdicts.filter((each) => each.verdict === 'too low').map(({ row }) => row),
    tooHigh: verdicts.filter((each) => each.verdict === 'too high').map(({ row }) => row),
    close: verdicts.filter((each) => each.verdict === 'close').map(({ row }) => row),
  };
}
