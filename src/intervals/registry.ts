import type { Metric } from '../metrics/metric.js';
import { analytic, bootstrap, oofBootstrap } from './bootstrap.js';
import { correctedT } from './correctedT.js';
import { cvauc, delongOfFolds } from './delong.js';
import type { IntervalMethod } from './interval.js';
import type { IntervalMethodName } from './methodNames.js';
import { nestedCv } from './nestedCv.js';
import { clopperPearsonOfFolds, wilsonOfFolds } from './proportion.js';

export const intervalMethods: Readonly<Record<IntervalMethodName, IntervalMethod>> = {
  bootstrap,
  analytic,
  corrected_t: correctedT,
  oof_bootstrap: oofBootstrap,
  cvauc,
  delong: delongOfFolds,
  wilson: wilsonOfFolds,
  clopper_pearson: clopperPearsonOfFolds,
  nested_cv: nestedCv,
};

export function serves(
  method: IntervalMethodName,
  { name, proportion, decomposable, influence }: Pick<Metric, 'name' | 'proportion' | 'decomposable' | 'influence'>,
): boolean {
  if (method === 'cvauc' || method === 'delong') return name === 'roc_auc';
  if (method === 'wilson' || method === 'clopper_pearson') return proportion === true;
  if (method === 'analytic') return influence !== undefined;
  if (method === 'nested_cv') return decomposable === true;
  return true;
}
