/** The order of the rows tells nothing: tables are often sorted by their outcome. */
import { describe, expect, it } from 'vitest';
import { checkFeatureTargetLeakage } from '../../../src/checkers/CVL009-feature-target/featureTarget.js';
import { randomSource } from '../../../src/core/random.js';

describe('columns of few values beside numbers', () => {
  it.each([1, 2, 3])('are no copies of a sorted y (seed %d)', async (seed) => {
    const random = randomSource(seed);
    const y = Array.from({ length: 205 }, () => 3 * random.random()).sort((a, b) => a - b);
    const X = y.map(() => [Number(random.random() < 0.4), random.random()]);
    const { hasLeakage } = await checkFeatureTargetLeakage(X, y, {});
    expect(hasLeakage).toBe(false);
    const timed = { time: y.map((each) => each + 0.1), event: y.map((_, row) => row % 2) };
    expect((await checkFeatureTargetLeakage(X, timed, {})).hasLeakage).toBe(false);
  });

  it('are the follow-up itself where most rows have it, although the others are near', async () => {
    const random = randomSource(4);
    const time = Array.from({ length: 300 }, () => 1 + 100 * random.random());
    const event = time.map((_, row) => row % 2);
    const measured = time.map((each, row) => (row % 12 === 0 ? 0.9 * each : each));
    const X = time.map((_, row) => [random.random(), measured[row]]);
    const found = await checkFeatureTargetLeakage(X, { time, event }, {});
    expect(found).toMatchObject({ hasLeakage: true, status: 'failed' });
  });
});
