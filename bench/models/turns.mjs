/** Both sides in turns, and a table of what they took. */
import { mean, median, verdicts } from '../tfjs/verdicts.mjs';

/**
 * Does `ours` and `theirs` in turns. Each resolves to `{ ms, cpu, ... }`: what else it holds are numbers that must agree.
 * The first round warms both up: it is shown, and not counted.
 *
 * @param {{ title: string, rounds: number, ours: () => Promise<object>, theirs: null | (() => Promise<object>),
 *   atMost?: number, agree: number }} options `atMost`: largest ratio of the medians that is aimed at; `agree`: largest
 *   difference of the numbers.
 */
export async function inTurns({ title, rounds, ours, theirs, atMost, agree }) {
  const sides = { cvkit: ours, ...(theirs ? { 'scikit-learn': theirs } : {}) };
  const runs = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, side] of Object.entries(sides)) runs[name].push(await side());
  }
  const middle = (name, key) => median(runs[name].slice(1).map((run) => run[key]));
  const rows = Object.entries(runs).flatMap(([name, [first, ...more]]) => [
    { measure: `${name}: median ms`, value: middle(name, 'ms') },
    { measure: `${name}: least ms`, value: Math.min(...more.map(({ ms }) => ms)) },
    { measure: `${name}: first time ms`, value: first.ms },
    { measure: `${name}: median ms of processors`, value: middle(name, 'cpu') },
    ...numbersOf(first).map(([key, value]) => ({ measure: `${name}: ${key}`, value, digits: 5 })),
  ]);
  if (theirs) {
    const ratio = (key) => middle('cvkit', key) / middle('scikit-learn', key);
    const other = runs['scikit-learn'][0];
    const differences = numbersOf(runs.cvkit[0]).map(([key, value]) => Math.abs(value - other[key]));
    rows.push(
      { measure: 'ratio of the medians', value: ratio('ms'), atMost },
      { measure: 'ratio of the times of processors', value: ratio('cpu') },
      { measure: 'largest difference of the numbers', value: Math.max(...differences), digits: 8, atMost: agree },
    );
  }
  verdicts(`${title}; ${rounds} rounds`, rows);
}

const numbersOf = ({ ms, cpu, ...numbers }) => Object.entries(numbers);

/** The mean of each metric over the folds of a run. */
export const meansOf = ({ scores }, metrics) =>
  Object.fromEntries(metrics.map((name) => [name, mean(scores[name].map(({ value }) => value))]));
