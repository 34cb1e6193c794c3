/** `cvkit status`: how far a run is. It reads, and disturbs nobody. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isGone } from '#io';
import { plainText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import type { TrailEntry } from '../../core/trail.js';
import { ifThere } from '../../core/wholeFile.js';
import { answersIn, finishedIn, onDisk, readWhole } from '../../node/directory/runFolder.js';
import type { Work } from '../program.js';

/** Outcomes of further fits: for intervals, of trials of a search, of all rows. */
const FURTHER = /^halving-\d+_half-|_without-|_trial-\d+_inner-|^all-rows/;

export const statusCommand: Work = async ([place], flags, output) => {
  await output.checkPlaces([place]);
  const found = await statusOf(place);
  await output.result(flags.reporter === 'json' ? JSON.stringify(found, null, 1) : textOf(place, found));
  return 0;
};

export async function statusOf(place: string) {
  const { entries, reason } = await onDisk(place, () => readWhole(place));
  const finishedHere = finishedIn(entries);
  const kept = [...finishedHere.values()];
  // What workers have done, and no call has taken up yet.
  const answered = [...(await answersIn(place)).keys()].filter((key) => !finishedHere.has(key)).length;
  const folds = kept.filter(({ fold }) => !FURTHER.test(fold));
  const opened = entries.filter(({ event }) => event === 'open');
  const planned = opened.at(-1)?.folds;
  const mark = await ifThere(() => readFile(join(place, 'lock'), 'utf8'), undefined);
  const seconds = folds.reduce((sum, fold) => sum + fold.seconds, 0) / Math.max(1, folds.length);
  const [finished, total] = [folds.length + answered, typeof planned === 'number' ? planned : null];
  return {
    state: stateOf(entries, mark, total !== null && finished >= total),
    ...{ finished, folds: total, furtherFits: kept.length - folds.length },
    failedAttempts: entries.filter(({ event }) => event === 'attempt').length,
    opened: opened.length,
    last: entries.at(-1)?.time ?? null,
    secondsPerFold: folds.length > 0 ? seconds : null,
    log: reason === null ? 'whole' : `damaged: ${reason}`,
  };
}

function stateOf(entries: readonly TrailEntry[], mark: string | undefined, isWhole: boolean): string {
  if (mark !== undefined && !isGone(mark)) return `runs, process ${plainText(mark.split('\n')[1] ?? '')}`;
  const end = entries.findLastIndex(({ event }) => event === 'end');
  if (end > entries.findLastIndex(({ event }) => event === 'open')) return 'ended';
  if (isWhole) return 'all folds are there; the same command makes the result';
  return entries.some(({ event }) => event === 'fold_end')
    ? 'stopped: the same command goes on'
    : 'no fold is finished yet';
}

function textOf(place: string, found: Awaited<ReturnType<typeof statusOf>>): string {
  const { state, finished, folds, furtherFits, failedAttempts, secondsPerFold, last, log } = found;
  const rest =
    folds !== null && secondsPerFold !== null && folds > finished ? (folds - finished) * secondsPerFold : null;
  const facts: [string, string][] = [
    ['State', state],
    ['Folds', `${finished}${folds === null ? '' : ` of ${folds}`} finished`],
    ...(furtherFits > 0 ? [['Fits', `${furtherFits} more, for intervals or a search`] as [string, string]] : []),
    ...(failedAttempts > 0 ? [['Failed', counted(failedAttempts, 'attempt')] as [string, string]] : []),
    ...(secondsPerFold === null ? [] : [['Time', `${secondsPerFold.toFixed(1)} s a fold`] as [string, string]]),
    ...(rest === null ? [] : [['Left', `about ${rest.toFixed(0)} s of one process`] as [string, string]]),
    ['Last', last ?? 'nothing yet'],
    ...(log === 'whole' ? [] : [['Log', log] as [string, string]]),
  ];
  return [place, '', ...facts.map(([name, text]) => `  ${name.padEnd(8)}${text}`)].join('\n');
}
