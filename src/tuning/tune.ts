/** `runWithHyperparameterTuning` from its options to its results: what is loaded when it is called. */

import type { EventEmitter } from 'eventemitter3';
import { InvalidOptionError, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { type Parsed, rejectUnusedOption } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import type { Params } from '../core/tuningTrial.js';
import {
  checkMethodDesign,
  checkMethodNames,
  methodsOf,
  rejectUnusedResamples,
} from '../intervals/confidenceIntervals.js';
import { metricsFor } from '../metrics/metricsFor.js';
import type { DryRun } from '../runner/dryRun.js';
import type { RunnerEvents } from '../runner/events.js';
import { runCall, withRun } from '../runner/loop.js';
import { type Problem, readData, withData } from '../runner/readData.js';
import { withResult } from '../runner/runDirectory.js';
import { runnerOptions } from '../runner/runnerOptions.js';
import { type RunCall, readRunOptions } from '../runner/runOptions.js';
import type { Scoring } from '../runner/scoring.js';
import { readAsImplied, type TaskReading } from '../runner/session.js';
import { namesFor } from '../runner/taskMetrics.js';
import { isSplitter, type Splitter } from '../splitters/splitter.js';
import { RandomSampler } from './samplers/randomSampler.js';
import { type Space, spaceOf } from './space.js';
import { Study } from './study.js';
import { tunedRun } from './tunedRun.js';
import { type TuningOptions, tuningOptions } from './tuningOptions.js';
import type { TuningResults } from './tuningResults.js';

type Options = Parsed<typeof tuningOptions.shape>;

interface CallInput {
  readonly runner: Parsed<typeof runnerOptions.shape>;
  readonly input: TuningOptions;
  readonly emitter: EventEmitter<RunnerEvents>;
}

export async function tune(call: CallInput): Promise<TuningResults | DryRun> {
  const { runner } = call;
  const parsed = tuningOptions.parse(await withData(call.input));
  const { options } = parsed;
  const space = spaceOf(options.paramGrid);
  const splitters = splittersOf(options, options.cvSplitter ?? runner.options.cvSplitter);
  rejectIdle(parsed);
  const seed = options.randomState ?? runner.options.randomState ?? freshSeed();
  const tuning = {
    refitNote: options.outer ? SEARCHED : CHOSEN_HERE,
    paramsOf: () => ({}),
    first: () => probeParams(space, options.defaultParams, seed),
  };
  const all = { ...runner.options, ...options, model: options.modelFn };
  const read = (reading: TaskReading) => ({
    problem: readData(options.data, { ...options, ...reading } as Parameters<typeof readData>[1]),
  });
  const { problem, source } = await readAsImplied(all, read, tuning);
  const scoring = scoringOf(parsed, problem);
  checkIntervals(parsed, Object.keys(scoring.all), splitters.run);
  const runOf = callOf(call, parsed, splitters.run, scoring.all);
  const found = await withRun({ ...runOf, tuning, source }, problem, (prepared, session) =>
    tunedRun(prepared, session, { ...parsed, space, scoringName: scoring.name, ...splitters }),
  );
  return withResult(options, found);
}

function rejectIdle({ options, written }: Options): void {
  const owner = 'runWithHyperparameterTuning';
  for (const name of ['folds', 'defaultParams', 'ciMethod', 'sampling'] as const) {
    if (!options.outer && written.has(name)) rejectUnusedOption(owner, name, 'there are no outer folds');
  }
  if (options.storage === undefined && options.runDirectory === undefined && written.has('studyName')) {
    rejectUnusedOption(owner, 'studyName', 'the search is kept in no `storage`');
  }
}

function checkIntervals({ options, changed }: Options, scores: readonly string[], { claims }: Splitter): void {
  const { ciMethod, outer } = options;
  if (!outer) return;
  checkMethodNames(ciMethod, scores);
  checkMethodDesign(ciMethod, claims);
  const methods = methodsOf(ciMethod, scores);
  rejectUnusedResamples('runWithHyperparameterTuning', changed, methods);
  if (!methods.has('nested_cv')) return;
  const must = 'be a method that needs no further models';
  throw new InvalidOptionError(sentence('The `ciMethod` option of a search', must, 'nested_cv', "Use 'bootstrap'."));
}

const SEARCHED =
  'Its parameters come from one more search on all rows, as those of each fold came from a search on its training rows.';
const CHOSEN_HERE = 'Its parameters are the best of a search on these very folds, so that their scores are optimistic.';

/** The splitter of the run, and the one of the trials. Without outer folds these are the same. */
function splittersOf({ outer, innerCv }: Options['options'], outerSplitter: Splitter) {
  // Inner folds of a nested design score the trials; training itself watches none of them.
  const { outer: outerCv = outerSplitter, inner } = outerSplitter.nested ?? {};
  if (outer) return { run: outerCv, outerCv, innerCv: innerCv ?? inner };
  const run = isSplitter(innerCv)
    ? innerCv
    : innerCv === undefined
      ? (inner ?? outerSplitter)
      : outerSplitter.resized?.(innerCv);
  if (run) return { run, outerCv, innerCv: undefined };
  const way = 'Give a splitter.';
  const must = 'be a splitter where the folds have no number to change';
  throw new InvalidOptionError(sentence('The `innerCv` option', must, innerCv, way));
}

function scoringOf({ options, written }: Options, { y }: Problem): { name: string; all: Scoring } {
  const usual = namesFor(null, y);
  const names = options.metrics ? namesFor(options.metrics, y) : usual;
  // The default is that of classes: others are searched for the first score of their task.
  const scoring = written.has('scoring') || usual.includes(String(options.scoring)) ? options.scoring : usual[0];
  const all: Record<string, Scoring[string]> = Object.fromEntries(
    metricsFor(names, y.task).map(({ name }) => [name, name as Scoring[string]]),
  );
  if (typeof scoring === 'string') {
    const [name] = metricsFor([oneOfNames(scoring, namesFor([scoring], y))], y.task).map((metric) => metric.name);
    return { name, all: { ...all, [name]: name as Scoring[string] } };
  }
  const name = nameText(scoring.name || 'scoring');
  return { name, all: { ...all, [name]: scoring } };
}

/** The name of a metric at several times, targets or classes is that of none of them. */
function oneOfNames(scoring: string, names: readonly string[]): string {
  if (names.includes(scoring) || names.length === 1) return names.includes(scoring) ? scoring : names[0];
  throw new InvalidOptionError(sentence('`scoring`', `be one of ${names.join(', ')}`, scoring));
}

function callOf({ runner, emitter }: CallInput, parsed: Options, cvSplitter: Splitter, scoring: Scoring): RunCall {
  const { options, written } = parsed;
  const passed = (source: object, names: ReadonlySet<string>, shape: object) =>
    Object.fromEntries(Object.entries(source).filter(([name]) => name in shape && names.has(name)));
  const { model: _model, scoring: _scoring, metrics: _metrics, ...runShape } = readRunOptions.shape;
  const ofRunner = {
    ...passed(runner.options, runner.written, runnerOptions.shape),
    ...passed(options, written, runnerOptions.shape),
    cvSplitter,
  };
  const ofRun = { ...passed(options, written, runShape), model: options.modelFn, scoring };
  return runCall(runnerOptions.parse(ofRunner), readRunOptions.parse(ofRun), emitter, [runner, parsed]);
}

/** So many are tried where models cannot be made; what is wrong with all of them is wrong with modelFn. */
const TRIES = 10;

/** Parameters to make a first model from, which tells the adapter before any trial begins. */
export function* probeParams(
  space: Space,
  defaults: Params | undefined,
  randomState: number | string,
): Generator<Params> {
  if (defaults) yield defaults;
  const study = new Study({ sampler: new RandomSampler(), randomState });
  let refused: unknown;
  let started = 0;
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const params = space.paramsOf(study.ask());
      started++;
      yield params;
    } catch (error) {
      refused ??= error;
    }
  }
  if (started === 0 && refused !== undefined) throw refused;
}
