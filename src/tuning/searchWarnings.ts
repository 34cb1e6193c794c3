/** What a reader of the results must know of how the search went. */
import { nameText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import type { CVCallback } from '../runner/callback.js';
import { callbackName, partOf } from '../runner/hooks.js';
import type { Prepared } from '../runner/prepare.js';
import { splitPatients } from '../runner/splitPatients.js';
import type { Searched } from './search.js';

export function searchWarnings(prepared: Prepared, searched: ReadonlyMap<string, Searched>): string[] {
  const all = [...searched.values()];
  return [
    ...splitPatients(prepared),
    ...idleCallbacks(prepared),
    ...idleSampler(all[0]),
    ...idlePruner(all[0]),
    ...uncountedFolds(all),
    ...ties(searched),
  ];
}

/** Hooks of the caller that could change training, and are not called in trials. */
function idleCallbacks({ callbacks }: Prepared): string[] {
  const acts = (callback: CVCallback) =>
    !partOf(callback, 'needsEpochs') &&
    !partOf(callback, 'readOnly') &&
    (['onEpochStart', 'onEpochEnd'] as const).some((hook) => partOf(callback, hook));
  const names = callbacks.filter(acts).map(callbackName);
  if (names.length === 0) return [];
  return [
    `The callback ${names.join(', ')} was not called in the trials: if it changes training, the search ranked models that were trained otherwise. Give it needsEpochs: true to make it part of training.`,
  ];
}

/** A sampler that begins with random draws needs more trials than these. */
function idleSampler({ study: { sampler, trials } }: Searched): string[] {
  const { nStartupTrials = 0 } = sampler;
  if (nStartupTrials === 0 || trials.length > nStartupTrials) return [];
  return [
    `The sampler ${nameText(sampler.name)} draws its first ${nStartupTrials} trials at random, and there were ${trials.length}: it had no effect. Use more nTrials.`,
  ];
}

/** A pruner that compares folds needs several of them. */
function idlePruner({ study: { pruner }, plan }: Searched): string[] {
  const { fewestFolds = 0 } = pruner;
  if (fewestFolds < plan.length) return [];
  return [
    `The pruner ${nameText(pruner.name)} can end a trial after ${fewestFolds} inner folds at the earliest, and there are ${plan.length}: it had no effect. Use innerCv: ${Math.max(5, fewestFolds + 1)}.`,
  ];
}

function uncountedFolds(searched: readonly Searched[]): string[] {
  const folds = searched.reduce((sum, { uncounted }) => sum + uncounted, 0);
  if (folds === 0) return [];
  const of = searched.reduce((sum, { plan }) => sum + plan.length, 0);
  return [
    `${folds} of ${of} inner folds have no value of the score whatever is predicted, for example since a class is missing: they counted for no trial. Use fewer, stratified inner folds.`,
  ];
}

/** Searches whose trials all have the same value: nothing was chosen. */
function ties(searched: ReadonlyMap<string, Searched>): string[] {
  const tied = [...searched].filter(([, { study }]) => {
    const complete = study.trials.filter(({ state }) => state === 'complete');
    return complete.length > 1 && complete.every(({ value }) => value === complete[0].value);
  });
  if (tied.length === 0) return [];
  return [
    `All trials scored alike in ${tied.length} of ${counted(searched.size, 'search', 'searches')}, and the first one was taken: these parameters make no difference there.`,
  ];
}
