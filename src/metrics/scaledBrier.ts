import { brier } from './brier.js';
import { type Metric, undefinedBecause } from './metric.js';
import type { ScoreTable } from './scoreTable.js';
import { weightedMean } from './weightedMean.js';

/**
 * Scaled Brier score, 1 - B / B0, with B0 = prevalence (1 - prevalence) the Brier score of giving everyone the
 * prevalence: 0 is as good as that, 1 perfect, below 0 worse. Also called Brier skill score or index of prediction
 * accuracy. Undefined with one class alone.
 *
 * Source: Steyerberg et al. 2010, Epidemiology 21:128.
 */
export const scaledBrier: Metric = {
  ...brier,
  decomposable: false,
  name: 'scaled_brier',
  description: '1 - Brier / Brier of giving everyone the prevalence (Steyerberg 2010).',
  direction: 'maximize',
  range: [-Infinity, 1],
  tasks: ['binary'],
  compute(table) {
    const share = prevalence(table);
    if (share === 0 || share === 1) return undefinedBecause(`no ${share === 0 ? 'positive' : 'negative'} rows`);
    return 1 - (brier.compute(table) as number) / (share * (1 - share));
  },
  // The quotient rule for B / B0, where the estimate is 1 - B / B0.
  influence(table, estimate) {
    const share = prevalence(table);
    const baseline = share * (1 - share);
    const ofBrier = brier.influence?.(table, (1 - estimate) * baseline) as Float64Array;
    const { yTrue, positive, weight, length } = table;
    const total = weight ? weight.reduce((sum, w) => sum + w, 0) : length;
    return ofBrier.map((each, row) => {
      const y = yTrue[row] === positive ? 1 : 0;
      const ofBaseline = ((weight ? weight[row] : 1) * (1 - 2 * share) * (y - share)) / total;
      return ((1 - estimate) * ofBaseline - each) / baseline;
    });
  },
};

const prevalence = (table: ScoreTable) => weightedMean(table, (row) => (table.yTrue[row] === table.positive ? 1 : 0));
