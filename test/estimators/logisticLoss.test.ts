import { expect, it } from 'vitest';
import { logisticLoss } from '../../src/estimators/logisticLoss.js';

// Rows with every remainder of four, columns with every remainder of three. Expected: central differences of the gradient.
it.each([1, 2, 3, 4, 5, 9].flatMap((n) => [2, 3, 4].map((width) => [n, width])))(
  'the second derivatives of %i rows of %i columns are those of the gradient',
  (n, width) => {
    const X = { data: Float64Array.from({ length: width * n }, (_, at) => ((at * 7) % 5) - 1), n, width };
    const weights = Float64Array.from({ length: n }, (_, row) => row + 1);
    for (const [nClasses, fitIntercept] of [
      [2, true],
      [2, false],
      [3, true],
    ] as const) {
      const codes = Array.from({ length: n }, (_, row) => row % nClasses);
      const { size, gradient, hessian } = logisticLoss({ X, codes, weights, nClasses, fitIntercept, C: 2 });
      const at = Float64Array.from({ length: size }, (_, i) => ((i * 3) % 4) / 4 - 0.3);
      const found = hessian(at);
      for (let j = 0; j < size; j++) {
        const [up, down] = [1e-5, -1e-5].map((h) => gradient(at.map((each, i) => (i === j ? each + h : each))));
        for (let i = j; i < size; i++) expect(found[i * size + j]).toBeCloseTo((up[i] - down[i]) / 2e-5, 8);
      }
    }
  },
);
