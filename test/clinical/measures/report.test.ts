import { describe, expect, it } from 'vitest';
import { ClinicalMetrics } from '../../../src/clinical/clinicalMetrics.js';
import { rowsOfCells } from '../../helpers/cells.js';
import { untypedAnswers } from '../../helpers/hostileJSON.js';

describe('formatReport', () => {
  it('says why values and intervals are missing, once each', () => {
    const { yTrue, yPred } = rowsOfCells([8, 0, 0, 12]);
    const clinical = new ClinicalMetrics({ prevalence: 0.02, confidenceLevel: 0.9 });
    const text = clinical.formatReport(clinical.calculateAll(yTrue, yPred));
    expect(text).toMatch(/ Positive likelihood ratio +— +from 2\.50 +b,d\n/);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(110);
  });

  it('of too few rows has estimates alone, and sums of weights when there are any', () => {
    const { yTrue, yPred } = rowsOfCells([2, 1, 1, 3]);
    const clinical = new ClinicalMetrics();
    const text = clinical.formatReport(clinical.calculateAll(yTrue, yPred, { sampleWeight: yTrue.map(() => 1.5) }));
    expect(text).toContain(
      'Diagnostic accuracy: 7 rows (sum of weights 10.5)\n4.5 of 10.5 positive (prevalence 42.9 %).',
    );
    expect(text).toContain('No interval: only 7 rows, fewer than 10.');
    expect(text).toContain('No value has an interval.');
  });

  it('never rounds a share to 0 or 100 % that is neither', () => {
    const { yTrue, yPred } = rowsOfCells([1, 1, 3000, 5000]);
    const clinical = new ClinicalMetrics();
    const text = clinical.formatReport(clinical.calculateAll(yTrue, yPred));
    expect(text).toMatch(/Specificity +>99\.9 % /);
    expect(text).toMatch(/Sensitivity +<0\.1 % +<0\.1 to 0\.2 %/);
  });

  it('shows sums of weights of any size, and never 0 for what is not 0', () => {
    const { yTrue, yPred } = rowsOfCells([3, 1, 1, 7]);
    const clinical = new ClinicalMetrics();
    const table = (weight: number) => {
      const sampleWeight = yTrue.map(() => weight);
      const text = clinical.formatReport(clinical.calculateAll(yTrue, yPred, { sampleWeight }));
      return text.split('\n').flatMap((line) => line.match(/^.* positive \(|^ +(?:truly|total) .*/g) ?? []);
    };
    expect([1 / 12, 1e-50, 1e50].flatMap(table)).toMatchInlineSnapshot(`
      [
        "0.333 of 1 positive (",
        "  truly positive                0.25              0.0833  0.333",
        "  truly negative              0.0833               0.583  0.667",
        "  total                        0.333               0.667      1",
        "4e-50 of 1.2e-49 positive (",
        "  truly positive               3e-50               1e-50    4e-50",
        "  truly negative               1e-50               7e-50    8e-50",
        "  total                        4e-50               8e-50  1.2e-49",
        "4e+50 of 1.2e+51 positive (",
        "  truly positive               3e+50               1e+50    4e+50",
        "  truly negative               1e+50               7e+50    8e+50",
        "  total                        4e+50               8e+50  1.2e+51",
      ]
    `);
  });

  it('prints all digits of the level', () => {
    const { yTrue, yPred } = rowsOfCells([8, 2, 3, 12]);
    const clinical = new ClinicalMetrics({ confidenceLevel: 0.9999999 });
    expect(clinical.formatReport(clinical.calculateAll(yTrue, yPred))).toContain('99.99999 % CI');
  });

  it('takes what calculateAll gives, also from JSON', () => {
    const { yTrue, yPred } = rowsOfCells([8, 2, 3, 12]);
    const clinical = new ClinicalMetrics();
    const metrics = clinical.calculateAll(yTrue, yPred);
    expect(clinical.formatReport(JSON.parse(JSON.stringify(metrics)))).toBe(clinical.formatReport(metrics));
  });

  it('says in a sentence that JSON was changed', async () => {
    const { yTrue, yPred } = rowsOfCells([8, 2, 3, 12]);
    const clinical = new ClinicalMetrics();
    const json = JSON.parse(JSON.stringify(clinical.calculateAll(yTrue, yPred)));
    expect(await untypedAnswers(json, (each) => clinical.formatReport(each as typeof json), 50)).toEqual([]);
    const odd = (change: object) => () => clinical.formatReport({ ...json, ...change });
    expect(odd({ sensitivity: {} })).toThrow(/must be what `calculateAll` gives/);
    expect(odd({ prevalence: { ...json.prevalence, level: null } })).toThrow(/must be what `calculateAll` gives/);
  });
});
