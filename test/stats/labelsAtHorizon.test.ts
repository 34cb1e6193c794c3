import { describe, expect, it } from 'vitest';
import { ClinicalMetrics } from '../../src/index.js';
import { labelsAtHorizon, survivalScores } from '../../src/stats/index.js';
import { close, tables } from '../helpers/survivalTables.js';

describe('labelsAtHorizon', () => {
  it('weights rows by their chance of not being censored before (by hand)', () => {
    const found = labelsAtHorizon({ time: [1, 2, 3, 4, 5], event: [1, 0, 1, 0, 1], horizon: 3.5 });
    // Censored at 2: of four at risk three remain, so G is 3/4 from then on.
    expect(found.yTrue).toEqual([1, 0, 1, 0, 0]);
    close(found.sampleWeight, [1, 0, 4 / 3, 4 / 3, 4 / 3]);
  });

  it('counts events of other causes as no event of interest, and takes weights of training rows', () => {
    const rows = { time: [1, 2, 3, 4], event: [1, 2, 0, 1], horizon: 3.5 };
    expect(labelsAtHorizon(rows).yTrue).toEqual([1, 0, 0, 0]);
    const training = { time: [1, 2, 3, 4], event: [0, 0, 1, 1] };
    close(labelsAtHorizon({ ...rows, training }).sampleWeight, [1, 4 / 3, 0, 2]);
  });

  it.each(tables)('gives ClinicalMetrics the area of riskRegression (table $name)', (table) => {
    const { time, event } = table.data;
    const at = 1;
    const risk = table.risks.map((row) => row[at]);
    const { yTrue, sampleWeight } = labelsAtHorizon({ time, event, horizon: table.times[at] });
    const labels = risk.map((each) => Number(each >= 0.3));
    const found = new ClinicalMetrics().calculateAll(yTrue, labels, { yProba: risk, sampleWeight });
    close([found.rocAuc.estimate], [table.scores.auc[at]]);
    close([found.brier.estimate as number], [table.scores.brier[at]]);
    expect(survivalScores({ time, event, risk, times: table.times }).concordance.estimate).not.toBeNull();
  });

  it('refuses a horizon after which nobody is followed', () => {
    expect(() => labelsAtHorizon({ time: [1, 2], event: [1, 1], horizon: 3 })).toThrow('before the end of follow-up');
  });
});
