/** Methods of the validator: name to splitter, and which of the validator's options that splitter takes. */

import { InvalidOptionError, suggestion } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { snakeCase } from '../core/names.js';
import { rejectUnusedOption } from '../core/options.js';
import { type SplitterEntry, splitterRegistry } from '../splitters/registry.js';
import type { Splitter, SplitterFacts } from '../splitters/splitter.js';

const SHAPING = [
  'cv',
  'nSplits',
  'shuffle',
  'holdoutTestSize',
  'holdoutStratify',
  'repeatedKfoldRepeats',
  'lpocvP',
  'monteCarloIterations',
  'monteCarloTestSize',
  'bootstrapValidationIterations',
  'bootstrapValidationEstimator',
  'splitterOptions',
] as const;

/** Those of the validator. `cv`: a number stands for `nSplits`, and over it. */
type FoldOptions = Readonly<Record<(typeof SHAPING)[number] | 'randomState', unknown>> & {
  readonly splitterOptions: Readonly<Record<string, unknown>>;
};

interface Shaping {
  readonly options: FoldOptions;
  readonly written: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
}

type OptionName = Exclude<keyof FoldOptions, 'cv' | 'splitterOptions'>;
type Mapping = Readonly<Record<string, OptionName>>;

const K_FOLD = sameNames('nSplits', 'shuffle', 'randomState');

const METHODS: Readonly<Record<string, { splitter: string; options: Mapping }>> = {
  kfold: { splitter: 'KFold', options: K_FOLD },
  stratified_kfold: { splitter: 'StratifiedKFold', options: K_FOLD },
  patient_grouped_kfold: { splitter: 'GroupKFold', options: K_FOLD },
  temporal: { splitter: 'TimeSeriesSplit', options: sameNames('nSplits') },
  holdout: {
    splitter: 'HoldOut',
    options: { testSize: 'holdoutTestSize', stratify: 'holdoutStratify', randomState: 'randomState' },
  },
  repeated_kfold: {
    splitter: 'RepeatedKFold',
    options: { nSplits: 'nSplits', nRepeats: 'repeatedKfoldRepeats', randomState: 'randomState' },
  },
  loocv: { splitter: 'LOOCV', options: {} },
  lpocv: { splitter: 'LPOCV', options: { p: 'lpocvP' } },
  monte_carlo: {
    splitter: 'MonteCarloCV',
    options: { nIterations: 'monteCarloIterations', testSize: 'monteCarloTestSize', randomState: 'randomState' },
  },
  bootstrap: {
    splitter: 'BootstrapValidation',
    options: {
      nIterations: 'bootstrapValidationIterations',
      estimator: 'bootstrapValidationEstimator',
      randomState: 'randomState',
    },
  },
};

export const OWN_METHODS: readonly string[] = Object.keys(METHODS);

function sameNames(...names: OptionName[]): Mapping {
  return Object.fromEntries(names.map((name) => [name, name]));
}

/** A splitter's name as methods spell it: snake_case, with `kfold` as one word, as users of scikit-learn say it. */
const inSnakeCase = (splitter: string) => snakeCase(splitter).replace('k_fold', 'kfold');

const spellings = ({ name, aliases = [] }: SplitterEntry) =>
  [name, ...aliases].flatMap((each) => [inSnakeCase(each), snakeCase(each)]);

/** The name that documents give the method of a splitter: the validator's own where it has one. */
export const methodName = (splitter: string): string =>
  Object.keys(METHODS).find((method) => METHODS[method].splitter === splitter) ?? inSnakeCase(splitter);

/** Names that `method` accepts: the validator's own, and every splitter's name in snake_case. */
export function methodNames(): string[] {
  return [...new Set([...Object.keys(METHODS), ...[...splitterRegistry].map(({ name }) => inSnakeCase(name))])];
}

export const CV_GIVEN = '`cv` makes the folds';

/** Refuses a number of folds that the constructor was given twice, with two values; the default conflicts with nothing. */
export function refuseTwoNumbers({ cv, nSplits }: FoldOptions, changed: ReadonlySet<string>): void {
  if (typeof cv !== 'number' || !changed.has('nSplits') || cv === nSplits) return;
  throw new InvalidOptionError(
    `CVKitValidator was given two numbers of folds, \`cv\`: ${cv} and \`nSplits\`: ${nSplits}. Use \`nSplits\` alone.`,
    { code: 'duplicate_option' },
  );
}

export function rejectUnusedShaping(changed: ReadonlySet<string>, used: ReadonlySet<string>, why: string): void {
  for (const name of SHAPING) if (changed.has(name) && !used.has(name)) rejectUnusedOption('CVKitValidator', name, why);
}

/** With the options that the validator passes on and `splitterOptions` over them; what the method cannot use is refused. */
export function splitterOf(method: string, { options, written, changed }: Shaping): Splitter {
  const { entry, mapping } = methodOf(method, written);
  const used = new Set<string>([...Object.values(mapping), 'splitterOptions']);
  if (used.has('nSplits')) used.add('cv');
  rejectUnusedShaping(changed, used, `the method '${method}' does not use it`);
  const nSplits = typeof options.cv === 'number' ? options.cv : options.nSplits;
  const passed: Record<string, unknown> = Object.fromEntries(
    Object.entries(mapping).map(([theirs, ours]) => [theirs, ours === 'nSplits' ? nSplits : options[ours]]),
  );
  const own = options.splitterOptions;
  const ownNames = new Map(Object.keys(own).map((name) => [entry.options.canonical(name) ?? name, name] as const));
  for (const [theirs, name] of ownNames) {
    const ours = mapping[theirs] === 'nSplits' && typeof options.cv === 'number' ? 'cv' : mapping[theirs];
    if (ours !== undefined && changed.has(ours)) {
      throw new InvalidOptionError(
        `CVKitValidator was given one option under two names, \`${ours}\` and \`splitterOptions.${nameText(name)}\`. Use one.`,
        { code: 'duplicate_option' },
      );
    }
    delete passed[theirs];
  }
  // Without a shuffle nothing is drawn from the seed, which then serves training alone.
  const shuffle = ownNames.has('shuffle') ? own[ownNames.get('shuffle') as string] : passed.shuffle;
  if (shuffle === false) delete passed.randomState;
  return entry.create({ ...seeded(entry, passed, options), ...own });
}

function methodOf(method: string, written: ReadonlySet<string>): { entry: SplitterEntry; mapping: Mapping } {
  const own = Object.hasOwn(METHODS, method) ? METHODS[method].splitter : undefined;
  const entry = [...splitterRegistry].find((each) => each.name === own || spellings(each).includes(method));
  if (!entry) {
    const way = /site/.test(method)
      ? "Use 'hierarchical_group_kfold' with splitterOptions: { hierarchyLevel: 'site' }."
      : suggestion(method, methodNames());
    throw new InvalidOptionError(`There is no method '${nameText(method)}'. ${way}`, { code: 'unknown_method' });
  }
  const row = Object.values(METHODS).find(({ splitter }) => splitter === entry.name);
  return { entry, mapping: row?.options ?? mappingOf(entry, written) };
}

/** What the validator passes to a splitter that has no method name of its own. */
function mappingOf({ options: { shape } }: SplitterEntry, written: ReadonlySet<string>): Mapping {
  const names = (['nSplits', 'shuffle', 'randomState'] as const).filter((name) => name in shape);
  const repeats = 'nRepeats' in shape && written.has('repeatedKfoldRepeats');
  return { ...sameNames(...names), ...(repeats ? { nRepeats: 'repeatedKfoldRepeats' } : {}) };
}

/** Nested designs get the splitters of their defaults with the validator's seed, so that the seed decides the folds. */
function seeded({ options: { shape } }: SplitterEntry, passed: Record<string, unknown>, { randomState }: FoldOptions) {
  for (const name of ['outerCv', 'innerCv']) {
    const byDefault = shape[name]?.defaultValue as { facts: SplitterFacts; options: object } | undefined;
    if (!byDefault || !('randomState' in byDefault.facts.options.shape)) continue;
    const shuffle = 'shuffle' in byDefault.facts.options.shape ? { shuffle: true } : {};
    passed[name] = splitterRegistry.get(byDefault.facts.name).create({ ...byDefault.options, ...shuffle, randomState });
  }
  return passed;
}
