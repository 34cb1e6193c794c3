/** Both sides in turns, and a table of what they took. */
import { median, verdicts } from '../tfjs/verdicts.mjs';

/**
 * Does `ours` and `theirs` in turns. Each resolves to `{ ms, ... }`: what else it holds are numbers that must agree. The
 * first round warms both up and is not counted.
 *
 * @param {{ title: string, rounds: number, ours: () => Promise<object>, theirs: null | (() => Promise<object>),
 *   atMost?: number, agree?: number }} options `atMost`: largest ratio of the medians that is aimed at; `agree`: largest
 *   difference of the numbers.
 */
export async function inTurns({ title, rounds, ours, theirs, atMost, agree }) {
  const sides = { cvkit: ours, ...(theirs ? { 'scikit-learn': theirs } : {}) };
  const times = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  const numbers = {};
  for (let round = 0; round <= rounds; round++) {
    for (const [name, side] of Object.entries(sides)) {
      const { ms, ...rest } = await side();
      times[name].push(ms);
      numbers[name] = rest;
    }
  }
  const rows = Object.entries(times).flatMap(([name, [first, ...more]]) => [
    { measure: `${name}, median ms`, value: median(more) },
    { measure: `${name}, least ms`, value: Math.min(...more) },
    { measure: `${name}, first time ms`, value: first },
    ...Object.entries(numbers[name]).map(([key, value]) => ({ measure: `${name}, ${key}`, value, digits: 5 })),
  ]);
  if (theirs) {
    const [a, b] = Object.values(times).map(([, ...more]) => median(more));
    rows.push({ measure: 'ratio of the medians', value: a / b, atMost });
    const differences = Object.entries(numbers.cvkit).map(([key, value]) =>
      Math.abs(value - numbers['scikit-learn'][key]),
    );
    rows.push({
      measure: 'largest difference of the numbers',
      value: Math.max(...differences),
      digits: 8,
      atMost: agree,
    });
  }
  verdicts(`${title}; ${rounds} rounds`, rows);
}
