import { describe, expect, it } from 'vitest';
import { assessPreprocessing } from '../../../src/checkers/CVL010-preprocessing/assessPreprocessing.js';
import { columnStep, learnsNothing } from '../../../src/checkers/CVL010-preprocessing/columnSteps.js';
import type { RowsInput } from '../../../src/data/rows.js';
import reference from '../../reference/preprocessingKinds.json' with { type: 'json' };

// scikit-learn 1.9.1, pandas 3.0.6, scipy 1.17.1: test/reference/preprocessingKinds.py
const { splits } = reference;
const cases = reference.cases.filter(({ name }) => !name.includes('boxcox'));
type Cells = (number | string | null)[][];
const dataOf = (name: string) => reference[name as 'X'] as unknown as RowsInput;
const labelsOf = (name: string | null) => (name ? { y: reference[name as 'y' | 'numbers'] } : {});
const stepsOf = (name: string) => name.replace(' of numbers', '').split(', ');
/** A range other than the usual ones is found where it is named. */
const isUsual = (name: string) => name !== 'minmax:0.1..0.9';
const usesTestLabels = (name: string) => /^impute:class-\w+$/.test(name);
const same = (a: Cells, b: Cells) => JSON.stringify(a) === JSON.stringify(b);

describe('steps of single columns', () => {
  it.each(cases.map((each) => [each.name, each] as const))('tells both fits apart: %s', async (name, each) => {
    const X = dataOf(each.data);
    const differ = !same(each.train as Cells, each.all as Cells);
    const forms = [{ steps: stepsOf(name), ...labelsOf(each.labels) }, labelsOf(each.labels)];
    for (const options of isUsual(name) ? forms : forms.slice(0, 1)) {
      const clean = await assessPreprocessing(X, each.train as Cells, splits, options);
      const leaking = await assessPreprocessing(X, each.all as Cells, splits, options);
      expect(clean.evidence.steps, clean.message).toEqual(stepsOf(name));
      expect(clean.evidence.toTrain).toBeLessThan(/yeo/.test(name) ? 1e-6 : 1e-9);
      if (usesTestLabels(name)) {
        for (const finding of [clean, leaking]) {
          expect(finding).toMatchObject({ status: 'failed', severity: 'high', evidence: { byTestLabels: [name] } });
          expect(finding.message).toContain('by their own label');
        }
        expect([clean, leaking].map(({ evidence }) => evidence.fittedToAllRows)).toEqual([[], [name]]);
        continue;
      }
      expect(clean, clean.message).toMatchObject({ status: 'passed', severity: 'none' });
      expect(leaking.status, leaking.message).toBe(differ ? 'failed' : 'passed');
      if (!differ) continue;
      expect(leaking.severity).toBe(/target|class/.test(name) ? 'high' : 'medium');
      expect(leaking.evidence.fittedToAllRows).toEqual(stepsOf(name).filter((step) => !learnsNothing(step)));
    }
  });

  it('is tried on cases nearly all of which differ', () => {
    const alike = cases.filter(({ train, all }) => same(train as Cells, all as Cells)).map(({ name }) => name);
    expect(alike).toEqual(['log1p', 'log2']);
  });

  it('says that a fixed curve learns nothing', async () => {
    const log1p = cases.find(({ name }) => name === 'log1p')?.train as Cells;
    expect((await assessPreprocessing(dataOf('X'), log1p, splits)).message).toBe(
      'XProcessed is XOriginal after log1p, which learns nothing from any row.',
    );
  });

  it('knows any range by its name, and no range that is none', () => {
    expect(['minmax:0..255', 'minmax:-0.5..0.5', 'minmax:1..0', 'minmax:a..b', 'toString'].map(columnStep)).toEqual([
      expect.anything(),
      expect.anything(),
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('codes text and scales numbers beside it, as one does by columns', async () => {
    const target = cases.find(({ name }) => name === 'target:smoothed');
    const scaled = cases.find(({ name }) => name === 'minmax:-1..1');
    const join = (a: Cells, b: Cells) => a.map((row, at) => [...row, ...b[at]]);
    const X = join(reference.levels as Cells, reference.X as Cells) as unknown as RowsInput;
    for (const [fit, status] of [
      ['train', 'passed'],
      ['all', 'failed'],
    ] as const) {
      const after = join(target?.[fit] as Cells, scaled?.[fit] as Cells);
      const finding = await assessPreprocessing(X, after, splits, { y: reference.y });
      expect(finding, finding.message).toMatchObject({
        status,
        evidence: { steps: ['target:smoothed', 'minmax:-1..1'] },
      });
    }
  });
});
