/** The caller's procedure on other folds or other rows: what intervals train beyond the validation itself. */

import { counted, formatDuration } from '../core/format.js';
import { deriveSeed } from '../core/random.js';
import { gather } from '../data/labels.js';
import { unitsOf } from '../data/sideData.js';
import type { IntervalSettings } from '../intervals/confidenceIntervals.js';
import type { Halves } from '../intervals/interval.js';
import { MIN_HALVINGS } from '../intervals/trainingPart.js';
import { truthTable } from '../runner/checkPredictions.js';
import type { CVResults } from '../runner/cvResults.js';
import type { FurtherFits } from '../runner/expectedOf.js';
import { trainingCallbacks } from '../runner/hooks.js';
import { runAgain } from '../runner/loop.js';
import type { Prepared } from '../runner/prepare.js';
import type { Problem } from '../runner/readData.js';
import { type RunOptions, runOptions } from '../runner/runOptions.js';
import type { Session } from '../runner/session.js';
import {
  type EstimatesOf,
  halvesDesign,
  halvesFrom,
  nestedDesign,
  type RunAgain,
  refitEstimates,
} from './furtherDesigns.js';
import {
  asksFor,
  halvesKind,
  type IntervalCall,
  refuseUnmet,
  usesHalves,
  type WithResults,
  whyNone,
} from './intervalNeeds.js';

/** Options of a run that say what is kept or checked of it, not how models are trained. */
const ABOUT_RESULTS = [
  'metrics',
  'keepModels',
  'modelPath',
  'overwrite',
  'verifyIsolation',
  'returnTrainScores',
  'importance',
  'apparent',
  'refit',
  'folds',
] as const;

interface FirstRun {
  readonly cv: CVResults;
  readonly prepared: Prepared;
  readonly session: Session;
  /** Options of `run` that `estimatesOf` needs. */
  readonly needed?: Partial<RunOptions>;
  readonly estimatesOf?: EstimatesOf | undefined;
}

/** Further fits for intervals as a manifest has them. */
export interface CiFits {
  /** Fits on half of the patients that were made; null for none. `failed` of them failed. */
  readonly ciFitsMade: { readonly fits: number; readonly failed: number; readonly seconds: number } | null;
  /** Where none were made and they could be: what the fewest would take, in about so many seconds. */
  readonly ciFitsOffer: { readonly ciFits: number; readonly fits: number; readonly seconds: number } | null;
}

export const NO_CI_FITS: CiFits = { ciFitsMade: null, ciFitsOffer: null };

interface HalfRuns extends Pick<IntervalSettings, 'halves' | 'noHalves'> {
  readonly facts: CiFits;
}

interface FurtherResults extends Pick<IntervalSettings, 'nested' | 'refitsOf'>, HalfRuns {
  /** That `ciFits`, which the caller wrote, had no effect, and why. */
  readonly unused: readonly string[];
}

/** Plans the runs behind `ciFits`, `nested_cv` and `ciRefits`, once what cannot be or would have no effect is refused. */
export function planFurtherRuns(
  call: IntervalCall,
  { problem, seed }: { readonly problem: Problem; readonly seed: number | string },
) {
  const { methods, splitter } = call;
  const { nestedCvRepeats: repeats, ciRefits, sampling } = call.options;
  refuseUnmet(call);
  const design = methods.has('nested_cv') ? nestedDesign(splitter, problem, { repeats, seed }) : undefined;
  const unused = (why: string | undefined) =>
    asksFor('ciFits', call) && why !== undefined ? [`\`ciFits\` had no effect: ${why}.`] : [];
  return {
    check: ({ plan, folds }: Prepared) => refuseUnmet({ ...call, plan, folds, problem }),
    /** What `make` would train if no fold fails. */
    expected({ prepared, session }: Pick<FirstRun, 'prepared' | 'session'>): FurtherFits[] {
      const { plan, folds } = prepared;
      const cv = asIfRun(prepared, session);
      const known = { ...call, plan, folds, problem, cv, session, seed };
      if (whyNone('all', known) !== undefined) return [];
      const halves = usesHalves(known) && whyNone('ciFits', known) === undefined ? 2 * halvingsOf(known).count : 0;
      return [
        { what: 'of half of the data for the interval (`ciFits`)', models: call.fitted ? 0 : halves },
        { what: "for `ciMethod: 'nested_cv'`", models: design?.splitter.getNSplits() ?? 0 },
        { what: 'for the interval (`ciRefits`)', models: ((ciRefits ?? 0) * plan.length) / plan.repeats },
      ];
    },
    async make(first: FirstRun): Promise<FurtherResults> {
      const { plan } = first.cv;
      const known = { ...call, plan, folds: first.prepared.folds, problem, cv: first.cv };
      const why = whyNone('all', known);
      if (why !== undefined) return { facts: NO_CI_FITS, noHalves: why, unused: unused(why) };
      const runAgain = again(first);
      const nested = { problem, randomState: deriveSeed(seed, 'nested_cv') };
      const trained = design && (await runAgain({ ...nested, cvSplitter: design.splitter }));
      const input = { problem, plan, count: ciRefits ?? 0, seed, sampling };
      const halves = await halfRuns({ ...known, session: first.session, seed }, runAgain);
      return {
        ...halves,
        unused: unused(halves.noHalves),
        nested: trained && design.testsOf(trained),
        refitsOf: ciRefits === null ? undefined : await refitEstimates(input, runAgain, first.estimatesOf),
      };
    },
  };
}

/** Silent but for their title, with the callbacks that are part of training: {@link trainingCallbacks}. */
function again({ cv, prepared, session, needed }: FirstRun): RunAgain {
  const scoring = Object.fromEntries(cv.scorers.flatMap(({ name, metric }) => (metric ? [[name, metric.name]] : [])));
  const byDefault = Object.fromEntries(ABOUT_RESULTS.map((name) => [name, runOptions.shape[name].defaultValue]));
  const callbacks = trainingCallbacks(prepared.callbacks);
  const run = { ...byDefault, ...needed, scoring, callbacks, onFoldError: 'each' } as unknown as Partial<RunOptions>;
  return (further) => runAgain(prepared, session, { ...further, run: run as never });
}

/** Halvings that 'auto' makes, and up to how many units and rows. */
const AUTO = { halvings: 10, units: 5000, rows: 100_000 };

const LONG = 5;

interface Run extends WithResults {
  readonly session: Session;
  readonly seed: number | string;
}

async function halfRuns(run: Run, runAgain: RunAgain): Promise<HalfRuns> {
  const { cv, splitter, problem, seed } = run;
  const { sampling } = run.options;
  if (!run.fitted && !usesHalves(run)) return { facts: NO_CI_FITS };
  const why = whyNone('ciFits', run);
  if (why !== undefined) return { noHalves: why, facts: NO_CI_FITS };
  const { kind, count, random } = halvingsOf(run);
  if (count === 0) {
    const fits = 2 * MIN_HALVINGS;
    const offered = `\`ciFits: ${MIN_HALVINGS}\` estimates it with ${fits} more fits on half of the data`;
    const ciFitsOffer = { ciFits: MIN_HALVINGS, fits, seconds: expectedSeconds(cv, fits) };
    const noHalves = random ? offered : `${offered}, if these folds are random parts of the data`;
    return { noHalves, facts: { ...NO_CI_FITS, ciFitsOffer } };
  }
  const fits = 2 * count;
  const cvSplitter = halvesDesign(kind, cv.plan, problem, { count, seed, sampling, inner: splitter.nested?.inner });
  const seconds = expectedSeconds(cv, fits);
  const startedAt = performance.now();
  const trained = await runAgain({
    cvSplitter,
    problem,
    randomState: deriveSeed(seed, 'ciFits'),
    title: `${fits} more fits for the interval`,
    announced:
      seconds < LONG
        ? undefined
        : `${fits} more fits for the interval follow, about ${formatDuration(seconds)}. With \`ciFits: 0\` there are none, and the interval is about the models of these folds.`,
  });
  const halves = halvesFrom(trained, problem, { kind, sampling });
  const lost = halves.halvings.filter((pair) => pair.some(({ table }) => table === undefined)).length;
  const noHalves = `of ${counted(count, 'halving')}, ${lost} had a model that failed`;
  const ciFitsMade = {
    fits: trained.folds.length,
    failed: trained.folds.filter(({ status }) => status === 'failed').length,
    seconds: (performance.now() - startedAt) / 1000,
  };
  return {
    halves,
    ...(count - lost < MIN_HALVINGS ? { noHalves } : {}),
    facts: { ...NO_CI_FITS, ciFitsMade },
  };
}

function halvingsOf(run: Run) {
  const { plan, problem, options } = run;
  const kind = halvesKind(plan, problem) as Halves['kind'];
  const random = kind === 'test_set' || (plan.claims.partition === true && !plan.claims.given);
  const count = options.ciFits === 'auto' ? (random ? automatic(run) : 0) : options.ciFits;
  return { kind, random, count };
}

/** What is asked of results, of a run whose folds were all completed. */
function asIfRun({ plan, y, positive, weight, scorers }: Prepared, { adapter }: Session): CVResults {
  const folds = Array.from(plan, ({ test, index }) => {
    const truth = truthTable(y.take(test), positive, weight && gather(weight, test));
    return { status: 'completed', fold: { index }, table: { ...truth, yPred: truth.yTrue }, nUnitsFitted: null };
  });
  const metadata = { fixedModel: adapter.capabilities.trains ? null : 'nothing is trained' };
  return { plan, scorers, folds, metadata, foldDetails: [] } as unknown as CVResults;
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

/** From the time of the folds: half of the data cost 5/8 of the training set of one of five folds. */
function expectedSeconds({ foldDetails, plan }: CVResults, fits: number): number {
  const folds = foldDetails.length;
  const perFold = foldDetails.reduce((sum, fold) => sum + fold.seconds, 0) / folds;
  const share = plan.length === 1 ? 0.5 : (0.5 * folds) / plan.repeats / (folds / plan.repeats - 1);
  return fits * share * perFold;
}
