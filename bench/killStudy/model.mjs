/**
 * A logistic regression by seeded steps, whose numbers follow from the rows, their order and the seed of the fold. It notes in
 * the file `NOTES` which fold it is fitted for, and in which process; a fit takes `PAUSE` ms longer, and waits for the file `GATE`.
 */
import { appendFileSync, existsSync } from 'node:fs';
import alea from 'seedrandom/lib/alea.js';

const { NOTES, PAUSE, GATE } = process.env;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export default ({ fold, seed }) => {
  let weights;
  const probability = (row) => 1 / (1 + Math.exp(-row.reduce((sum, value, at) => sum + value * weights[at], 0)));
  return {
    async fit(X, y) {
      if (NOTES) appendFileSync(NOTES, `${fold} ${process.pid}\n`);
      const random = alea(String(seed));
      weights = X[0].map(() => random.double() - 0.5);
      for (let step = 0; step < 2000; step++) {
        const row = Math.floor(random.double() * X.length);
        const slip = y[row] - probability(X[row]);
        weights = weights.map((weight, at) => weight + 0.05 * slip * X[row][at]);
      }
      if (PAUSE) await sleep(Number(PAUSE));
      // Not for ever: whoever opens the gate may have ended.
      for (let waits = 0; GATE && !existsSync(GATE) && waits < 6000; waits++) await sleep(10);
    },
    predictProba: (X) => X.map((row) => [1 - probability(row), probability(row)]),
  };
};
