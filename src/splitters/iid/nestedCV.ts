import { InfeasibleSplitError, InvalidDataError, InvalidOptionError, sentence } from '../../core/errors.js';
import { custom, type InputOf, type OptionTable, optionTable } from '../../core/options.js';
import { gather, labelsOf } from '../../data/labels.js';
import { takeSideData } from '../../data/sideData.js';
import { defineSplitter, type SplitterDefinition } from '../defineSplitter.js';
import { type FoldPlan, foldsOf } from '../foldsOf.js';
import type { SplitInput } from '../splitInput.js';
import {
  type Excluded,
  type Fold,
  type IterableSplitter,
  insteadOfFolds,
  isSplitter,
  iterableFolds,
  type Splitter,
  type SplitterClaims,
  withWarnings,
} from '../splitter.js';
import { KFold } from './kFold.js';

const splitterOption = () =>
  custom<Splitter>('Splitter', 'be a splitter, for example new KFold()', isSplitter).instead(insteadOfFolds);

export const nestedOptions = (outer: Splitter, inner: Splitter) => ({
  outerCv: splitterOption().default(outer).describe('Makes the outer folds, whose test rows are for the estimate.'),
  innerCv: splitterOption()
    .default(inner)
    .describe(
      'Splits the training rows of each outer fold: for tuning, early stopping, thresholds. A splitter with data of all rows in its constructor (coordinates, features) cannot serve here.',
    ),
});

type NestedShape = ReturnType<typeof nestedOptions>;

interface Rule {
  readonly must: string;
  holds(claims: SplitterClaims): boolean;
}

/** A class of nested splitters. A claim of the outer splitter is a claim of the whole. */
export const defineNested = (
  options: OptionTable<NestedShape>,
  facts: SplitterDefinition<NestedShape, undefined>['facts'],
  rule?: Rule,
) =>
  defineSplitter<NestedShape>({
    options,
    facts,
    prepare(splitters) {
      for (const [name, splitter] of Object.entries(splitters)) {
        if (!rule || rule.holds(splitter.claims ?? {})) continue;
        const subject = `The \`${name}\` option of ${options.owner}`;
        throw new InvalidOptionError(sentence(subject, rule.must, splitter, 'Use NestedCV for other designs.'));
      }
    },
    claims: ({ outerCv }) => ({ ...outerCv.claims }),
    nested: ({ outerCv, innerCv }) => ({ outer: outerCv, inner: innerCv }),
    nSplits: ({ outerCv }, { args }) => outerCv.getNSplits(...args),
    plan(input, { outerCv, innerCv }) {
      const outer = foldsOf(outerCv, input.X, input.y, input.data);
      const innerOf = (index: number) => innerFolds(innerCv, () => outer.at(index), input);
      // Split now, so that an impossible design is refused before any model is trained.
      for (let index = 0; index < outer.length; index++) innerOf(index).getNSplits();
      return withWarnings(outer.warnings, function* () {
        for (const { index, number: _number, ...fold } of outer) yield { ...fold, inner: innerOf(index) };
      });
    },
  });

/** `splitter` on the training rows of one outer fold alone. Split on first use and kept: every call gives the same folds. */
export function innerFolds(
  splitter: Splitter,
  outer: () => Pick<Fold, 'id' | 'train'>,
  { y, data }: Pick<SplitInput, 'y' | 'data'>,
): IterableSplitter {
  let kept: Inner | undefined;
  const inner = (): Inner => {
    if (kept) return kept;
    const { id, train } = outer();
    const rows = distinct(train);
    const labels = y === undefined ? undefined : labelsOf(y).take(rows);
    try {
      kept = { rows, plan: foldsOf(splitter, rows.length, labels, takeSideData(data, rows)) };
    } catch (error) {
      throw innerError(error, id);
    }
    return kept;
  };
  const { partition: _ofAllRows, ...claims } = splitter.claims ?? {};
  return {
    claims,
    getNSplits: () => inner().plan.length,
    split: () => iterableFolds(withWarnings(inner().plan.warnings, () => inFullData(inner()))),
  };
}

interface Inner {
  readonly plan: FoldPlan;
  readonly rows: Int32Array;
}

function* inFullData({ plan, rows }: Inner): Generator<Fold> {
  for (const { id, repeat, train, test, excluded } of plan) {
    const fold = { id, repeat, train: gather(rows, train), test: gather(rows, test) };
    yield excluded ? { ...fold, excluded: inRows(rows, excluded) } : fold;
  }
}

const inRows = (rows: Int32Array, excluded: Excluded): Excluded =>
  Object.fromEntries(Object.entries(excluded).map(([reason, list]) => [reason, gather(rows, list)]));

function innerError(error: unknown, outerId: string): unknown {
  for (const Kind of [InfeasibleSplitError, InvalidDataError, InvalidOptionError]) {
    if (error instanceof Kind) {
      return new Kind(`Inner folds of ${outerId}: ${error.message}`, { code: error.code, cause: error });
    }
  }
  return error;
}

/** A bootstrap draws rows twice; an inner fold must not have the same row on both sides. */
const distinct = (ascending: Int32Array) => ascending.filter((row, at) => row !== ascending[at - 1]);

const options = optionTable('NestedCV', nestedOptions(new KFold({ nSplits: 5 }), new KFold({ nSplits: 3 })));

export type NestedCVOptions = InputOf<typeof options>;

/**
 * Outer folds whose `inner` splits their own training rows: what is chosen by the inner folds (hyperparameters,
 * epochs, thresholds) has not seen the outer test rows (Varma & Simon 2006, BMC Bioinformatics 7:91). `inner.split()`
 * takes nothing and gives row numbers of the full data. In `run`, the first inner fold is the `validation` of networks
 * when none is given.
 *
 * The inner splitter is handed the labels, groups, times and places of the outer training rows alone. Data given to the
 * constructor of a splitter (`coordinates`, `features`) cannot be cut that way: pass coordinates to `split` or `run`.
 *
 * Throws what the two splitters throw, for any outer fold, before the first one is used. The default splitters do not shuffle.
 *
 * @example
 * const nested = new NestedCV({ outerCv: new KFold({ nSplits: 5 }), innerCv: new StratifiedKFold({ nSplits: 3 }) });
 * for (const { train, test, inner } of nested.split(X, y)) for (const fold of inner.split()) { ... }
 */
export class NestedCV extends defineNested(options, {
  family: 'iid',
  description: 'Outer folds for the estimate, each with inner folds of its own training rows for choices.',
  needs: [],
  uses: ['y', 'groups', 'timestamps', 'labelEndTimes', 'coordinates', 'hierarchy', 'environment'],
  claims: {},
})<NestedCVOptions> {}
