/** What a splitter is, in words. */
import { show } from '../core/errors.js';
import type { OptionShape } from '../core/options.js';
import type { SplitterClaims, SplitterFacts } from './splitter.js';

/** No promises but a warning (see {@link describe}), and what the options say already. */
const FACTS = ['exhaustive', 'wholeLevel', 'onEarth'] as const satisfies readonly (keyof SplitterClaims)[];

/** Each promise as a clause. */
const PROMISES: Readonly<Record<Exclude<keyof SplitterClaims, (typeof FACTS)[number]>, string>> = {
  partition: 'every row is tested once per repeat',
  disjointGroups: 'no group is on both sides',
  stratified: 'every test set has the shares of the classes',
  timeOrdered: 'training is earlier than testing',
  wholeTimes: 'rows of one time stay together',
  apart: 'test rows lie apart from training rows',
  disjointIntervals: 'no training label interval meets a test one',
};

/** Names of all claims. */
export const CLAIMS: readonly string[] = [...Object.keys(PROMISES), ...FACTS];

/** The splitter as a user would write it: `KFold({ nSplits: 5, shuffle: false })`. Options that are null are left out. */
export function written(
  { name, options }: Pick<SplitterFacts<OptionShape>, 'name' | 'options'>,
  chosen: Readonly<Record<string, unknown>>,
): string {
  const settings = Object.keys(options.shape)
    .filter((option) => chosen[option] !== null && chosen[option] !== undefined)
    .map((option) => `${option}: ${settingOf(chosen[option])}`);
  return settings.length > 0 ? `${name}({ ${settings.join(', ')} })` : `${name}()`;
}

const settingOf = (value: unknown) => (isNamed(value) ? written(value.facts, value.options) : show(value));

type Named = { facts: SplitterFacts<OptionShape>; options: Readonly<Record<string, unknown>> };
const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && 'facts' in value && 'options' in value;

/** One sentence: name and options, what it does, what it promises. */
export function describe(
  facts: SplitterFacts<OptionShape>,
  chosen: Readonly<Record<string, unknown>>,
  claims: SplitterClaims,
): string {
  const design = facts.description.charAt(0).toLowerCase() + facts.description.slice(1).replace(/\.$/, '');
  const promises = Object.entries(PROMISES)
    .filter(([claim]) => claims[claim as keyof SplitterClaims])
    .map(([, clause]) => clause);
  const promised = promises.join(', ') || 'train and test share no row';
  const note = claims.exhaustive
    ? '; every choice of test rows, groups or blocks is a fold, so that the scores of folds are no sample'
    : '';
  return `${written(facts, chosen)}: ${design}; promises that ${promised}${note}.`;
}
