/** The search within each outer fold, the search on all rows, and the run with what was chosen. */

import { withCleanup } from '../core/cleanup.js';
import { messageOf } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isOfStep } from '../core/names.js';
import { deriveSeed } from '../core/random.js';
import { confidenceIntervals } from '../intervals/confidenceIntervals.js';
import { type Interval, joinNotes } from '../intervals/interval.js';
import { intervalFolds } from '../intervals/intervalFolds.js';
import type { CVResults } from '../runner/cvResults.js';
import { callHooks, trainingCallbacks } from '../runner/hooks.js';
import { beginRun, runBegunFolds, runFolds } from '../runner/loop.js';
import { auxiliaryRun, type Prepared } from '../runner/prepare.js';
import type { Session } from '../runner/session.js';
import { taskEnvironment } from '../runner/taskEnvironment.js';
import { correctedBest } from './correctedBest.js';
import type { Params } from './distribution.js';
import { allRows, innerDesign, innerPlan } from './innerPlans.js';
import { type Searched, type SearchRun, search } from './search.js';
import { searchWarnings } from './searchWarnings.js';
import type { Space } from './space.js';
import { studiesOf } from './studies.js';
import type { OnTrial } from './studyOptions.js';
import type { TuningSettings } from './tuningOptions.js';
import { TuningResults } from './tuningResults.js';
import type { Defaults } from './tuningText.js';

export async function tunedRun(prepared: Prepared, session: Session, settings: TuningSettings): Promise<TuningResults> {
  const startedAt = performance.now();
  const { options, scoringName, space } = settings;
  const scorer = prepared.scorers.find(({ name }) => name === scoringName) as Prepared['scorers'][number];
  const { splitParams } = await import('./splitParams.js');
  const check = (params: Params) => void splitParams(params, prepared.preparation);
  if (space.distributions) splitParams(space.distributions, prepared.preparation);
  if (options.defaultParams) check(options.defaultParams);
  const folds = options.outer ? prepared.folds.map((index) => prepared.plan.at(index)) : [];
  const whole = allRows(prepared);
  const within = [...folds, whole];
  // All of them are made now, so that an impossible design is refused before any model is trained.
  const plans = within.map((rows) => (options.outer ? innerPlan(prepared, rows, settings) : prepared.plan));
  const environment = {
    ...taskEnvironment(prepared, session, () => ''),
    callbacks: trainingCallbacks(prepared.callbacks),
  };
  const studies = await studiesOf(prepared, { ...settings, scorer, concurrency: environment.executor.concurrency });
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
  const warnings: string[] = [];
  const found = new Map<string, Searched>();
  const searchAll = async () => {
    // First, since a check may refuse the folds.
    await beginRun(prepared, session, warnings);
    for (const [at, { id }] of within.entries()) {
      const study = await studies.open(id, plans[at]);
      const onTrial: OnTrial = async (trial) => {
        const done = study.trials.filter(({ endedAt }) => endedAt !== null).length;
        const told = { search: id, trial, bestValue: study.bestValue, done, nTrials: studies.nTrials };
        const all = Object.freeze({ ...told, searchesDone: at, nSearches: within.length });
        return callHooks(prepared.callbacks, 'onTrialEnd', () => [all], prepared.call.run.options.signal);
      };
      found.set(id, await search(study, plans[at], id, { ...run, onTrial }));
    }
  };
  await withCleanup(searchAll, studies.close);
  const all = found.get(whole.id) as Searched;
  // An outer fold has the parameters of its own search, and none that have seen its test rows.
  const paramsOf = (fold: string): Params => ((options.outer ? found.get(fold) : all) as Searched).params;
  const chosen = { ...prepared, paramsOf, preparation: asChosen(prepared, space) };
  const results = await runBegunFolds(chosen, session, warnings);
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
  const side = { ...prepared.data, sampleWeight: prepared.weight };
  const folds = intervalFolds(results, side);
  const randomState = deriveSeed(prepared.randomState, 'tuning');
  const found = confidenceIntervals(results, folds, { ciMethod, ciLevel, nBootstrap, sampling, randomState });
  const noted = Object.entries(found).map(([name, each]) => [name, { ...each, ...joinNotes(note, each.note) }]);
  return Object.fromEntries(noted);
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
