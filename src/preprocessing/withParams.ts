import { InvalidOptionError, nearest, phrase, sentence, show, threw } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isOfStep, STEP_MARK, snakeCase } from '../core/names.js';
import { Resampler } from './resampler.js';
import { type AnyTransformer, cloneOf, copyOf, type ForeignTransformer, isTransformer, stepName } from './step.js';
import { type Changing, inStep, type StepParams, Transformer } from './transformer.js';

type Entries = readonly (readonly [name: string, value: unknown])[];

export function partition(params: StepParams): readonly [ofSteps: Entries, others: Entries] {
  const entries = Object.entries(params);
  return [entries.filter(([name]) => isOfStep(name)), entries.filter(([name]) => !isOfStep(name))];
}

/** Sorts parameters by the step that they are for; the longest name counts, as of `outer__scale` beside `outer`. */
export function paramsByStep(steps: readonly string[], params: StepParams) {
  const [ofSteps, own] = partition(params);
  const within = new Map<string, StepParams>();
  for (const [name, value] of ofSteps) {
    const step = stepOf(name, steps);
    const option = name.slice(step.length + STEP_MARK.length);
    within.set(step, Object.fromEntries([...Object.entries(within.get(step) ?? {}), [option, value]]));
  }
  return { own: Object.fromEntries(own) as StepParams, within };
}

export function stepOf(param: string, steps: readonly string[]): string {
  const fitting = steps.filter((step) => param.startsWith(`${step}${STEP_MARK}`));
  if (fitting.length > 0) return fitting.toSorted((a, b) => b.length - a.length)[0];
  const parts = param.split(STEP_MARK);
  const prefixes = parts.slice(0, -1).map((_, at) => parts.slice(0, -1 - at).join(STEP_MARK));
  const near = prefixes.map((each) => nearest(each, steps)).find((each) => each !== undefined);
  const subject = `The parameter '${nameText(param)}'`;
  const got = phrase(show(parts[0]));
  const way = near
    ? `Did you mean '${nameText(near)}'?`
    : `The steps are: ${steps.map((each) => nameText(each)).join(', ')}.`;
  throw new InvalidOptionError(sentence(subject, 'begin with the name of a step', got, way), { code: 'unknown_step' });
}

/** The step to be held under `name` in one that is made again; undefined parameters: its options stay. */
export function stepWith(
  step: AnyTransformer | Resampler | string,
  name: string,
  params: StepParams | undefined,
  changing: Changing,
): AnyTransformer | Resampler | string {
  if (params === undefined) return typeof step === 'string' ? step : changing.same(step);
  const path = [...changing.path, name];
  if (step instanceof Transformer || step instanceof Resampler) return step.withParams(params, { ...changing, path });
  const subject = `The step ${show(path.join(STEP_MARK))}`;
  if (typeof step === 'string') {
    throw new InvalidOptionError(sentence(subject, 'be a transformer to have parameters', step));
  }
  if (typeof step.setParams === 'function') return changing.foreign(step, params, path);
  const way = 'Give it `setParams`, or choose it by a function: `preprocessing: (params) => ...`.';
  const must = 'have `setParams` to be given parameters';
  throw new InvalidOptionError(sentence(subject, must, phrase(stepName(step)), way), { code: 'no_set_params' });
}

/** The model at the end of a pipeline with other options: made again from its `getParams`, else a clone with `setParams`. */
export function modelWith(model: object | ((ctx: never) => unknown), name: string, params: StepParams): object {
  if (typeof model === 'function') {
    return (ctx: object) => (model as (ctx: object) => unknown)({ ...ctx, params });
  }
  const { constructor: Class, getParams, setParams, clone } = model as Model;
  if (getParams && Class !== Object) {
    const own = getParams.call(model);
    // As options of steps are, in either spelling; one under two names is for the class to refuse.
    const nameOf = (param: string) =>
      Object.keys(own).find((name) => snakeCase(name) === param && !Object.hasOwn(params, name)) ?? param;
    return new Class({ ...own, ...Object.fromEntries(Object.entries(params).map(([p, v]) => [nameOf(p), v])) });
  }
  const subject = `The model '${nameText(name)}' at the end of a Pipeline`;
  if (clone && setParams) {
    const copy = clone.call(model);
    copy.setParams?.(params);
    return copy;
  }
  const way = 'Make the model from its parameters: `modelFn: (params) => new Pipeline([..., model])`.';
  const must = 'have `getParams`, or `clone` and `setParams`, to be given parameters';
  throw new InvalidOptionError(sentence(subject, must, phrase('neither'), way), { code: 'no_set_params' });
}

interface Model {
  readonly constructor: new (params: unknown) => object;
  getParams?(): object;
  setParams?(params: StepParams): unknown;
  clone?(): Model;
}

/** For a caller: what is made again shares no step with the one that it was made from. */
export const CLONING: Changing = {
  path: [],
  same: (step) => cloneOf(step, SUBJECT),
  foreign: (step: ForeignTransformer, params, path) => settled(cloneOf(step, SUBJECT), params, path, false),
};

const SUBJECT = 'A step within another one that gets other parameters';

/** For preparations, whose steps are copied before they are fitted: steps are shared until then. */
export const SHARING: Changing = {
  path: [],
  same: (step) => step,
  // The step itself but for its copies, which are what is fitted.
  foreign: (step: ForeignTransformer, params, path) =>
    Object.create(step, {
      clone: { value: async () => settled((await copyOf(step)) as ForeignTransformer, params, path, true) },
    }),
};

function settled(copy: ForeignTransformer, params: StepParams, path: readonly string[], mayWait: boolean): unknown {
  const subject = `The setParams of the step ${nameText(path.join(STEP_MARK))}`;
  const failed = threw(subject, 'take its parameters', 'set_params_failed', InvalidOptionError);
  const taken = (value: unknown) => (isTransformer(value) ? value : copy);
  const current = (() => {
    try {
      return (copy as Required<ForeignTransformer>).setParams(params);
    } catch (error) {
      return failed(error);
    }
  })();
  if (typeof (current as { then?: unknown } | undefined)?.then !== 'function') return taken(current);
  if (mayWait) return Promise.resolve(current).then(taken, failed);
  throw new InvalidOptionError(sentence(subject, 'act at once', phrase('a promise')));
}

/** Refuses parameters of a {@link Transformer} that has no options of its own. */
export function refuseOwn(owner: string, own: StepParams, steps: readonly string[], path: readonly string[]): void {
  const [name] = Object.keys(own);
  if (name === undefined) return;
  const must = `be named by a step and its option, as '${nameText(steps[0])}${STEP_MARK}option'`;
  inStep(path, () => {
    throw new InvalidOptionError(sentence(`The parameters of ${owner}`, must, name), { code: 'unknown_option' });
  });
}
