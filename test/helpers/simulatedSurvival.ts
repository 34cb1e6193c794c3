/** Patients whose hazard depends on two of three columns, followed for up to 5 years: about half have the event. */
import { randomSource } from '../../src/core/random.js';

export function simulatedSurvival(n: number, seed: number, { competing = false } = {}) {
  const source = randomSource(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - source.random())) * Math.cos(2 * Math.PI * source.random());
  const [time, event, X]: [number[], number[], number[][]] = [[], [], []];
  for (let row = 0; row < n; row++) {
    const [age, marker, sex] = [60 + 10 * normal(), normal(), Number(source.random() < 0.5)];
    const draw = (scale: number, logRatio: number) =>
      scale * (-Math.log(1 - source.random()) / Math.exp(logRatio)) ** 0.8;
    const cause = draw(4, 0.06 * (age - 60) + 0.8 * marker);
    const other = competing ? draw(9, 0.05 * (age - 60)) : Number.POSITIVE_INFINITY;
    const end = Math.min(5, 9 * source.random());
    const first = Math.min(cause, other, end);
    time.push(Math.max(0.01, Math.round(first * 100) / 100)); // so that some are tied
    event.push(first === end ? 0 : first === cause ? 1 : 2);
    X.push([age, marker, sex]);
  }
  return { X, y: { time, event }, featureNames: ['age', 'marker', 'sex'] };
}
