import { MOST_DRAWS } from '../../core/numbers.js';
import { type InputOf, integer, oneOf, optionTable, randomState } from '../../core/options.js';
import { type RandomSource, randomInterval, randomSource } from '../../core/random.js';
import { gather } from '../../data/labels.js';
import { foldId } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { inputGroups, requireAtLeastTwo } from '../splitInput.js';
import type { Fold } from '../splitter.js';

const options = optionTable('BootstrapValidation', {
  nIterations: integer({ min: 1, max: MOST_DRAWS })
    .default(100)
    .describe('Number of bootstrap samples; each is one fold.'),
  estimator: oneOf('standard', '.632', '.632+', 'optimism')
    .default('standard')
    .describe(
      "Recorded with the design; the folds are the same. CVKitValidator makes the estimate of it: 'standard' is the out-of-bag mean, the others add a model of all rows.",
    ),
  randomState: randomState().default(null).describe('Seed of the draws.'),
});

export type BootstrapValidationOptions = InputOf<typeof options>;

/**
 * Bootstrap with out-of-bag test sets (Efron & Tibshirani 1993, "An Introduction to the Bootstrap", chapter 17; the
 * estimators .632 and .632+: Efron & Tibshirani 1997, JASA 92:548). Each fold draws n of the n rows with replacement:
 * `train` is ascending and holds a row as often as it was drawn; `test` is the rows never drawn, about 36.8 % of them.
 *
 * When groups are given, whole groups are drawn, as many as there are, and a group drawn twice has all its rows twice
 * (the cluster bootstrap: Davison & Hinkley 1997, section 3.8); no group is then both in and out of the bag.
 *
 * One random stream serves all folds. Draws are those of `numpy.random.RandomState(seed).randint(0, n, n)`, fold by
 * fold. A draw that leaves nothing to test on (every second one of 2 rows, one in 2,755 of 10) is drawn again.
 *
 * Throws `InfeasibleSplitError` when there are fewer than 2 rows (or groups).
 *
 * @example
 * new BootstrapValidation({ nIterations: 200, randomState: 42 }).split(X, y, { groups });
 */
export class BootstrapValidation extends defineSplitter({
  options,
  facts: {
    family: 'iid',
    description: 'Trains on rows (or whole groups) drawn with replacement and tests on those never drawn.',
    needs: [],
    uses: ['groups'],
    claims: { disjointGroups: true },
  },
  nSplits: ({ nIterations }) => nIterations,
  estimator: ({ estimator }) => (estimator === 'standard' ? undefined : estimator),
  plan(input, { nIterations, randomState }) {
    const source = randomSource(randomState);
    if (!input.data.groups) return bags(nIterations, requireAtLeastTwo(options.owner, input.n, 'rows'), source);
    const { codes, count } = inputGroups(input);
    return bags(nIterations, requireAtLeastTwo(options.owner, count, 'groups'), source, codes);
  },
})<BootstrapValidationOptions> {}

function* bags(nIterations: number, count: number, source: RandomSource, codes?: Int32Array): Generator<Fold> {
  for (let fold = 0; fold < nIterations; fold++) {
    const times = timesDrawn(count, source);
    yield { id: foldId(fold), ...inAndOut(codes ? gather(times, codes) : times) };
  }
}

function timesDrawn(count: number, source: RandomSource): Int32Array {
  for (;;) {
    const times = new Int32Array(count);
    for (let draw = 0; draw < count; draw++) times[randomInterval(source, count - 1)]++;
    if (times.includes(0)) return times;
  }
}

function inAndOut(times: Int32Array): Pick<Fold, 'train' | 'test'> {
  const train = new Int32Array(times.reduce((sum, count) => sum + count, 0));
  const test = new Int32Array(times.reduce((sum, count) => sum + Number(count === 0), 0));
  let trained = 0;
  let tested = 0;
  for (let row = 0; row < times.length; row++) {
    if (times[row] === 0) test[tested++] = row;
    for (let copy = 0; copy < times[row]; copy++) train[trained++] = row;
  }
  return { train, test };
}
