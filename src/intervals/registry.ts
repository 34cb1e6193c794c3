import type { Metric } from '../metrics/metric.js';
import { analytic, bootstrap, oofBootstrap } from './bootstrap.js';
import { correctedT } from './correctedT.js';
import { cvauc, delongOfFolds } from './delongOfFolds.js';
import type { IntervalMethod } from './interval.js';
import type { IntervalMethodName } from './methodNames.js';
import { nestedCv } from './nestedCv.js';
import { clopperPearsonOfFolds, wilsonOfFolds } from './proportionOfFolds.js';

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

const AUC: Served = [({ name }) => name === 'roc_auc', 'roc_auc'];
const SHARES: Served = [({ proportion }) => proportion === true, 'shares of rows such as accuracy'];

type Served = readonly [serves: (metric: Metric) => boolean, what: string];

export const SERVED: Readonly<Partial<Record<IntervalMethodName, Served>>> = {
  analytic: [({ influence }) => influence !== undefined, 'a metric with an influence function'],
  cvauc: AUC,
  delong: AUC,
  wilson: SHARES,
  clopper_pearson: SHARES,
  nested_cv: [({ decomposable }) => decomposable === true, 'means of a loss of rows such as accuracy'],
};
