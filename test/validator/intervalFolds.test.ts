import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import type { IntervalMethodName } from '../../src/intervals/methodNames.js';
import { evaluate } from '../../src/validator/evaluate.js';

/** Twelve patients per site: four sites with both classes, then `more` sites of one class. */
function sites(more: number, label?: number) {
  const random = randomSource(4);
  const site = Array.from({ length: 12 * (4 + more) }, (_, row) => Math.floor(row / 12));
  const yTrue = site.map((each, row) => (each < 4 ? row % 2 : (label ?? each % 2)));
  const yProba = yTrue.map((each) => Math.min(0.99, Math.max(0.01, 0.25 + 0.3 * each + 0.5 * (random.random() - 0.5))));
  return { yTrue, yProba, fold: site, hierarchy: { site } };
}

describe('units of a metric that some folds have no value of', () => {
  it.each<[string, IntervalMethodName]>([
    ['roc_auc', 'bootstrap'],
    ['roc_auc', 'analytic'],
    ['roc_auc', 'delong'],
    ['roc_auc', 'cvauc'],
    ['roc_auc', 'oof_bootstrap'],
    ['average_precision', 'bootstrap'],
    ['average_precision', 'analytic'],
    ['average_precision', 'oof_bootstrap'],
  ])('are chosen by the sites that have one: %s by %s', async (metric, ciMethod) => {
    const resampled = ciMethod.endsWith('bootstrap') ? { nBootstrap: 200 } : {};
    const intervalOf = async (more: number, label?: number) => {
      const options = { ...sites(more, label), metrics: [metric as never], ciMethod, ...resampled, randomState: 1 };
      return (await evaluate(options)).confidenceIntervals[metric];
    };
    const alone = await intervalOf(0);
    expect(alone).toMatchObject({ independentUnit: 'row', nUnits: 48 });
    expect(alone.lower).toBeGreaterThan(0.5);
    for (const [more, label] of [[4], [12], [12, 0], [12, 1]]) {
      const { estimate, lower, upper, nUnits, independentUnit, note } = await intervalOf(more, label);
      expect({ estimate, lower, upper, nUnits, independentUnit }).toEqual({
        ...{ estimate: alone.estimate, lower: alone.lower, upper: alone.upper },
        ...{ nUnits: 48, independentUnit: 'row' },
      });
      expect(note).toMatch(/ sites, too few to count as independent/);
    }
  });

  it('stay the sites where enough of these have a value', async () => {
    const twelve = { ...sites(8), yTrue: sites(8).yTrue.map((_, row) => row % 2) };
    const { confidenceIntervals } = await evaluate({ ...twelve, metrics: ['roc_auc'], ciMethod: 'analytic' });
    expect(confidenceIntervals.roc_auc).toMatchObject({ independentUnit: 'site', nUnits: 12 });
  });
});
