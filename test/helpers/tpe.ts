/** Parameters and trials for tests of the sampler 'tpe'. */
import type { Distribution, FrozenTrial } from '../../src/core/tuningTrial.js';
import { categoricalDistribution, floatDistribution, intDistribution } from '../../src/tuning/distribution.js';

/** One parameter of each kind: those of test/reference/tpe.py. */
export const SPACE: Readonly<Record<string, Distribution>> = {
  plain: floatDistribution('plain', -5, 10),
  rate: floatDistribution('rate', 1e-5, 1, { log: true }),
  steps: floatDistribution('steps', 0, 0.9, { step: 0.1 }),
  count: intDistribution('count', 1, 50),
  evens: intDistribution('evens', 2, 20, { step: 2 }),
  size: intDistribution('size', 4, 256, { log: true }),
  kind: categoricalDistribution('kind', ['a', 'b', 'c', 'd']),
};

/** A complete trial with the value 0, apart from what is given. */
export const frozen = (number: number, facts: Partial<FrozenTrial> = {}): FrozenTrial => ({
  number,
  state: 'complete',
  value: 0,
  params: {},
  distributions: {},
  intermediateValues: new Map(),
  userAttrs: {},
  startedAt: null,
  endedAt: null,
  ...facts,
});
