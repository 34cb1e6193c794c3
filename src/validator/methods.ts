/** Methods of the validator: name to splitter, and which of the validator's options that splitter takes. */
import { InvalidOptionError, suggestion } from '../core/errors.js';
import type { Task } from '../core/labels.js';
import { snakeCase } from '../core/names.js';
import { refuseIdle } from '../core/options.js';
import { splitterRegistry } from '../splitters/registry.js';
import type { Splitter } from '../splitters/splitter.js';

/** Options of the validator that shape folds. */
export interface FoldOptions {
  readonly nSplits: number;
  readonly shuffle: boolean;
  readonly randomState: number | string | null;
  readonly holdoutTestSize: number;
  readonly holdoutStratify: boolean;
  readonly repeatedKfoldRepeats: number;
}

/** Option of the splitter to option of the validator. */
type Mapping = Readonly<Record<string, keyof FoldOptions>>;

const METHODS: Readonly<Record<string, { splitter: string; options: Mapping }>> = {
  kfold: { splitter: 'KFold', options: sameNames('nSplits', 'shuffle', 'randomState') },
  stratified_kfold: { splitter: 'StratifiedKFold', options: sameNames('nSplits', 'shuffle', 'randomState') },
  patient_grouped_kfold: { splitter: 'GroupKFold', options: sameNames('nSplits', 'shuffle', 'randomState') },
  holdout: {
    splitter: 'HoldOut',
    options: { testSize: 'holdoutTestSize', stratify: 'holdoutStratify', randomState: 'randomState' },
  },
  repeated_kfold: {
    splitter: 'RepeatedKFold',
    options: { nSplits: 'nSplits', nRepeats: 'repeatedKfoldRepeats', randomState: 'randomState' },
  },
};

function sameNames(...names: (keyof FoldOptions)[]): Mapping {
  return Object.fromEntries(names.map((name) => [name, name]));
}

/** A splitter's name as methods spell it: snake_case, with `kfold` in one word as in scikit-learn's habit of speech. */
const methodName = (splitter: string) => snakeCase(splitter).replace('k_fold', 'kfold');

/** Names that `method` accepts: the validator's own, and every splitter's name in snake_case. */
export function methodNames(): string[] {
  return [...new Set([...Object.keys(METHODS), ...[...splitterRegistry].map(({ name }) => methodName(name))])];
}

/** Options of the validator that do nothing but shape folds. */
const SHAPING = ['nSplits', 'shuffle', 'holdoutTestSize', 'holdoutStratify', 'repeatedKfoldRepeats'] as const;

/** Refuses options that the caller wrote and that nothing will use. */
export function refuseIdleShaping(written: ReadonlySet<string>, used: ReadonlySet<string>, why: string): void {
  for (const name of SHAPING) if (written.has(name) && !used.has(name)) refuseIdle('CVKitValidator', name, why);
}

/** The splitter behind a method. Options that the caller wrote and the method cannot use are refused. */
export function splitterOf(method: string, options: FoldOptions, written: ReadonlySet<string>): Splitter {
  const { splitter, options: mapping } = methodOf(method);
  refuseIdleShaping(written, new Set(Object.values(mapping)), `the method '${method}' does not use it`);
  const passed: Record<string, unknown> = {};
  for (const [theirs, ours] of Object.entries(mapping)) passed[theirs] = options[ours];
  // Without a shuffle nothing is drawn from the seed, which then serves training alone.
  if ('shuffle' in passed && !passed.shuffle) delete passed.randomState;
  if (passed.stratify === false) passed.stratify = null;
  return splitterRegistry.get(splitter).create(passed);
}

function methodOf(method: string): { splitter: string; options: Mapping } {
  if (Object.hasOwn(METHODS, method)) return METHODS[method];
  const entry = [...splitterRegistry].find(({ name }) => [methodName(name), snakeCase(name)].includes(method));
  if (!entry) {
    throw new InvalidOptionError(`There is no method '${method}'. ${suggestion(method, methodNames())}`, {
      code: 'unknown_method',
    });
  }
  const names = (['nSplits', 'shuffle', 'randomState'] as const).filter((name) => name in entry.options.shape);
  return { splitter: entry.name, options: sameNames(...names) };
}

/** The method when the caller named none, and why: patients are kept whole, classes balanced. */
export function defaultMethod(task: Task, repeatedGroups: boolean): { method: string; why: string } {
  if (task === 'multilabel') {
    throw new InvalidOptionError(
      "The `method` option of CVKitValidator must be named for a multilabel y. Got nothing. Use method: 'kfold', or 'patient_grouped_kfold' with groups.",
      { code: 'missing_option' },
    );
  }
  if (repeatedGroups) {
    return task === 'regression'
      ? { method: 'patient_grouped_kfold', why: 'patients repeat' }
      : { method: 'stratified_group_kfold', why: 'patients repeat' };
  }
  return task === 'regression'
    ? { method: 'kfold', why: 'y is continuous' }
    : { method: 'stratified_kfold', why: 'y has classes and no patient repeats' };
}
