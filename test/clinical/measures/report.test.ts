import { describe, expect, it } from 'vitest';
import { ClinicalMetrics } from '../../../src/clinical/clinicalMetrics.js';
import { rowsOfCells } from '../../helpers/cells.js';
import { failure } from '../../helpers/failure.js';
import reference from '../../reference/clinical.json' with { type: 'json' };

describe('formatReport', () => {
  it('reads like the results section of a paper', () => {
    const { y, yPred, yProba, groups } = reference.patients[0];
    const clinical = new ClinicalMetrics();
    const metrics = clinical.calculateAll(y, yPred, { yProba, groups });
    expect(clinical.formatReport(metrics, { rows: 'images' })).toMatchInlineSnapshot(`
      "Diagnostic accuracy: 40 patients, 160 images
      71 of 160 positive (prevalence 44.4 %, 95 % CI 38.4 to 50.6 %). Intervals treat
      patients as independent and the predictions as given: they do not say how a
      model of another training set would perform.

                        predicted positive  predicted negative  total
        truly positive                  57                  14     71
        truly negative                  27                  62     89
        total                           84                  76    160

                                           Estimate           95 % CI
        Predicted labels
          Sensitivity                        80.3 %    66.0 to 89.5 %
          Specificity                        69.7 %    55.5 to 80.9 %
          Positive predictive value (PPV)    67.9 %    57.3 to 76.9 %
          Negative predictive value (NPV)    81.6 %    71.9 to 88.4 %
          Accuracy                           74.4 %    66.9 to 80.6 %
          Balanced accuracy                  75.0 %    67.3 to 80.5 %
          Youden's J                          0.499    0.347 to 0.611
          F1 score                            0.735    0.650 to 0.806
          Matthews correlation                0.497    0.354 to 0.617
          Cohen's kappa                       0.490    0.345 to 0.612
        Likelihood and odds ratios
          Positive likelihood ratio            2.65      1.80 to 3.89
          Negative likelihood ratio           0.283    0.165 to 0.486
          Diagnostic odds ratio                9.35      4.50 to 19.4
        Numbers needed
          NNT                                  4.51      3.51 to 6.78  a
          NNS (to screen)                      2.81      2.27 to 3.57  b
          NND (to diagnose)                    2.00      1.64 to 2.89
          NNP (to predict)                     2.02      1.63 to 2.91
        Predicted probabilities
          Area under the ROC curve            0.851    0.785 to 0.900
          Average precision                   0.806    0.697 to 0.883
          Brier score                         0.162    0.134 to 0.196
          Calibration intercept              -0.429  -0.779 to -0.078
          Calibration slope                   1.103    0.710 to 1.496

        a  NNT is the number tested per net correct finding, 1 / (prevalence x
           Youden's J); it is about no treatment.
        b  NNS is the number tested per case found, 1 / (prevalence x sensitivity).

        Methods of the intervals
          Ratio estimator over patients, logit scale (Genders 2012): prevalence,
            sensitivity, specificity, positive predictive value, negative predictive
            value, accuracy, NNS.
          Variance recovery from both limits (MOVER; Newcombe 1998, Zou & Donner
            2008): balanced accuracy, Youden's J, NNT, NND, NNP.
          Delta method with influence functions (Binder 1983): F1 score, Matthews
            correlation, Cohen's kappa, average precision, Brier score.
          Log method (Simel 1991): positive likelihood ratio, negative likelihood
            ratio.
          Log odds (Woolf 1955): diagnostic odds ratio.
          DeLong with placements summed per patient (Obuchowski 1997): area under
            the ROC curve.
          Logistic regression with robust variance (Liang & Zeger 1986): calibration
            intercept, calibration slope."
    `);
  });

  it('says why values and intervals are missing, once each', () => {
    const { yTrue, yPred } = rowsOfCells([8, 0, 0, 12]);
    const clinical = new ClinicalMetrics({ prevalence: 0.02, confidenceLevel: 0.9 });
    const text = clinical.formatReport(clinical.calculateAll(yTrue, yPred));
    expect(text).toMatchInlineSnapshot(`
      "Diagnostic accuracy: 20 rows
      8 of 20 positive (prevalence 40.0 %, 90 % CI 24.2 to 58.1 %). Intervals treat
      rows as independent and the predictions as given: they do not say how a model of
      another training set would perform.

                        predicted positive  predicted negative  total
        truly positive                   8                   0      8
        truly negative                   0                  12     12
        total                            8                  12     20

                                           Estimate         90 % CI
        Predicted labels
          Sensitivity                         100 %   74.7 to 100 %
          Specificity                         100 %   81.6 to 100 %
          Positive predictive value (PPV)     100 %    4.9 to 100 %  a,b
          Negative predictive value (NPV)     100 %   98.9 to 100 %  a,b
          Accuracy                            100 %   88.1 to 100 %
          Balanced accuracy                   100 %   84.4 to 100 %
          Youden's J                          1.000  0.687 to 1.000
          F1 score                            1.000  0.747 to 1.000    c
          Matthews correlation                1.000  0.495 to 1.000    c
          Cohen's kappa                       1.000  0.495 to 1.000    c
        Likelihood and odds ratios
          Positive likelihood ratio               —       from 2.50  b,d
          Negative likelihood ratio            0.00   0.00 to 0.555    b
          Diagnostic odds ratio                   —       from 14.6  b,d
        Numbers needed
          NNT                                  50.0    50.0 to 72.7    e
          NNS (to screen)                      50.0    50.0 to 66.9    f
          NND (to diagnose)                    1.00    1.00 to 1.45
          NNP (to predict)                     1.00    1.00 to 21.1  a,b
        Predicted probabilities
          Area under the ROC curve                —               —    g
          Average precision                       —               —    g
          Brier score                             —               —    g
          Calibration intercept                   —               —    g
          Calibration slope                       —               —    g

        a  At the given prevalence of 0.02, taken as known.
        b  One cell is 0: limits after adding 0.5 to all four.
        c  The estimate is at the end of its range or does not vary: Wilson's limits
           from 8 rows.
        d  No value: unbounded, since it divides by 0.
        e  NNT is the number tested per net correct finding, 1 / (prevalence x
           Youden's J); it is about no treatment.
        f  NNS is the number tested per case found, 1 / (prevalence x sensitivity).
        g  No value: no yProba was given.

        Methods of the intervals
          Wilson score (Wilson 1927): prevalence, sensitivity, specificity,
            accuracy, F1 score, Matthews correlation, Cohen's kappa, NNS.
          Logit of the predictive value (Mercaldo 2007): positive predictive value,
            negative predictive value.
          Variance recovery from both limits (MOVER; Newcombe 1998, Zou & Donner
            2008): balanced accuracy, Youden's J, NNT, NND, NNP.
          Log method (Simel 1991): positive likelihood ratio, negative likelihood
            ratio.
          Log odds (Woolf 1955): diagnostic odds ratio."
    `);
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

  it('takes what calculateAll gives, also from JSON, and nothing else', () => {
    const { yTrue, yPred } = rowsOfCells([8, 2, 3, 12]);
    const clinical = new ClinicalMetrics();
    const metrics = clinical.calculateAll(yTrue, yPred);
    expect(clinical.formatReport(JSON.parse(JSON.stringify(metrics)))).toBe(clinical.formatReport(metrics));
    const report = clinical.formatReport.bind(clinical) as (metrics?: unknown) => string;
    expect([
      failure(() => report()),
      failure(() => report({})),
      failure(() => report({ ...metrics, f1: undefined })),
    ]).toEqual(
      [/invalid_data.*undefined/, /invalid_data.*empty object/, /invalid_data.*keys counts, /].map((part) =>
        expect.stringMatching(part),
      ),
    );
  });
});
