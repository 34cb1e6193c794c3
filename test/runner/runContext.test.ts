import { expect, it } from 'vitest';
import { fingerprint } from '../../src/core/fingerprint.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { type FoldPlan, foldsOf } from '../../src/splitters/foldsOf.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { blobs, NearestMean } from '../helpers/nearestMean.js';

it('callbacks see the folds that run alone as a plan of their own', async () => {
  const { X, y } = blobs(12);
  const cvSplitter = new RepeatedKFold({ nSplits: 3, nRepeats: 2, randomState: 1 });
  const plan = foldsOf(cvSplitter, 12);
  const partOf = async (folds: number[]) => {
    const seen: FoldPlan[] = [];
    const callbacks = { onCvStart: ({ folds }: { folds: FoldPlan }) => void seen.push(folds) };
    const model = () => new NearestMean();
    await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({ model, data: [X, y], folds, callbacks });
    return seen[0];
  };
  const part = await partOf([1, 4]);
  expect([part.length, part.repeats, part.n, part.ids]).toEqual([2, 2, 12, [plan.ids[1], plan.ids[4]]]);
  expect([...part]).toEqual([plan.at(1), plan.at(4)]);
  expect([...part.sides()]).toEqual([...plan.sides()].filter((_, at) => at === 1 || at === 4));
  expect(part.fingerprint).toBe(fingerprint([plan.at(1), plan.at(4)]));
  // Not every row is tested.
  expect([plan.claims.partition, part.claims.partition]).toEqual([true, undefined]);
  expect((await partOf([0, 2])).repeats).toBe(1);
});
