/** Whether models of halves are trained for the intervals, and how many: what `ciFits` asks for. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { counted, formatDuration } from '../core/format.js';
import { type Parsed, rejectUnusedOption } from '../core/options.js';
import { deriveSeed } from '../core/random.js';
import { unitsOf } from '../data/sideData.js';
import { unfitForFurtherRuns } from '../intervals/correctedT.js';
import { unfitForTraining } from '../intervals/foldInterval.js';
import { isInfluential } from '../intervals/influenceVariance.js';
import type { Halves } from '../intervals/interval.js';
import { intervalFolds, sideOf } from '../intervals/intervalFolds.js';
import type { IntervalMethodName } from '../intervals/methodNames.js';
import { MIN_HALVINGS } from '../intervals/trainingPart.js';
import type { CVResults } from '../runner/cvResults.js';
import type { Prepared } from '../runner/prepare.js';
import type { Problem } from '../runner/readData.js';
import type { Session } from '../runner/session.js';
import type { Splitter } from '../splitters/splitter.js';
import { type CiFits, NO_CI_FITS } from './ciFits.js';
import { HalvesDesign, halvesKind } from './halvesDesign.js';
import type { RunAgain } from './refits.js';
import { NO_PARTITION, tooFew, unfitPlan, unfitUnits } from './unfitHalves.js';
import type { validatorOptions } from './validatorOptions.js';

/** Halvings that 'auto' makes, and up to how many units and rows. */
const AUTO = { halvings: 10, units: 5000, rows: 100_000 };

/** Seconds of further fits that are announced. */
const LONG = 5;

/** What the intervals take of the halves. */
export interface HalfRuns {
  readonly halves?: Halves;
  /** Why there are none, or how to have them. */
  readonly noHalves?: string;
  readonly facts: CiFits;
}

type Validator = Parsed<typeof validatorOptions.shape>;
interface Design {
  readonly splitter: Splitter;
  readonly problem: Problem;
}

/** Whether the caller himself wants halves. */
export const asksForHalves = ({ options, changed }: Validator) => changed.has('ciFits') && options.ciFits !== 0;

/** Refuses halves that were asked for and would have no effect, or cannot be in a design whatever the data are. */
export function refuseHalves(
  validator: Validator,
  methods: ReadonlySet<IntervalMethodName>,
  { estimator, claims }: Splitter,
): void {
  if (!asksForHalves(validator)) return;
  rejectWithoutDefault(methods, 'ciFits');
  if (validator.options.ciRefits !== null) unused('`ciRefits` estimates what training adds');
  if (estimator) unused('this estimate has an interval by `ciRefits` alone');
  refuseDesign(unfitForFurtherRuns(claims));
}

/** Refuses, before anything is trained, halves that were asked for and cannot be with these folds. */
export function refuseHalvesOf(validator: Validator, { plan, folds, call, ...problem }: Prepared): void {
  if (!asksForHalves(validator)) return;
  const some = someFolds({ plan, folds });
  if (some) unused(some);
  refuseDesign(unfitPlan(plan, problem, call.runner.options.cvSplitter));
}

/** Says that the caller chose some of the folds; undefined for all of them. */
export const someFolds = ({ plan, folds }: Pick<Prepared, 'plan' | 'folds'>): string | undefined =>
  folds.length < plan.length ? `\`folds\` runs ${folds.length} of ${plan.length} folds` : undefined;

const unused = (why: string) => rejectUnusedOption('CVKitValidator', 'ciFits', why);

function refuseDesign(got: string | undefined): void {
  if (got === undefined) return;
  const subject = 'The folds of `ciFits`';
  const must = 'be random parts of the data, each row tested once per repeat, or one given test set';
  const instead = 'Use such folds, or ciFits: 0: the interval is then about the models of these folds.';
  throw new InvalidOptionError(sentence(subject, must, phrase(got), instead), { code: 'interval_method' });
}

/** Refuses an option that the default interval alone uses, where no score has it. */
export function rejectWithoutDefault(methods: ReadonlySet<IntervalMethodName>, option: string): void {
  if (usesHalves(methods)) return;
  rejectUnusedOption('CVKitValidator', option, "no score has the ciMethod 'bootstrap' or 'analytic'");
}

const usesHalves = (methods: ReadonlySet<IntervalMethodName>) => methods.has('bootstrap') || methods.has('analytic');

interface Run extends Design {
  readonly cv: CVResults;
  readonly session: Session;
  readonly seed: number | string;
  readonly runAgain: RunAgain;
}

/** Trains the halves once the validation itself has run, or says why not. */
export async function halfRuns(
  validator: Validator,
  methods: ReadonlySet<IntervalMethodName>,
  run: Run,
): Promise<HalfRuns> {
  const none = (noHalves?: string, facts = NO_CI_FITS): HalfRuns => ({ ...(noHalves ? { noHalves } : {}), facts });
  const { options } = validator;
  if (!usesHalves(methods) || options.ciRefits !== null || run.splitter.estimator) return none();
  const { cv, splitter, problem, seed } = run;
  const why = unfitFor(run);
  if (why !== undefined) return none(why);
  const kind = halvesKind(cv.plan, problem);
  if (kind === undefined) return none(NO_PARTITION);
  const few = tooFew(cv.plan, problem);
  if (few !== undefined) return none(few);
  const count = options.ciFits === 'auto' ? automatic(run) : options.ciFits;
  const random = kind === 'test_set' || (cv.plan.claims.partition === true && !cv.plan.claims.given);
  if (count === 0 || (options.ciFits === 'auto' && !random)) {
    const ciFitsOffer = offer(cv);
    const offered = `\`ciFits: ${ciFitsOffer.ciFits}\` estimates it with ${ciFitsOffer.fits} more fits on half of the data`;
    return none(random ? offered : `${offered}, if these folds are random parts of the data`, {
      ...NO_CI_FITS,
      ciFitsOffer,
    });
  }
  const design = new HalvesDesign(kind, cv.plan, problem, {
    count,
    seed,
    sampling: options.sampling,
    inner: splitter.nested?.inner,
  });
  const startedAt = performance.now();
  const trained = await run.runAgain({
    cvSplitter: design,
    problem,
    randomState: deriveSeed(seed, 'ciFits'),
    title: `${design.getNSplits()} more fits for the interval`,
    announced: announced(cv, count),
  });
  const halves = design.halvesOf(trained, sideOf(problem));
  const usable = halves.halvings.filter((pair) => pair.every(({ table }) => table !== undefined)).length;
  return {
    halves,
    ...(usable < MIN_HALVINGS
      ? { noHalves: `of ${counted(count, 'halving')}, ${count - usable} had a model that failed` }
      : {}),
    facts: {
      ...NO_CI_FITS,
      ciFitsMade: {
        fits: trained.folds.length,
        failed: trained.folds.filter(({ status }) => status === 'failed').length,
        seconds: (performance.now() - startedAt) / 1000,
      },
    },
  };
}

/** Why models of halves cannot tell what training adds. What an interval says of it itself is left to it. */
function unfitFor({ cv, problem, splitter }: Run): string | undefined {
  if (cv.metadata.fixedModel !== null && cv.foldDetails.every(({ adjustment }) => !adjustment?.from)) {
    return 'nothing is trained';
  }
  if (!cv.scorers.some(({ metric }) => metric && isInfluential(metric))) return 'no score has an influence function';
  const failed = cv.folds.filter(({ status }) => status === 'failed').length;
  if (failed > 0) return `${counted(failed, 'fold')} failed`;
  const few = cv.plan.length === 1 ? tooFew(cv.plan, problem) : undefined;
  if (few !== undefined) return few;
  const { folds, unit } = intervalFolds(cv, sideOf(problem));
  return unfitForTraining({ folds, unit, design: cv.plan.claims }) ?? unfitUnits(cv.plan, problem, splitter);
}

/** Ten halvings where fits are cheap: models without epochs, of so many patients and rows, without a search inside. */
function automatic({ session, splitter, problem: { X, data, weight } }: Run): number {
  const cheap =
    !session.adapter.capabilities.epochs &&
    !splitter.nested &&
    X.length <= AUTO.rows &&
    unitsOf(data, X.length, weight).count <= AUTO.units;
  return cheap ? AUTO.halvings : 0;
}

/** What the fewest halves would take. */
const offer = (cv: CVResults) => ({
  ciFits: MIN_HALVINGS,
  fits: 2 * MIN_HALVINGS,
  seconds: expectedSeconds(cv, MIN_HALVINGS),
});

/** From the time of the folds: half of the data cost 5/8 of the training set of one of five folds. */
function expectedSeconds({ foldDetails, plan }: CVResults, halvings: number): number {
  const folds = foldDetails.length;
  const perFold = foldDetails.reduce((sum, fold) => sum + fold.seconds, 0) / folds;
  const share = plan.length === 1 ? 0.5 : (0.5 * folds) / plan.repeats / (folds / plan.repeats - 1);
  return 2 * halvings * share * perFold;
}

/** What is said before fits that take long. */
function announced(cv: CVResults, halvings: number): string | undefined {
  const seconds = expectedSeconds(cv, halvings);
  if (seconds < LONG) return undefined;
  return `${2 * halvings} more fits for the interval follow, about ${formatDuration(seconds)}. With \`ciFits: 0\` there are none, and the interval is about the models of these folds.`;
}
