import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import type { Fold } from '../../splitters/splitter.js';
import { type Check, passed, undecided } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { tableOf } from '../features/features.js';
import { EXAMPLES } from '../overlap.js';
import { type Signature, scalable, traceOf } from './signature.js';

const WORDS: Record<Signature, string> = {
  standardize: 'a mean of 0 and an SD of 1',
  minmax: 'a range from 0 to 1',
  robust: 'a median of 0 and quartiles 1 apart',
  pca: 'a mean of 0, no correlation and falling variances, as principal components have,',
};

const DECLARED =
  "On the author's word, whatever was fitted to prepare it was fitted inside the folds or not at all (`preparedInside`).";
const DECLARED_NETWORK =
  'That word covers the network too, which was trained elsewhere and must not have seen these rows: ';
const ASK =
  'Fit such steps inside the folds with `preprocessing`, or pass `preparedInside: true` if whatever was fitted to prepare X was fitted inside the folds or not at all. Data from before and after can be compared by `checkPreprocessing(XOriginal, XProcessed, folds)`.';

/** What CVL010 saw of the columns. */
export type PreprocessingDetails = {
  /** Numeric columns that vary. */
  readonly columns: number;
  /** How they were scaled, and how many of them. */
  readonly signature?: Signature;
  readonly scaled?: number;
  readonly authorsWord?: 'preparedInside';
  /** The steps of `preprocessing`, whose `fit` is called with the training rows of each fold alone. */
  readonly fittedInside?: string;
  readonly examples?: readonly { readonly feature: string }[];
};

/**
 * CVL010: X was not scaled before it was split. From X alone only the trace can be seen: statistics that are exact over
 * all rows, and that the training rows do not have.
 *
 * Source: Hastie, Tibshirani & Friedman 2009, The Elements of Statistical Learning, section 7.10.2.
 */
export const preprocessing: Check<PreprocessingDetails> = {
  code: 'CVL010',
  type: 'preprocessing',
  kind: 'leakage',
  cost: 'fast',
  page: 'docs/checks/CVL010.md',
  description: 'Data were scaled, filled, projected or selected over all rows before they were split.',
  needs: ['X'],
  async assess(input) {
    const columns = tableOf(await input.features());
    const varying = scalable(columns);
    const trace = varying.length > 0 ? traceOf(varying) : undefined;
    const fold = trace && firstOf(input.folds, ({ train }) => !trace.borneBy(train));
    if (!trace || !fold) {
      const none =
        columns.length === 0
          ? 'Images do not tell how they were prepared'
          : `X shows no trace of scaling over all rows (${counted(varying.length, 'numeric column')})`;
      const evidence = { columns: varying.length };
      const { preprocessing: inside } = input;
      if (inside?.learns && inside.globalSteps.length + inside.frozen.length === 0) {
        const steps = nameText(inside.steps, 200);
        return passed(
          `${none}, and the steps of \`preprocessing\` are given the training rows of each fold alone to be fitted to (${steps}). ${capital(NOT_SEEN)}.`,
          { ...evidence, fittedInside: inside.steps },
        );
      }
      return input.preparedInside
        ? passed(`${none}. ${DECLARED}${networks(inside)}`, { ...evidence, authorsWord: 'preparedInside' })
        : undecided(`${none}, but ${doubt(inside)}.`, ASK, evidence);
    }
    const { signature, columns: found, rounded } = trace;
    const which = found.length < varying.length ? `${found.length} of` : 'all';
    return {
      status: 'needs_review',
      severity: 'low',
      fold: fold.id,
      message: `Over all rows, ${varying.length === 1 ? 'the one column has' : `${which} ${varying.length} columns have`} ${WORDS[signature]} ${rounded ? 'up to rounding' : 'exactly'}, and over the training rows of a fold not: X was scaled before it was split.`,
      evidence: {
        signature,
        columns: varying.length,
        scaled: found.length,
        examples: found.slice(0, EXAMPLES).map(({ name }) => ({ feature: name })),
      },
      concerns: { count: found.length, of: varying.length, unit: 'column' },
      fix: 'Pass X as it was measured, and scale inside the folds by the option `preprocessing`.',
    };
  },
};

const NOT_SEEN = 'what was done to X before it was passed is not seen';
const NO_TRACE = `${NOT_SEEN}: selection of features, coding by the label and filling leave no trace`;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What may have seen all rows without a trace. */
function doubt(inside: CheckInput['preprocessing']): string {
  if (!inside) return NO_TRACE;
  const { frozen, globalSteps, steps } = inside;
  if (frozen.length > 0) {
    return `a network that was trained elsewhere, perhaps on these rows, prepares them: ${listed(frozen)}`;
  }
  if (globalSteps.length > 0) {
    return `the author declares steps that use statistics of other rows: ${globalSteps.map((each) => nameText(each)).join(', ')}`;
  }
  return `the steps of \`preprocessing\` learn nothing (${nameText(steps, 200)}), and ${NO_TRACE}`;
}

/** What the author's word has to cover beside the rows. */
const networks = (inside: CheckInput['preprocessing']) =>
  inside && inside.frozen.length > 0 ? ` ${DECLARED_NETWORK}${listed(inside.frozen)}.` : '';

const listed = (names: readonly string[]) => names.map((each) => nameText(each, 200)).join(', ');

function firstOf(folds: Iterable<Fold>, holds: (fold: Fold) => boolean): Fold | undefined {
  for (const fold of folds) if (holds(fold)) return fold;
  return undefined;
}
