/**
 * What the default interval computes from test rows, in the plainest form, where every row is a patient of its own:
 * values, influences, and contrasts of halves and of folds. `docs/intervals-theory.md` derives those of halves.
 */

const LOSSES = {
  accuracy: { of: (label, q) => Number(Number(q > 0.5) === label), counts: () => true },
  sensitivity: { of: (_, q) => Number(q > 0.5), counts: (label) => label === 1 },
  brier: { of: (label, q) => (q - label) ** 2, counts: () => true },
};

export const METRICS = ['roc_auc', ...Object.keys(LOSSES)];

/**
 * Each metric of tested rows: `{ ranks, value, byBlock, influences }`. `blocks` are folds or halves, each `{ rows, q }` with the
 * probabilities of its rows; `influences` has one number per row of `y`. The area under the ROC curve is the mean over
 * blocks (LeDell, Petersen & van der Laan 2015, for its influences), all others count over all rows.
 */
export function tested(y, blocks) {
  return Object.fromEntries(
    METRICS.map((name) => [name, name === 'roc_auc' ? areas(y, blocks) : losses(y, blocks, LOSSES[name])]),
  );
}

function losses(y, blocks, { of, counts }) {
  const ofRow = new Float64Array(y.length);
  const byBlock = [];
  const counted = [];
  for (const { rows, q } of blocks) {
    let [sum, n] = [0, 0];
    rows.forEach((row, at) => {
      if (!counts(y[row])) return;
      ofRow[row] = of(y[row], q[at]);
      sum += ofRow[row];
      n++;
      counted.push(row);
    });
    byBlock.push(sum / n);
  }
  const value = meanOf(counted.map((row) => ofRow[row]));
  const influences = new Float64Array(y.length);
  for (const row of counted) influences[row] = (ofRow[row] - value) / counted.length;
  return { ranks: false, value, byBlock, influences };
}

function areas(y, blocks) {
  const places = blocks.map(({ rows, q }) => placesOf(y, rows, q));
  const byBlock = places.map(({ area }) => area);
  const value = meanOf(byBlock);
  const influences = new Float64Array(y.length);
  for (const [at, { rows }] of blocks.entries()) {
    const { place, counts } = places[at];
    rows.forEach((row, i) => {
      influences[row] = (place[i] - value) / (blocks.length * counts[y[row]]);
    });
  }
  return { ranks: true, value, byBlock, influences };
}

/** For each row the share of rows of the other class that it is in order with; ties count one half. */
function placesOf(y, rows, q) {
  const counts = [0, 0];
  const place = new Float64Array(rows.length);
  for (const row of rows) counts[y[row]]++;
  for (let i = 0; i < rows.length; i++) {
    if (y[rows[i]] !== 1) continue;
    for (let j = 0; j < rows.length; j++) {
      if (y[rows[j]] === 1) continue;
      const inOrder = q[i] > q[j] ? 1 : q[i] === q[j] ? 0.5 : 0;
      place[i] += inOrder / counts[0];
      place[j] += inOrder / counts[1];
    }
  }
  const area = meanOf([...place].filter((_, i) => y[rows[i]] === 1));
  return { area, place, counts };
}

/**
 * Covariance and training terms of one halving of a metric: `own` are the influences of the folds, `halves` what `tested`
 * says of the halves A and B, each tested by the model of the other.
 */
export function ofHalves(own, { ranks, byBlock, influences }, halves) {
  let [test, sums, shared, noise] = [0, 0, 0, 0];
  for (const [side, { rows }] of halves.entries()) {
    const centre = meanOf(Array.from(rows, (row) => own[row] - influences[row]));
    for (const row of rows) {
      const apart = own[row] - influences[row] - centre;
      test += side === 0 ? own[row] : -own[row];
      sums += side === 0 ? influences[row] : -influences[row];
      shared += own[row] * apart;
      noise += apart ** 2;
    }
  }
  const training = test - (ranks ? (byBlock[0] - byBlock[1]) / 2 : sums);
  return { covariance: test * training - shared, training: training ** 2 - noise };
}

/**
 * The same terms from the folds of repeated cross-validation, without a further fit. `repeats` are `{ folds, found }`, found
 * as `tested` says; `own` are the mean influences over repeats. A fold's training set is what the fold leaves out, so with K
 * folds the fold tests with t = K (sum of u over the fold) and its distance from the estimate is t less the
 * contrast of training, which counts 1 / (K - 1) of what the fold's patients would do as a training set.
 */
export function ofFolds(own, repeats) {
  const K = repeats[0].folds.length;
  let [covariance, training, noise] = [0, 0, 0];
  for (const { folds, found } of repeats) {
    for (const [k, { rows }] of folds.entries()) {
      const test = K * rows.reduce((sum, row) => sum + own[row], 0);
      const contrast = (K - 1) * (test - (found.byBlock[k] - found.value));
      covariance += (test * contrast) / (K - 1);
      training += contrast ** 2 / (K - 1);
    }
    // The noise of single patients: what K (K - 1) (own - influence) of each adds to the squares.
    own.forEach((u, row) => {
      noise += (found.influences[row] - u) ** 2;
    });
  }
  const R = repeats.length;
  return { covariance: covariance / (R * K), training: training / (R * K) - ((K - 1) * K * noise) / R };
}

/** Mean influences over repeats. */
export const meanInfluences = (found) =>
  found[0].influences.map((_, row) => meanOf(found.map(({ influences }) => influences[row])));

export const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
