/** What every generator of patients does alike, whatever it generates. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import { InvalidOptionError } from '../../src/core/errors.js';
import { Hasher } from '../../src/core/fingerprint.js';
import { mean } from '../../src/core/numbers.js';
import { randomSource } from '../../src/core/random.js';
import type { GeneratedDataset } from '../../src/datasets/generatedDataset.js';
import { clusteredAuc } from './clusteredAuc.js';
import { failure } from './failure.js';

interface CommonOptions {
  prevalence?: number;
  missingRate?: number;
  randomState?: number | string | null | ReturnType<typeof randomSource>;
}

export interface GeneratorCase<Options> {
  readonly generate: (options: Options & CommonOptions) => GeneratedDataset;
  /** Options of about 200,000 rows with a binary `y`. */
  readonly samples: readonly (Options & CommonOptions)[];
  /** Bound of the standard error of their AUC, by patients. */
  readonly mostSe: number;
  /** Options of some ten thousand rows. */
  readonly many: Options;
  /** Options of few rows. */
  readonly few: Options;
  /** Options, and the hash of what they give. */
  readonly golden: readonly (readonly [options: Options & CommonOptions, hash: string])[];
  /** Options that are refused, with code and message. */
  readonly refused: readonly (readonly [object, string])[];
}

const hashOf = ({ X, y, truth, timestamps = [] }: GeneratedDataset) => {
  const hasher = new Hasher();
  for (const row of X) hasher.doubles(row);
  return hasher.doubles(y).doubles(truth.expected).doubles(timestamps.map(Number)).digest();
};

export function generatorSuite<Options extends object>(of: GeneratorCase<Options>): void {
  const { generate, many, few } = of;

  describe('as every generator', () => {
    it.each(of.samples)(
      'meets its AUC and prevalence in 200,000 rows within 2.5 standard errors: %o',
      { tags: 'slow' },
      (options) => {
        const { y, groups, truth, trueAuc } = generate(options);
        expect(y.length).toBeGreaterThan(195_000);
        const { auc, se } = clusteredAuc(truth.expected, y, groups);
        expect(se).toBeLessThan(of.mostSe);
        expect(Math.abs(auc - Number(trueAuc)) / se).toBeLessThan(2.5);

        const { prevalence = 0.3 } = options;
        const sums = new Map<string, number>();
        groups.forEach((id, row) => {
          sums.set(id, (sums.get(id) ?? 0) + y[row] - prevalence);
        });
        const error = Math.sqrt([...sums.values()].reduce((sum, each) => sum + each * each, 0)) / y.length;
        expect(Math.abs(mean(y) - prevalence) / error).toBeLessThan(2.5);
      },
    );

    it('gives what Dataset has, but for the hash of a file, and the patient of each row twice', () => {
      const data = generate(few);
      expectTypeOf(data).toEqualTypeOf<GeneratedDataset>();
      expect('sha256' in data).toBe(false);
      expect(data.license).toContain('generated');
      expect(data.description).toContain('invented');
      const { groups, hierarchy, truth, y, X } = data;
      expect([groups, hierarchy.patient, hierarchy.site, truth.expected, y].map(({ length }) => length)).toEqual(
        Array(5).fill(X.length),
      );
      expect(groups.every((id) => /^P\d{4}$/.test(id))).toBe(true);
      expect(hierarchy.patient).toEqual(groups);
    });

    it('misses values at the rate that is asked for, fewer where the risk is high, and nothing else changes', {
      tags: 'slow',
    }, () => {
      const whole = generate({ ...many, missingRate: 0 });
      const byRisk = Array.from(whole.y.keys()).sort((a, b) => whole.truth.expected[a] - whole.truth.expected[b]);
      const half = byRisk.length >> 1;
      for (const missingRate of [0.05, 0.4, 0.9]) {
        const data = generate({ ...many, missingRate });
        const missing = data.X.map((row) => row.filter(Number.isNaN).length / row.length);
        expect(Math.abs(mean(missing) - missingRate)).toBeLessThan(0.004);
        const share = (rows: readonly number[]) => mean(rows.map((row) => missing[row]));
        expect(share(byRisk.slice(half))).toBeLessThan(0.98 * share(byRisk.slice(0, half)));
        expect({ ...data, X: [] }).toEqual({ ...whole, X: [] });
        expect(data.X.every((row, at) => row.every((v, f) => Number.isNaN(v) || v === whole.X[at][f]))).toBe(true);
      }
    });

    it.each(of.golden)('is decided by its seed, to the last bit on every platform: %o', (options, hash) => {
      // From our own run: the same must come in every engine and in every later version that does not announce it.
      expect(hashOf(generate(options))).toBe(hash);
      expect(generate(options)).toEqual(generate({ randomState: 42, ...options }));
    });

    it('gives other data for another seed, fresh ones for null, and a source goes on', () => {
      const hash = (randomState: CommonOptions['randomState']) => hashOf(generate({ ...few, randomState }));
      const source = randomSource(5);
      const hashes = [0, 1, 42, 'a', 'b', null, null, source, source].map(hash);
      expect(new Set(hashes).size).toBe(9);
      expect(hashes[7]).toBe(hash(randomSource(5)));
    });

    it.each(of.refused)('refuses %o in one sentence', (options, message) => {
      const call = () => generate(options as Options);
      expect(failure(call)).toBe(message);
      expect(call).toThrow(InvalidOptionError);
    });

    it('takes the spelling of Python', () => {
      const spelled = { ...few, random_state: 1, missing_rate: 0.2 };
      expect(generate(spelled)).toEqual(generate({ ...few, randomState: 1, missingRate: 0.2 }));
    });
  });
}
