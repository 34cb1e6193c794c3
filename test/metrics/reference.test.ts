/** Every metric against scikit-learn (test/reference/metrics.py): ties, weights of 0, fractional weights, 0/0. */
import { describe, expect, it } from 'vitest';
import type { Task } from '../../src/data/labels.js';
import { score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { type ScoreTableInput, scoreTable } from '../../src/metrics/scoreTable.js';
import reference from '../reference/metrics.json' with { type: 'json' };

const cases = reference.cases as unknown as (Record<'yTrue' | 'yPred', number[]> & {
  task: Task;
  yProba: number[] | null;
  sampleWeight: number[] | null;
  expected: Record<string, number | null>;
})[];

function tableOf({ task, yTrue, yPred, yProba, sampleWeight }: (typeof cases)[number]) {
  const input: ScoreTableInput = { yTrue, yPred, task };
  if (task === 'binary') input.classes = [0, 1];
  if (yProba) input.yProba = yProba;
  if (sampleWeight) input.sampleWeight = sampleWeight;
  return scoreTable(input);
}

/** Iterative fits: R's glm is their reference, in the tests of the same name. */
const ELSEWHERE = ['calibration_slope', 'calibration_intercept'];

describe(`metrics against scikit-learn ${reference.versions['scikit-learn']}`, () => {
  it('covers every metric of every task', () => {
    const lacking = [...metricRegistry].flatMap(({ name, tasks }) =>
      tasks
        .filter((task) => !cases.some((each) => each.task === task && name in each.expected))
        .map((task) => [name, task]),
    );
    const unproved = lacking.filter(([name]) => !ELSEWHERE.includes(name)).map(([name, task]) => `${name}, ${task}`);
    expect(unproved, 'A line in test/reference/metrics.py gives their numbers.').toEqual([]);
  });

  it.each(metricRegistry.names().filter((name) => !ELSEWHERE.includes(name)))('%s', (name) => {
    for (const each of cases) {
      const expected = each.expected[name];
      if (expected === undefined) continue;
      const found = score(metricRegistry.get(name), tableOf(each));
      if (expected === null) expect(found).toMatchObject({ value: null, reason: expect.stringMatching(/./) });
      else expect(Math.abs((found.value as number) - expected)).toBeLessThanOrEqual(1e-12 * Math.max(1, expected));
    }
  });

  it('has cases without a value', () => {
    const missing = cases.flatMap(({ expected }) => Object.values(expected)).filter((value) => value === null);
    expect(missing.length).toBeGreaterThan(0);
  });
});
