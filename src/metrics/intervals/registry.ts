/** The interval methods that `ciMethod` names. */
import type { Metric } from '../metric.js';
import { clopperPearsonOfFolds, wilsonOfFolds } from './binomial.js';
import { bootstrap } from './bootstrap.js';
import { correctedT } from './correctedT.js';
import { cvauc, delongOfFolds } from './cvauc.js';
import type { IntervalMethod } from './interval.js';
import type { IntervalMethodName } from './methodNames.js';
import { oofBootstrap } from './oofBootstrap.js';

/** Interval methods by name. */
export const intervalMethods: Readonly<Record<IntervalMethodName, IntervalMethod>> = {
  bootstrap,
  corrected_t: correctedT,
  oof_bootstrap: oofBootstrap,
  cvauc,
  delong: delongOfFolds,
  wilson: wilsonOfFolds,
  clopper_pearson: clopperPearsonOfFolds,
};

/** Whether a method can make an interval of a metric at all, whatever the folds. */
export function serves(method: IntervalMethodName, { name, proportion }: Pick<Metric, 'name' | 'proportion'>): boolean {
  if (method === 'cvauc' || method === 'delong') return name === 'roc_auc';
  if (method === 'wilson' || method === 'clopper_pearson') return proportion === true;
  return true;
}
