/** Tests of what folds do one after the other: in which order, how many so far, what a single one left behind. */
import { it } from 'vitest';

/** Several folds go on at once: see `cloningExecutor` and the projects of vitest.config.ts. */
export const foldsAtOnce = process.env.EXECUTOR === 'cloning' && process.env.CLONES !== '1';

/** `it`, left out where folds go on at once. */
export const oneByOne = it.skipIf(foldsAtOnce);
