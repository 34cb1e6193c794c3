/** What a splitter is, in words. */
import { show } from '../core/errors.js';
import type { OptionShape } from '../core/options.js';
import type { SplitterClaims, SplitterFacts } from './splitter.js';

/** Each promise as a clause. */
const PROMISES: Readonly<Record<keyof SplitterClaims, string>> = {
  partition: 'every row is tested once per repeat',
  disjointGroups: 'no group is on both sides',
  stratified: 'every test set has the shares of the classes',
  timeOrdered: 'training is earlier than testing',
  wholeTimes: 'rows of one time stay together',
  disjointIntervals: 'no training label interval meets a test one',
  exhaustive: 'folds overlap, so that their scores are no sample',
};

/** One sentence: name and options, what it does, what it promises. */
export function describe(
  { name, description, options }: SplitterFacts<OptionShape>,
  chosen: Readonly<Record<string, unknown>>,
  claims: SplitterClaims,
): string {
  const settings = Object.keys(options.shape)
    .filter((option) => chosen[option] !== null && chosen[option] !== undefined)
    .map((option) => `${option}: ${settingOf(chosen[option])}`);
  const made = settings.length > 0 ? `${name}({ ${settings.join(', ')} })` : name;
  const promises = Object.entries(PROMISES).filter(([claim]) => claims[claim as keyof SplitterClaims]);
  const kept = promises.length > 0 ? promises.map(([, clause]) => clause).join('; ') : 'nothing beyond valid folds';
  return `${made}: ${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}. Promises: ${kept}.`;
}

function settingOf(value: unknown): string {
  const splitter = value as { facts?: { name?: string } };
  return splitter?.facts?.name ?? show(value);
}
