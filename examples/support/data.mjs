/**
 * Where an example takes its data from: the file that `--data` or CVKIT_DATA names, else a seeded generator of the
 * same shape. Either way it says which.
 */
import { randomSource } from 'cvkit';

/** Reads the named file with `read(path)`, or calls `generate(random)`. Prints which. */
export async function exampleData({ read, generate }) {
  const at = process.argv.indexOf('--data');
  const path = at > 0 ? process.argv[at + 1] : process.env.CVKIT_DATA;
  if (path) {
    console.log(`Data: ${path}`);
    return read(path);
  }
  console.log('Data: generated (seed 42). Name a real file with --data or CVKIT_DATA.');
  return generate(numbers(42));
}

/** Seeded draws: uniform(), normal(), pick(list). */
function numbers(seed) {
  const source = randomSource(seed);
  const uniform = () => source.random();
  // Box-Muller; 1 - u keeps the logarithm away from zero.
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal, pick: (list) => list[Math.floor(uniform() * list.length)] };
}
