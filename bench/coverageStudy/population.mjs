/** The patients of the coverage study: a population with a known signal, and samples from it. */
import { randomSource } from 'cvkit';

/** Standard normal draws by Box and Muller's method. */
function normals(random) {
  let spare;
  return () => {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

/**
 * Draws `nPatients` patients. Each is positive with probability `prevalence`; its feature means lie `signal` apart between
 * the classes in the first two features (in units of the total standard deviation) and vary between patients with the
 * share `between` of the variance. A patient has 1 to 2 `rows` - 1 rows, `rows` on average, all of one label.
 */
export function sample({ prevalence, signal, features, rows, between = 0.5 }, nPatients, seed) {
  const source = randomSource(seed);
  const random = () => source.random();
  const normal = normals(random);
  const [X, y, groups] = [[], [], []];
  for (let patient = 0; patient < nPatients; patient++) {
    const label = random() < prevalence ? 1 : 0;
    const centre = Array.from(
      { length: features },
      (_, j) => (j < 2 ? (label ? signal / 2 : -signal / 2) : 0) + Math.sqrt(between) * normal(),
    );
    const count = rows === 1 ? 1 : 1 + Math.floor(random() * (2 * rows - 1));
    for (let row = 0; row < count; row++) {
      X.push(centre.map((mean) => mean + Math.sqrt(1 - between) * normal()));
      y.push(label);
      groups.push(patient);
    }
  }
  return { X, y, groups };
}
