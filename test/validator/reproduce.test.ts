import * as tf from '@tensorflow/tfjs';
import { describe, expect, it } from 'vitest';
import { CVKitValidator, type CVResults, EarlyStopping, KFold, reproduce, UniversalCVRunner } from '../../src/index.js';
import { LogisticRegression } from '../../src/estimators/index.js';
import { StandardScaler } from '../../src/preprocessing/index.js';
import { randomSource } from '../../src/core/random.js';

const random = randomSource(5);
const X = Array.from({ length: 60 }, (_, row) => [random.next() + (row % 2) * 0.4, random.next(), random.next()]);
const y = X.map((_, row) => row % 2);
const model = () => new LogisticRegression();
const validated = (options: object = {}, settings: object = {}) =>
  new CVKitValidator({ nSplits: 3, independentRows: true, ciFits: 0, ...settings }).validate({
    model,
    X,
    y,
    verbose: 0,
    ...options,
  });
const asJSON = (value: object) => JSON.parse(JSON.stringify(value));

describe('reproduce', () => {
  it('repeats a validation from its manifest as JSON', async () => {
    const result = await validated({ threshold: 'youden', metrics: ['roc_auc', 'accuracy'] });
    const again = await reproduce(asJSON(result.manifest), { model, X, y, verbose: 0 });
    expect(again).toMatchObject({ reproduced: true, differences: [], first: null });
    expect((again.result as CVResults).scores).toEqual(result.scores);
  });
});
