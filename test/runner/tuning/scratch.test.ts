import { describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../../src/estimators/logisticRegression.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { StratifiedKFold } from '../../../src/splitters/iid/stratifiedKFold.js';
import { NestedGroupedCV } from '../../../src/splitters/grouped/nestedGroupedCV.js';
import { loadCancerImaging } from '../../../src/datasets/loadCancerImaging.js';
import { StandardScaler } from '../../../src/preprocessing/standardScaler.js';
import { MinMaxScaler } from '../../../src/preprocessing/minMaxScaler.js';
import { cloningExecutor } from '../../helpers/cloningExecutor.js';

const { X, y } = await loadCancerImaging();
const runner = new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 5 }), verbose: 0 });
const base = { modelFn: (p: any) => new LogisticRegression(p), paramGrid: { C: [0.001, 0.01, 1, 100] }, data: [X, y] as any, scoring: 'roc_auc' as const };
const show = async (name: string, work: () => Promise<any>) => {
  it(name, async () => {
    try {
      const t = Date.now();
      const r = await work();
      console.log(`#### ${name} ${Date.now() - t} ms\n${r.summary ? r.summary() : JSON.stringify(r)}`);
    } catch (e: any) {
      console.log(`#### ${name} THROWS ${e.name} ${e.code}: ${e.message}`);
    }
  });
};
describe('scratch', () => {
  show('outer false', () => runner.runWithHyperparameterTuning({ ...base, outer: false, refit: true }));
  show('refit', async () => { const r = await runner.runWithHyperparameterTuning({ ...base, refit: true }); console.log(r.refitted?.note, await r.refitted?.predict(X.slice(0, 3) as any)); return r; });
  show('bad C', () => runner.runWithHyperparameterTuning({ ...base, paramGrid: { C: [-1, 1] } }));
  show('all bad', () => runner.runWithHyperparameterTuning({ ...base, paramGrid: { C: [-1, -2] } }));
  show('throws', () => runner.runWithHyperparameterTuning({ ...base, modelFn: () => { throw new Error('boom'); } }));
  show('unknown scoring', () => runner.runWithHyperparameterTuning({ ...base, scoring: 'rocauc' as any }));
  show('empty grid', () => runner.runWithHyperparameterTuning({ ...base, paramGrid: {} }));
  show('low>high', () => runner.runWithHyperparameterTuning({ ...base, paramGrid: { C: { low: 2, high: 1 } } }));
  show('log0', () => runner.runWithHyperparameterTuning({ ...base, paramGrid: { C: { low: 0, high: 1, log: true } } }));
  show('step', () => runner.runWithHyperparameterTuning({ ...base, paramGrid: { C: { low: 0, high: 1, step: 2 } } }));
  show('nTrials 0', () => runner.runWithHyperparameterTuning({ ...base, nTrials: 0 }));
  show('random', () => runner.runWithHyperparameterTuning({ ...base, paramGrid: { C: { low: 1e-4, high: 100, log: true } }, nTrials: 6 }));
  show('prep', () => runner.runWithHyperparameterTuning({ ...base, preprocessing: new StandardScaler(), paramGrid: { C: [0.1, 1], standardscaler__withMean: [true, false] } }));
  show('prep fn', () => runner.runWithHyperparameterTuning({ ...base, modelFn: ({ C }: any) => new LogisticRegression({ C }), preprocessing: (({ scaler = 's' }: any) => scaler === 's' ? new StandardScaler() : new MinMaxScaler()) as any, paramGrid: { C: [0.1, 1], scaler: ['s', 'm'] } }));
  show('prep unknown', () => runner.runWithHyperparameterTuning({ ...base, preprocessing: new StandardScaler(), paramGrid: { C: [0.1, 1], scale__withMean: [true, false] } }));
  show('no prep', () => runner.runWithHyperparameterTuning({ ...base, paramGrid: { C: [0.1, 1], scale__withMean: [true, false] } }));
  show('fn space', () => runner.runWithHyperparameterTuning({ ...base, nTrials: 6, paramGrid: (trial) => { const kind = trial.suggestCategorical('kind', ['weak', 'strong']); return { C: kind === 'weak' ? trial.suggestFloat('C_weak', 0.001, 0.1, { log: true }) : trial.suggestFloat('C_strong', 1, 100, { log: true }) }; } }));
  show('threshold', () => runner.runWithHyperparameterTuning({ ...base, scoring: 'accuracy', threshold: 'youden' }));
  show('groups', () => runner.runWithHyperparameterTuning({ ...base, groups: y.map((_: any, i: number) => i >> 1) as any }));
  show('nested grouped', () => runner.runWithHyperparameterTuning({ ...base, cvSplitter: new NestedGroupedCV(), groups: y.map((_: any, i: number) => i >> 1) as any, refit: true }));
  show('cloning parallel', () => runner.runWithHyperparameterTuning({ ...base, executor: cloningExecutor(4), parallelTrials: 3 }));
  show('regression', () => runner.runWithHyperparameterTuning({ ...base, data: [X, Array.from(X as any, (r: any) => r[0] * 2.5)] as any }));
  show('scoring fn', () => runner.runWithHyperparameterTuning({ ...base, scoring: (table: any) => table.length }));
  show('fit nan', () => runner.runWithHyperparameterTuning({ ...base, scoring: 'calibration_slope' as any }));
  show('model', () => runner.runWithHyperparameterTuning({ ...base, model: 3 } as any));
  show('class', () => runner.runWithHyperparameterTuning({ ...base, modelFn: LogisticRegression as any }));
});
