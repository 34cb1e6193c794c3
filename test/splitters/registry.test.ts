/** A splitter from outside, in one file, is served as those of cvkit are. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CVKitValidator,
  NestedCV,
  type OwnSplitterClass,
  registerSplitter,
  type Splitter,
  UniversalCVRunner,
} from '../../src/index.js';
import { plotSplits } from '../../src/plot/index.js';
import { splitterRegistry } from '../../src/splitters/registry.js';
import { permutationTest } from '../../src/stats/index.js';
import { blobs, NearestMean } from '../helpers/nearestMean.js';

/** Every k-th row is tested: written as a user would, with nothing of cvkit but the name of its interface. */
class InterleavedFolds implements Splitter {
  static readonly facts = {
    name: 'InterleavedFolds',
    aliases: ['Interleaved'],
    family: 'iid',
    description: 'Every k-th row is tested.',
    options: ['nSplits', 'offset', 'randomState'],
    claims: { partition: true },
  } as const;
  readonly claims = InterleavedFolds.facts.claims;
  readonly reads = [];
  readonly repeatable = true;
  readonly nSplits: number;
  readonly offset: number;

  constructor({ nSplits = 5, offset = 0 }: { nSplits?: number; offset?: number; randomState?: unknown } = {}) {
    if (!(nSplits >= 2)) throw new RangeError('nSplits must be at least 2');
    this.nSplits = nSplits;
    this.offset = offset;
  }

  getNSplits() {
    return this.nSplits;
  }

  *split(X?: unknown) {
    const n = typeof X === 'number' ? X : (X as ArrayLike<unknown>).length;
    const rows = Array.from({ length: n }, (_, row) => row);
    for (let fold = 0; fold < this.nSplits; fold++) {
      const tested = (row: number) => (row + this.offset) % this.nSplits === fold;
      yield [rows.filter((row) => !tested(row)), rows.filter(tested)] as const;
    }
  }

  redraw(seed: number | string) {
    return new InterleavedFolds({ nSplits: this.nSplits, offset: Number(seed) % this.nSplits });
  }

  toJSON() {
    return `InterleavedFolds({ nSplits: ${this.nSplits}, offset: ${this.offset} })`;
  }
}

const { X, y } = blobs(60);
const model = () => new NearestMean();

beforeAll(() => registerSplitter(InterleavedFolds));
afterAll(() => splitterRegistry.remove('InterleavedFolds'));

describe('a registered splitter', () => {
  it('is a method of the validator, which hands it the options that it takes', async () => {
    const validator = new CVKitValidator({
      method: 'interleaved_folds',
      nSplits: 3,
      splitterOptions: { offset: 1 },
      metrics: ['accuracy'],
    });
    const result = await validator.validate({ model, X, y });
    expect(result.plan.design).toBe('InterleavedFolds({ nSplits: 3, offset: 1 })');
    expect(Array.from(result.plan.at(0).test.slice(0, 3))).toEqual([2, 5, 8]);
    expect(result.toMarkdown()).toContain('InterleavedFolds');
    expect(result.summary()).toContain('InterleavedFolds');
    expect(result.manifest.warnings.join(' ')).not.toContain('cannot be drawn again');
  });

  it('is found by its alias, and named where another is not found', () => {
    expect(() => new CVKitValidator({ method: 'interleaved' })).not.toThrow();
    expect(() => new CVKitValidator({ method: 'interleaved_fold' })).toThrow("Did you mean 'interleaved_folds'?");
    expect(() => new CVKitValidator({ method: 'no_such_method' })).toThrow('interleaved_folds');
  });

  it('is refused an option of the validator that it does not take', () => {
    expect(() => new CVKitValidator({ method: 'interleaved_folds', shuffle: false })).toThrow(
      "the method 'interleaved_folds' does not use it",
    );
  });

  it('serves runner, plots, nested designs and further repeats as ours do', async () => {
    const own = new InterleavedFolds({ nSplits: 4 });
    const results = await new UniversalCVRunner({ cvSplitter: own }).run({ model, data: [X, y] });
    expect(results.plan.splitterName).toBe('InterleavedFolds');
    expect(results.metadata.warnings).toEqual([]);
    expect(String(plotSplits(own, 12))).toContain('InterleavedFolds');
    expect(new NestedCV({ outerCv: own }).describe()).toContain('outerCv: InterleavedFolds({ nSplits: 4, offset: 0 })');
    const { estimates } = await new CVKitValidator({
      cv: own,
      metrics: ['accuracy'],
      ciMethod: 'nested_cv',
      nestedCvRepeats: 2,
    })
      .validate({ model, X, y })
      .then((result) => ({ estimates: JSON.stringify(result) }));
    expect(estimates).toContain('nested_cv');
  });

  it('says that labels do not decide its folds, so that they stay the same when labels are permuted', async () => {
    const found = await permutationTest({
      model,
      X,
      y,
      cv: new InterleavedFolds(),
      nPermutations: 19,
      metric: 'accuracy',
    });
    expect(found.sameFolds).toBe(true);
  });
});

describe('registerSplitter refuses', () => {
  const withFacts = (facts: object) =>
    registerSplitter(
      class extends InterleavedFolds {
        static override readonly facts = facts as never;
      } as OwnSplitterClass,
    );
  const { facts } = InterleavedFolds;

  it.each([
    ['a name that is taken', { ...facts }, "The splitter 'InterleavedFolds' is already registered"],
    ['a name of ours', { ...facts, name: 'KFold' }, "The splitter 'KFold' is already registered"],
    ['a name that is none', { ...facts, name: 'my split' }, 'be a name in letters and digits'],
    ['a misspelt fact', { ...facts, clams: {} }, 'has no option `clams`. Did you mean `claims`?'],
    ['a misspelt claim', { ...facts, name: 'Mine', claims: { partitions: true } }, "has a claim 'partitions'"],
    ['an unknown input', { ...facts, name: 'Mine', needs: ['group'] }, 'be a list of y, groups'],
    ['a missing family', { name: 'Mine', description: 'Mine.' }, 'Got nothing'],
  ])('%s', (_, wrong, message) => {
    expect(() => withFacts(wrong)).toThrow(message);
  });

  it('what is no class with facts', () => {
    expect(() => registerSplitter(class {} as never)).toThrow('be given a class with `static facts`');
  });
});
