/** The search within each outer fold, the search on all rows, and the run with what was chosen. */

import { terminal } from '#io';
import { withCleanup } from '../core/cleanup.js';
import { InvalidOptionError, messageOf, phrase, sentence, show } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import { isOfStep } from '../core/names.js';
import { sum } from '../core/numbers.js';
import { deriveSeed } from '../core/random.js';
import type { Params } from '../core/tuningTrial.js';
import { rowNumbers } from '../data/labels.js';
import type { SideData } from '../data/sideData.js';
import { confidenceIntervals } from '../intervals/confidenceIntervals.js';
import { type Interval, joinNotes } from '../intervals/interval.js';
import { intervalFolds } from '../intervals/intervalFolds.js';
import type { Preparation } from '../preprocessing/preparation.js';
import { stepOf } from '../preprocessing/withParams.js';
import type { CVCallback } from '../runner/callback.js';
import { taskEnvironment } from '../runner/coordinate.js';
import type { CVResults } from '../runner/cvResults.js';
import type { DryRun } from '../runner/dryRun.js';
import { checkWholeGroups } from '../runner/foldRows.js';
import { isOfTraining } from '../runner/foldTasks.js';
import { callbackName, callHooks, partOf, trainingCallbacks } from '../runner/hooks.js';
import { runFolds, withoutTraining } from '../runner/loop.js';
import { splitPatients } from '../runner/metadataOf.js';
import { isPipeline } from '../runner/modelSource.js';
import { auxiliaryRun, type Prepared } from '../runner/prepare.js';
import type { Session } from '../runner/session.js';
import { timeChecks } from '../splitters/foldChecks.js';
import { type CheckedFold, type FoldPlan, hasInner, innerFoldsOf } from '../splitters/foldsOf.js';
import { GroupKFold } from '../splitters/grouped/groupKFold.js';
import { StratifiedGroupKFold } from '../splitters/grouped/stratifiedGroupKFold.js';
import { KFold } from '../splitters/iid/kFold.js';
import { innerFolds } from '../splitters/iid/nestedCV.js';
import { StratifiedKFold } from '../splitters/iid/stratifiedKFold.js';
import { isSplitter, type Splitter, seeded, writtenAs } from '../splitters/splitter.js';
import { TimeSeriesSplit } from '../splitters/temporal/timeSeriesSplit.js';
import { correctedBest } from './correctedBest.js';
import { parameterText } from './distribution.js';
import { type Searched, type SearchRun, search } from './search.js';
import type { Space } from './space.js';
import { studiesOf } from './studies.js';
import type { OnTrial } from './studyOptions.js';
import type { TuningSettings } from './tuningOptions.js';
import { type Defaults, TuningResults } from './tuningResults.js';

export async function tunedRun(
  prepared: Prepared,
  session: Session,
  settings: TuningSettings,
): Promise<TuningResults | DryRun> {
  const startedAt = performance.now();
  const { options, scoringName, space } = settings;
  const scorer = prepared.scorers.find(({ name }) => name === scoringName) as Prepared['scorers'][number];
  const check = (params: object) => {
    checkStepParams(params, prepared.preparation);
    if (isPipeline(options.modelFn)) checkAllOfSteps(params, options.modelFn.stepNames());
  };
  if (space.distributions) check(space.distributions);
  if (options.defaultParams) check(options.defaultParams);
  const folds = options.outer ? prepared.folds.map((index) => prepared.plan.at(index)) : [];
  const whole: SearchRows = { id: 'all-rows', train: rowNumbers(prepared.plan.n) };
  const within = [...folds, whole];
  // All of them are made now, so that an impossible design is refused before any model is trained.
  const plans = within.map((rows) => (options.outer ? innerPlan(prepared, rows, settings) : prepared.plan));
  const environment = {
    ...taskEnvironment(prepared, session, () => ''),
    callbacks: trainingCallbacks(prepared.callbacks),
  };
  const { concurrency } = environment.executor;
  const ofStudies = { ...settings, scorer, concurrency, directory: session.directory?.place };
  if (prepared.call.run.options.dryRun) {
    const unstored = { ...ofStudies, options: { ...options, storage: undefined }, directory: undefined };
    const { nTrials } = await studiesOf(prepared, unstored);
    return withoutTraining(prepared, session, [
      {
        what: `in searches (${counted(nTrials, 'trial')} each)`,
        models: nTrials * sum(plans.map((plan) => plan.length)),
      },
      { what: 'with the default parameters', models: options.outer ? folds.length : 0 },
    ]);
  }
  const studies = await studiesOf(prepared, ofStudies);
  // A search is long: what it will not try is written before it.
  if (prepared.call.runner.options.verbose > 0) for (const each of studies.warnings) terminal.write(`${each}\n`);
  const run: Omit<SearchRun, 'onTrial'> = {
    prepared,
    session,
    environment,
    space,
    scorer,
    check,
    keepTables: !options.outer,
    // The same seeds as those of the folds of the run, which train the winner once more where there are no outer folds.
    seedOf: (id) => (options.outer ? deriveSeed(prepared.randomState, 'search', id) : prepared.randomState),
    nTrials: studies.nTrials,
    timeout: options.timeout,
    patience: options.patience,
    parallelTrials: studies.parallelTrials,
  };
  const found = new Map<string, Searched>();
  const searchAll = async (): Promise<Prepared> => {
    for (const [at, { id }] of within.entries()) {
      const study = await studies.open(id, plans[at]);
      const onTrial: OnTrial = async (trial) => {
        const done = study.trials.filter(({ endedAt }) => endedAt !== null).length;
        const progress = { search: id, trial, bestValue: study.bestValue, done, nTrials: studies.nTrials };
        const all = Object.freeze({ ...progress, searchesDone: at, nSearches: within.length });
        return callHooks(prepared.callbacks, 'onTrialEnd', () => [all], prepared.call.run.options.signal);
      };
      found.set(id, await search(study, plans[at], id, { ...run, onTrial }));
    }
    const all = found.get(whole.id) as Searched;
    // An outer fold has the parameters of its own search, and none that have seen its test rows.
    const paramsOf = (fold: string): Params => ((options.outer ? found.get(fold) : all) as Searched).params;
    return { ...prepared, paramsOf, preparation: asChosen(prepared, space) };
  };
  const results = await withCleanup(() => runFolds(prepared, session, { search: searchAll }), studies.close);
  const all = found.get(whole.id) as Searched;
  const defaults = options.outer ? await withDefaults(prepared, session, results, options.defaultParams ?? {}) : null;
  const intervals = (of: CVResults, note?: string) => intervalsOf(of, prepared, { ...options, note });
  return new TuningResults({
    results,
    confidenceIntervals: options.outer ? intervals(results, SHORT) : null,
    correctedBest: options.outer ? null : correctedBest(prepared, all, { ...options, scorer }),
    defaults: defaults && { ...defaults, confidenceIntervals: defaults.results && intervals(defaults.results) },
    searched: found,
    all,
    scoring: scoringName,
    search: {
      innerFolds: options.outer ? innerDesign(prepared, settings) : prepared.plan.design,
      sampler: all.study.sampler.name,
      pruner: all.study.pruner.name,
      nTrials: studies.nTrials,
      parallelTrials: studies.parallelTrials,
      seconds: (performance.now() - startedAt) / 1000,
    },
    fits: environment.count.fits,
    warnings: [...new Set([...studies.warnings, ...searchWarnings(prepared, found)])],
  });
}

/** Holds names such as `scale__withMean` to the steps that there are; a function that chooses the steps gets any names. */
export function checkStepParams(params: object, preparation: Pick<Preparation, 'stepNames'> | undefined): void {
  for (const name of Object.keys(params).filter(isOfStep)) {
    if (preparation?.stepNames) stepOf(name, preparation.stepNames);
    if (preparation) continue;
    const must = 'be one of a step of `preprocessing`, as `__` in its name says';
    const way = 'Pass the step, or leave `__` out of the names of parameters of the model.';
    const message = sentence(parameterText(name), must, phrase('no `preprocessing`'), way);
    throw new InvalidOptionError(message, { code: 'unknown_step' });
  }
}

/** A Pipeline has no parameters but those of its steps, and of training. */
function checkAllOfSteps(params: object, steps: readonly string[]): void {
  const other = Object.keys(params).find((name) => !isOfStep(name) && !isOfTraining(name));
  if (other === undefined) return;
  const must = 'begin with the name of a step and __, since `modelFn` is a Pipeline';
  const way = `The steps are: ${steps.map((step) => nameText(step)).join(', ')}.`;
  const message = sentence(parameterText(other), must, phrase(show(other)), way);
  throw new InvalidOptionError(message, { code: 'unknown_step' });
}

/** The same outer folds with parameters that nobody searched for. What goes wrong in a fold is told, and changes nothing else. */
async function withDefaults(
  prepared: Prepared,
  session: Session,
  { folds }: CVResults,
  params: Params,
): Promise<Omit<Defaults, 'confidenceIntervals'>> {
  const { call } = prepared;
  const options = { ...call.run.options, refit: false, apparent: false, verifyIsolation: false };
  const plain: Prepared = {
    ...auxiliaryRun(prepared),
    call: { ...call, isFurther: true, run: { ...call.run, options } },
    callbacks: trainingCallbacks(prepared.callbacks),
    onFoldError: 'each',
    // A callback may have ended the run before the last fold.
    folds: folds.map(({ fold }) => fold.index),
    paramsOf: () => params,
  };
  const results = await runFolds(plain, session);
  const failed = results.folds.flatMap((fold) => (fold.status === 'failed' ? [fold.error] : []));
  if (failed.length < results.folds.length) return { params, results, reason: null };
  return { params, results: null, reason: messageOf(failed[0]) };
}

function intervalsOf(
  results: CVResults,
  prepared: Prepared,
  options: TuningSettings['options'] & { readonly note: string | undefined },
): Record<string, Interval> {
  const { ciMethod, ciLevel, nBootstrap, sampling, note } = options;
  const folds = intervalFolds(results, { ...prepared.data, sampleWeight: prepared.weight });
  const randomState = deriveSeed(prepared.randomState, 'tuning');
  const found = confidenceIntervals(results, folds, { ciMethod, ciLevel, nBootstrap, sampling, randomState });
  return Object.fromEntries(
    Object.entries(found).map(([name, each]) => [name, { ...each, ...joinNotes(note, each.note) }]),
  );
}

/** Measured by bench/tuning/noise.mjs; see docs/tuning.md. */
const SHORT =
  'Each fold searches for itself, which the interval does not know: on noise with 100 patients, 88 of 100 intervals held the true AUC, for 95.';

/** The preparation, whose words say what each fold chose of it. The steps themselves ask for their parameters. */
function asChosen({ preparation }: Prepared, { distributions = {} }: Space): Prepared['preparation'] {
  const names = Object.keys(distributions).filter(isOfStep);
  if (!preparation || names.length === 0) return preparation;
  const chosen = `${names.map((name) => nameText(name)).join(', ')} as the search chose`;
  return { ...preparation, described: `${preparation.described} (${chosen})` };
}

const INNER_FOLDS = 3;

interface InnerRequest {
  readonly innerCv: Splitter | number | undefined;
  readonly outerCv: Splitter;
}

type Design = Pick<Prepared, 'plan' | 'y' | 'data' | 'randomState'>;

interface SearchRows {
  readonly id: string;
  readonly train: Int32Array;
  readonly inner?: Splitter;
}

/** Those of a nested outer design, those of `innerCv`, else folds of the family of the outer ones, in row numbers of the full data. */
function innerPlan(design: Design, rows: SearchRows, { innerCv, outerCv }: InnerRequest): FoldPlan {
  const { plan, y, data, randomState } = design;
  const bound = (): FoldPlan => {
    const splitter = isSplitter(innerCv) ? innerCv : likeOuter(outerCv, design, innerCv);
    const drawn = seeded(splitter, deriveSeed(randomState, 'search', rows.id));
    return innerFoldsOf({ ...rows, test: new Int32Array(), inner: innerFolds(drawn, () => rows, { y, data }) }, plan.n);
  };
  const fold = rows as CheckedFold;
  const inner = innerCv === undefined && hasInner(fold) ? innerFoldsOf(fold, plan.n) : bound();
  checkKept(inner, rows.id, design);
  return inner;
}

/** Holds inner folds to what the outer ones keep: patients, a level of the hierarchy, the order of time, label intervals. */
function checkKept(inner: FoldPlan, id: string, { plan, data }: Pick<Design, 'plan' | 'data'>): void {
  const { disjointGroups, wholeLevel } = plan.claims;
  const level = wholeLevel === undefined ? undefined : data.hierarchy?.[wholeLevel];
  const who = `The inner folds of ${id}`;
  const checks = timeChecks(who, plan.claims, timesFor(plan, data), plan.n);
  for (const { id: innerId, train, test } of inner) {
    const sides = { train, validation: test };
    if (disjointGroups) {
      checkWholeGroups(sides, who, data.groups, 'Use GroupKFold or StratifiedGroupKFold as `innerCv`.');
    }
    if (wholeLevel !== undefined && level) {
      const way = `Use HierarchicalGroupKFold with the \`hierarchyLevel\` '${nameText(wholeLevel)}' as \`innerCv\`.`;
      checkWholeGroups(sides, who, level as SideData['groups'], way);
    }
    for (const check of checks) check({ train, test }, `Inner fold ${innerId} of ${id}`);
  }
}

/** Side data with the times of rows. Without timestamps these are the row numbers, where the outer folds are in that order. */
function timesFor(plan: FoldPlan, data: SideData): SideData {
  if (!plan.claims.timeOrdered || data.timestamps) return data;
  for (const { train, test } of plan) if (train[train.length - 1] >= test[0]) return data;
  return { ...data, timestamps: rowNumbers(plan.n) as unknown as NonNullable<SideData['timestamps']> };
}

function innerDesign(design: Design, { innerCv, outerCv }: InnerRequest): string {
  if (innerCv === undefined && hasInner(design.plan.at(0))) return `the inner folds of ${design.plan.splitterName}`;
  const splitter = isSplitter(innerCv) ? innerCv : likeOuter(outerCv, design, innerCv);
  return writtenAs(splitter) ?? 'a splitter of the caller';
}

function likeOuter(outerCv: Splitter, { plan, y, data, randomState }: Design, nSplits = INNER_FOLDS): Splitter {
  const { disjointGroups, timeOrdered, keepsTies, purged, separated, wholeLevel } = plan.claims;
  const excludesRows = timeOrdered || keepsTies || purged || separated || wholeLevel !== undefined;
  // Patients who repeat stay whole within, also where the outer folds were not asked to keep them.
  const resized = excludesRows || disjointGroups || !data.groups ? outerCv.resized?.(nSplits) : undefined;
  if (resized) return resized;
  if (timeOrdered && !purged && !separated) return new TimeSeriesSplit({ nSplits });
  if (excludesRows) {
    const must = 'say how the training rows of each fold are split';
    const got = phrase(`nothing, for outer folds by ${writtenAs(outerCv) ?? plan.splitterName}`);
    const way = 'Give a splitter that separates rows as the outer one does.';
    throw new InvalidOptionError(sentence('The `innerCv` option', must, got, way), { code: 'no_inner_folds' });
  }
  const isClasses = y.shape === undefined && (y.task === 'binary' || y.task === 'multiclass');
  const drawn = { nSplits, shuffle: true, randomState: deriveSeed(randomState, 'search') };
  if (data.groups) return isClasses ? new StratifiedGroupKFold(drawn) : new GroupKFold({ nSplits });
  return isClasses ? new StratifiedKFold(drawn) : new KFold(drawn);
}

function searchWarnings(prepared: Prepared, searched: ReadonlyMap<string, Searched>): string[] {
  const all = [...searched.values()];
  const [{ plan, study }] = all;
  const { sampler, pruner, trials } = study;
  const { nStartupTrials = 0 } = sampler;
  const { fewestFolds = 0 } = pruner;
  const idle = prepared.callbacks.filter(isIdle).map(callbackName);
  const nFolds = sum(all.map((each) => each.plan.length));
  const uncounted = sum(all.map((each) => each.uncounted));
  const tied = all.filter(isTied);
  const warnings = [
    ...splitPatients(prepared),
    idle.length > 0 &&
      `The callback ${idle.join(', ')} was not called in the trials: if it changes training, the search ranked models that were trained otherwise. Give it needsEpochs: true to make it part of training.`,
    nStartupTrials > 0 &&
      trials.length <= nStartupTrials &&
      `The sampler ${nameText(sampler.name)} draws its first ${nStartupTrials} trials at random, and there were ${trials.length}: it had no effect. Use more nTrials.`,
    fewestFolds >= plan.length &&
      `The pruner ${nameText(pruner.name)} can end a trial after ${fewestFolds} inner folds at the earliest, and there are ${plan.length}: it had no effect. Use innerCv: ${Math.max(5, fewestFolds + 1)}.`,
    uncounted > 0 &&
      `${uncounted} of ${nFolds} inner folds have no value of the score whatever is predicted, for example since a class is missing: they counted for no trial. Use fewer, stratified inner folds.`,
    tied.length > 0 &&
      `All trials scored alike in ${tied.length} of ${counted(all.length, 'search', 'searches')}, and the first one was taken: these parameters make no difference there.`,
  ];
  return warnings.filter((each) => each !== false);
}

/** Has hooks of the caller that could change training, and are not called in trials. */
const isIdle = (callback: CVCallback): boolean =>
  !partOf(callback, 'needsEpochs') &&
  !partOf(callback, 'readOnly') &&
  (['onEpochStart', 'onEpochEnd'] as const).some((hook) => partOf(callback, hook));

function isTied({ study }: Searched): boolean {
  const complete = study.trials.filter(({ state }) => state === 'complete');
  return complete.length > 1 && complete.every(({ value }) => value === complete[0].value);
}
