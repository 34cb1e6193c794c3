import { expect, it } from 'vitest';
import { DataLeakageChecker } from '../../src/checkers/dataLeakageChecker.js';
import { randomSource } from '../../src/core/random.js';

it('lets timers have their turn within checks of a large table', { tags: 'slow' }, async () => {
  const random = randomSource(1);
  const [n, width] = [5000, 64];
  const data = Float64Array.from({ length: n * width }, () => random.random());
  const y = Array.from({ length: n }, (_, row) => Number(data[row * width] > 0.3));
  const checker = new DataLeakageChecker({ verbose: false });
  for (const only of ['feature_statistics', 'feature_target', 'preprocessing']) {
    let turns = 0;
    const timer = setInterval(() => {
      turns++;
    }, 1);
    await checker.check({ data, shape: [n, width] }, y, { only: [only], randomState: 1 });
    clearInterval(timer);
    expect(turns, only).toBeGreaterThan(0);
  }
});
