/**
 * How often CVL009 asks about a true predictor that was cut into two or three levels: the figures of docs/checks/CVL009.md.
 *
 * npm run bench:leakage:cut -- [cases of each row, default 1350]
 */
import { DataLeakageChecker, deriveSeed, randomSource } from 'cvkit';

const cases = Number(process.argv[2] ?? 1350);
const checker = new DataLeakageChecker({ verbose: false });
const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
/** Distance of two normal classes of SD 1 whose area under the ROC curve is the given one. */
const DISTANCE = { 0.9: 1.8124, 0.94: 2.1988, 0.98: 2.9044 };

console.log('| area of the uncut predictor | levels | asked about |\n| --- | --- | --- |');
for (const [area, distance] of Object.entries(DISTANCE)) {
  for (const levels of [2, 3]) {
    let asked = 0;
    for (let at = 0; at < cases; at++) {
      const random = randomSource(deriveSeed('cut', area, levels, at));
      const n = Math.round(200 + 800 * random.random());
      const prevalence = 0.2 + 0.3 * random.random();
      const y = Array.from({ length: n }, () => Number(random.random() < prevalence));
      const values = y.map((label) => label * distance + normal(random));
      const sorted = values.toSorted((a, b) => a - b);
      const cuts = Array.from({ length: levels - 1 }, () => sorted[Math.floor(n * (0.1 + 0.8 * random.random()))]);
      const X = values.map((value) => [cuts.filter((cut) => value > cut).length, normal(random)]);
      const { checks } = await checker.check(X, y, { only: ['CVL009'], randomState: at });
      if (checks[0].status === 'needs_review') asked++;
    }
    console.log(`| ${area} | ${levels} | ${asked} of ${cases} |`);
  }
}
