import { randomSource } from '../../../src/core/random.js';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import type { CheckScenes } from '../../conformance/checkSuite.js';

const random = randomSource(12);
const groups = Array.from({ length: 400 }, (_, i) => `patient-${i % 200}`);
const siteOf = Array.from({ length: 200 }, () => Math.floor(4 * random.random()));
const sick = siteOf.map((site) => random.random() < (site < 2 ? 0.2 : 0.7));
const coins = siteOf.map(() => random.random() < 0.45);
const X = groups.map(() => [random.random(), random.random()]);
const data = { groups, hierarchy: { site: groups.map((_, i) => `site-${siteOf[i % 200]}`) } };
const splitter = new GroupKFold({ nSplits: 5, randomState: 1 });

/** Sites where 20 % and 70 % are sick, and the same sites with a label that does not depend on them. */
export const siteConfoundingScenes: CheckScenes = {
  leaking: { X, y: groups.map((_, i) => Number(sick[i % 200])), data, splitter },
  clean: { X, y: groups.map((_, i) => Number(coins[i % 200])), data, splitter },
};
