/** The caller's procedure on other folds or other rows: what intervals train beyond the validation itself. */
import { type Parsed, rejectUnusedOption } from '../core/options.js';
import { deriveSeed } from '../core/random.js';
import { checkMethodDesign, type IntervalSettings, rejectUnusedResamples } from '../intervals/confidenceIntervals.js';
import { unfitForFurtherRuns } from '../intervals/correctedT.js';
import { sideOf } from '../intervals/intervalFolds.js';
import type { IntervalMethodName } from '../intervals/methodNames.js';
import type { CVResults } from '../runner/cvResults.js';
import { trainingCallbacks } from '../runner/hooks.js';
import { runAgain } from '../runner/loop.js';
import type { Prepared } from '../runner/prepare.js';
import type { Problem } from '../runner/readData.js';
import { type RunOptions, runOptions } from '../runner/runOptions.js';
import type { Session } from '../runner/session.js';
import type { Splitter, SplitterClaims } from '../splitters/splitter.js';
import { NO_CI_FITS } from './ciFits.js';
import {
  asksForHalves,
  type HalfRuns,
  halfRuns,
  refuseHalves,
  refuseHalvesOf,
  rejectWithoutDefault,
  someFolds,
} from './halfRuns.js';
import { NestedDesign } from './nestedDesign.js';
import { type Estimates, type RunAgain, refitEstimates } from './refits.js';
import type { validatorOptions } from './validatorOptions.js';

/** Options of a run that say what is kept or checked of it, not how models are trained. */
const ABOUT_RESULTS = [
  'metrics',
  'keepModels',
  'modelPath',
  'overwrite',
  'verifyIsolation',
  'returnTrainScores',
  'apparent',
  'refit',
  'folds',
] as const;

const FITTED = 'the intervals of fitValidate are about the fitted model on new patients';

/** How the validation was run, and what came of it. */
interface FirstRun {
  readonly cv: CVResults;
  readonly prepared: Prepared;
  readonly session: Session;
  /** Options of `run` that `estimatesOf` needs. */
  readonly needed?: Partial<RunOptions>;
  /** What is estimated from one run; by default every metric as its `combine` says. */
  readonly estimatesOf?: ((cv: CVResults) => Estimates) | undefined;
}

interface Made extends Pick<IntervalSettings, 'nested' | 'refitsOf'>, HalfRuns {
  /** That `ciFits`, which the caller wrote, had no effect, and why. */
  readonly unused: readonly string[];
}

/**
 * Plans the runs behind `ciFits`, `nested_cv` and `ciRefits` and refuses, before anything is trained, what cannot be or would have
 * no effect: `check` what depends on the folds. `make` makes them once the validation itself has run; scores without a
 * metric, and a run that a callback ended, need none.
 */
export function planFurtherRuns(
  validator: Parsed<typeof validatorOptions.shape>,
  methods: ReadonlySet<IntervalMethodName>,
  { splitter, problem, seed, fitted }: { splitter: Splitter; problem: Problem; seed: number | string; fitted: boolean },
): { check(prepared: Prepared): void; make(first: FirstRun): Promise<Made> } {
  const { ciMethod, nestedCvRepeats, ciRefits, sampling } = validator.options;
  rejectUnusedRuns(validator, methods, splitter.claims);
  if (fitted && asksForHalves(validator)) rejectUnusedOption('CVKitValidator', 'ciFits', FITTED);
  refuseHalves(validator, methods, splitter);
  const design = methods.has('nested_cv')
    ? new NestedDesign(splitter, problem, { repeats: nestedCvRepeats, seed })
    : undefined;
  const unused = (why: string | undefined) =>
    asksForHalves(validator) && why !== undefined ? [`\`ciFits\` had no effect: ${why}.`] : [];
  const check = (prepared: Prepared) => {
    checkMethodDesign(ciMethod, prepared.plan.claims, { prepared, data: sideOf(problem) });
    refuseHalvesOf(validator, prepared);
  };
  const make = async (first: FirstRun): Promise<Made> => {
    const { plan, folds, scorers } = first.cv;
    const none = (noHalves: string) => ({ facts: NO_CI_FITS, noHalves, unused: unused(noHalves) });
    if (folds.length < plan.length) return none(someFolds(first.prepared) ?? 'a callback ended the run');
    if (!scorers.some(({ metric }) => metric)) return none('no score is a metric');
    const runAgain = again(first);
    const trained =
      design && (await runAgain({ cvSplitter: design, problem, randomState: deriveSeed(seed, 'nested_cv') }));
    const input = { problem, plan, count: ciRefits ?? 0, seed, sampling };
    const halves = fitted
      ? { noHalves: FITTED, facts: NO_CI_FITS }
      : await halfRuns(validator, methods, { ...first, splitter, problem, seed, runAgain });
    return {
      ...halves,
      unused: unused(halves.noHalves),
      nested: trained && design.testsOf(trained),
      refitsOf: ciRefits === null ? undefined : await refitEstimates(input, runAgain, first.estimatesOf),
    };
  };
  return { check, make };
}

/**
 * Further runs are silent but for their title and score the metrics of the first one alone. They are trained with
 * the callbacks that are part of training: {@link trainingCallbacks}. An option that is wrong for fewer rows alone fails its
 * fold, as any error does: the validation has run.
 */
function again({ cv, prepared, session, needed }: FirstRun): RunAgain {
  const scoring = Object.fromEntries(cv.scorers.flatMap(({ name, metric }) => (metric ? [[name, metric.name]] : [])));
  const byDefault = Object.fromEntries(ABOUT_RESULTS.map((name) => [name, runOptions.shape[name].defaultValue]));
  const callbacks = trainingCallbacks(prepared.callbacks);
  const run = { ...byDefault, ...needed, scoring, callbacks, onFoldError: 'each' } as unknown as Parameters<
    typeof runAgain
  >[2]['run'];
  return (further) => runAgain(prepared, session, { ...further, ...(run ? { run } : {}) });
}

function rejectUnusedRuns(
  { options, changed }: Parsed<typeof validatorOptions.shape>,
  methods: ReadonlySet<IntervalMethodName>,
  claims: SplitterClaims | undefined,
): void {
  if (changed.has('nestedCvRepeats') && !methods.has('nested_cv')) {
    rejectUnusedOption('CVKitValidator', 'nestedCvRepeats', "no score has the ciMethod 'nested_cv'");
  }
  rejectUnusedResamples('CVKitValidator', changed, methods);
  if (options.ciRefits === null) return;
  const owner = 'CVKitValidator';
  rejectWithoutDefault(methods, 'ciRefits');
  const unfit = unfitForFurtherRuns(claims);
  if (unfit) rejectUnusedOption(owner, 'ciRefits', `with ${unfit} intervals are not about the procedure`);
}
