/** Makes and judges the cases of the leakage suite. Rules of other packages get the same ones (see peers). */
import { BalanceChecker, DataLeakageChecker, deriveSeed, randomSource } from 'cvkit';

const checker = new DataLeakageChecker();

/** The case `at` of a scenario has a seed of its own, whichever chunk it stands in. */
export const seedOf = ({ id }, seed, at) => deriveSeed(seed, id, at);
export const makeCase = ({ make }, seed) => make(randomSource(seed));

/** Status of the check of a scenario on one case: most judge folds; others compare data, count classes, or train. */
export async function statusOf({ id, check, type, refit, fired }, made, seed) {
  const { X, y, processed, splitIndices, ...rest } = made;
  if (fired) return (await fired({ ...(X ? { X, y } : {}), ...rest })) ? 'failed' : 'passed';
  if (refit) return (await checker.checkPreprocessingLeakage(X, processed, splitIndices, { y })) ? 'failed' : 'passed';
  if (check === 'CVB001') {
    const { cv, groups } = rest;
    return (await new BalanceChecker().checkCvBalance(X, y, cv, groups ? { groups } : {})).status;
  }
  const report = await checker.check(X, y ?? null, { ...rest, randomState: deriveSeed(seed, 'check'), only: [type] });
  const [{ status, message }] = report.checks;
  if (status === 'error') throw new Error(`${id}, seed ${seed}: ${message}`);
  return status;
}
