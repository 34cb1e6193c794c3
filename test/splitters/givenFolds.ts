/** Folds as scikit-learn and nnU-Net write them: test/reference/givenFolds.json. */
import { readFileSync } from 'node:fs';

interface GivenFolds {
  cases: string[];
  nnunet: string;
  testFold: number[];
  predefined: [number[], number[]][];
}

export const givenFolds: GivenFolds = JSON.parse(
  readFileSync(new URL('../reference/givenFolds.json', import.meta.url), 'utf8'),
);
