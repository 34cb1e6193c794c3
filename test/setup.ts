/**
 * Property tests draw from one seed, so that a run says the same thing twice. `FAST_CHECK_SEED=7 npx vitest run` looks
 * at other cases; what it finds is to be written down as an example.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1) });
