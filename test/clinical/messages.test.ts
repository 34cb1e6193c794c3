/** The sentences of this room, reviewed in one file of snapshots; other tests assert codes and evidence. */
import { expect, it } from 'vitest';
import { blandAltman } from '../../src/clinical/agreement/blandAltman.js';
import { calibrationCurve } from '../../src/clinical/calibration/calibrationCurve.js';
import { classReport } from '../../src/clinical/classes/classReport.js';
import { ClinicalMetrics } from '../../src/clinical/clinicalMetrics.js';
import { chooseThreshold, type ThresholdRule } from '../../src/clinical/decisions/chooseThreshold.js';
import { decisionCurve } from '../../src/clinical/decisions/decisionCurve.js';
import { netBenefit } from '../../src/clinical/decisions/netBenefit.js';
import { betaCalibration, isotonicRegression, plattScaling } from '../../src/clinical/decisions/recalibration.js';

import { delongTest } from '../../src/clinical/roc/delongTest.js';
import { partialAuc } from '../../src/clinical/roc/partialAuc.js';
import { rocAt } from '../../src/clinical/roc/rocAt.js';
import { rowsOfCells } from '../helpers/cells.js';
import { texts } from '../helpers/messages.js';
import intervals from '../reference/classIntervals.json' with { type: 'json' };
import reference from '../reference/clinical.json' with { type: 'json' };

const clinical = new ClinicalMetrics();
const y = [0, 1, 0, 1];
const metrics = clinical.calculateAll(y, y);
const format = (value: unknown) => clinical.formatReport(value as typeof metrics);
const absent = ['a', 'b', 'a', 'b', 'a', 'b', 'c', 'c', 'a', 'b', 'a', 'c'];
const twelve = Array.from({ length: 12 }, (_, row) => row);
const report = classReport(['a', 'b', 'a', 'b', 'c'], ['a', 'b', 'a', 'b', 'a'], { classes: ['a', 'b', 'c', 'd'] });
const [, , c, d] = report.perClass;
const choose = (rule: unknown, options = {}, labels = y) =>
  chooseThreshold(labels, [0.1, 0.7, 0.3, 0.8], rule as ThresholdRule, options);
const pairs = Array.from({ length: 60 }, (_, row) => row >> 1);
const third = Array.from({ length: 30 }, (_, row) => row % 3 === 0);
const at = { specificity: 0.9 };
const few = { nBootstrap: 100 };
const [five, risks] = [
  [0, 1, 0, 1, 0],
  [0.2, 0.3, 0.4, 0.6, 0.7],
];

it.each<[string, Record<string, () => unknown>]>([
  [
    'ClinicalMetrics',
    {
      'a level of 1': () => new ClinicalMetrics({ confidenceLevel: 1 }),
      'a prevalence of 0': () => new ClinicalMetrics({ prevalence: 0 }),
      'a prevalence of 1': () => new ClinicalMetrics({ prevalence: 1 }),
      'a seed below 0': () => new ClinicalMetrics({ randomState: -1 }),
      'a treatment without effect': () => new ClinicalMetrics({ treatmentEffect: 0 }),
      'an unknown option': () => new ClinicalMetrics({ ci: 0.9 } as never),
      'too few predictions': () => clinical.calculateAll(y, [0, 1]),
      'three classes': () => clinical.calculateAll([0, 1, 2, 1], y),
      'NaN as a label': () => clinical.calculateAll(y, [0, Number.NaN, 1, 1]),
      'a probability above 1': () => clinical.calculateAll(y, y, { yProba: [0, 1, 1.2, 1] }),
      'a probability that is NaN': () => clinical.calculateAll(y, y, { yProba: [0, 1, Number.NaN, 1] }),
      'weights of 0': () => clinical.calculateAll(y, y, { sampleWeight: [0, 0, 0, 0] }),
      'too few groups': () => clinical.calculateAll(y, y, { groups: ['a', 'b'] }),
      'words without a positive one': () => clinical.calculateAll(['a', 'b'], ['b', 'a']),
      'no rows': () => clinical.calculateAll([], []),
      'probabilities as labels': () => clinical.calculateAll(y, [0.2, 0.9, 0.7, 0.4]),
      'one class that names no other': () => clinical.calculateAll([5, 5], [5, 5]),
      'a report of nothing': () => format(undefined),
      'a report of an empty object': () => format({}),
      'a report without f1': () => format({ ...metrics, f1: undefined }),
    },
  ],
  [
    'blandAltman',
    {
      'one row': () => blandAltman([1], [2]).bias.reason,
      'three rows': () => blandAltman([1, 2, 3], [1, 1, 1]).bias.reason,
      'three patients': () => blandAltman(twelve, twelve, { groups: twelve.map((row) => row % 3) }).bias.reason,
      'equal differences': () =>
        blandAltman(
          twelve.map((row) => row + 0.3),
          twelve,
        ).bias.reason,
      'too few numbers': () => blandAltman([1, 2], [1]),
      NaN: () => blandAltman([1, Number.NaN], [1, 2]),
      'zero on the ratio scale': () => blandAltman([1, 2], [0, 2], { scale: 'ratio' }),
      'no numbers': () => blandAltman([], []),
      'no array': () => blandAltman([1], undefined as never),
      'no first array': () => blandAltman(undefined as never, [1]),
      'an empty id': () => blandAltman([1, 2], [1, 2], { groups: ['p', ''] }),
      'an agreement of 95': () => blandAltman([1, 2], [1, 2], { agreement: 95 }),
    },
  ],
  [
    'classReport',
    {
      'a class never predicted': () => c.ppv.reason,
      'a class without rows': () => d.sensitivity.reason,
      'a class without rows or predictions': () => d.f1.reason,
      'one class': () => classReport([1, 1, 1], [1, 1, 1]).perClass[1].specificity.reason,
      'labels of another kind': () => classReport(['a', 'b'], [0, 1]),
      'a label outside the classes': () => classReport([0, 1, 2], [0, 1, 3], { classes: [0, 1, 2] }),
      'too few predictions': () => classReport([0, 1, 2], [0, 1]),
      'NaN as a label': () => classReport([0, 1, Number.NaN], [0, 1, 1]),
      'too few groups': () => classReport([0, 1], [0, 1], { groups: ['p'] }),
      'one class that names no other': () => classReport(['a', 'a'], ['a', 'a']),
      'an option of other functions': () => classReport([0, 1], [0, 1], { positiveLabel: 1 } as never),
    },
  ],
  [
    'calibration and decisions',
    {
      'a span of 0': () => calibrationCurve([0, 1], [0.2, 0.4], { span: 0 }),
      'a misspelt option': () => calibrationCurve([0, 1], [0.2, 0.4], { bins: 5 } as object),
      'no seed': () => calibrationCurve([0, 1], [0.2, 0.4], { randomState: -1 }),
      'too few resamples': () => calibrationCurve([0, 1], [0.2, 0.4], { nBootstrap: 10 }),
      'a probability above 1': () => calibrationCurve([0, 1], [0.2, 1.2]),
      'too few probabilities': () => calibrationCurve([0, 1], [0.2]),
      'three classes': () => calibrationCurve([0, 1, 2], [0.2, 0.4, 0.5]),
      'a threshold of 1, alone': () => netBenefit(y, y, { threshold: 1 }),
      'a probability that is NaN': () => netBenefit([0, 1], [0.1, Number.NaN], { threshold: 0.2 }),
      'an option of netBenefit': () => decisionCurve(y, y, { threshold: 0.1 } as object),
      'a number as options': () => netBenefit(y, y, 0.2 as never),
      'no threshold': () => netBenefit(y, y, {} as never),
      'a prevalence of 1': () => netBenefit(y, y, { threshold: 0.2, prevalence: 1 }),
      'no thresholds': () => decisionCurve(y, y, { thresholds: [] }),
      'a threshold of 1': () => decisionCurve(y, y, { thresholds: [0.1, 1] }),
      'no negative rows': () => plattScaling([1, 1], [0.2, 0.3]),
      'separate classes': () => plattScaling([0, 0, 1, 1], [0.1, 0.2, 0.7, 0.8]),
      'equal probabilities': () => plattScaling([0, 0, 1, 1], [0.4, 0.4, 0.4, 0.4]),
      'groups, which it has not': () => plattScaling([0, 1], [0.4, 0.6], { groups: [1, 2] } as object),
      'positive rows alone, isotonic': () => isotonicRegression([1, 1], [0.2, 0.3]),
      'positive rows alone, beta': () => betaCalibration([1, 1], [0.2, 0.3]),
      'separate classes, beta': () => betaCalibration([0, 0, 1, 1], [0.1, 0.2, 0.7, 0.8]),
      'new probabilities above 1, Platt': () => plattScaling(five, risks).apply([0.5, 1.5]),
      'new probabilities above 1, beta': () => betaCalibration(five, risks).apply([0.5, 1.5]),
      'new probabilities above 1': () => isotonicRegression(y, [0.2, 0.3, 0.4, 0.6]).apply([0.5, 1.5]),
    },
  ],
  [
    'chooseThreshold',
    {
      'too few patients for a guarantee': () =>
        chooseThreshold(
          new Array(60).fill(1),
          pairs.map((pair) => 0.2 + pair / 100),
          { guaranteedSensitivity: 0.95 },
          { groups: pairs },
        ),
      'an unknown rule': () => choose('best'),
      'a number': () => choose(0.3),
      'a fixed threshold above 1': () => choose({ fixed: 1.3 }),
      'a sensitivity above 1': () => choose({ sensitivity: 1.2 }),
      'two rules': () => choose({ sensitivity: 0.9, specificity: 0.9 }),
      'confidence without a guarantee': () => choose({ sensitivity: 0.9, confidence: 0.9 }),
      'half a cost': () => choose({ cost: { falsePositive: 1 } }),
      'a guarantee with weights': () => choose({ guaranteedSensitivity: 0.9 }, { sampleWeight: [1, 1, 1, 1] }),
      'groups without a guarantee': () => choose('youden', { groups: [1, 1, 2, 2] }),
      'no negative rows': () => choose('youden', {}, [1, 1, 1, 1]),
    },
  ],
  [
    'ROC curves',
    {
      'equal scores': () => delongTest(third, pairs.slice(0, 30), pairs.slice(0, 30)).difference.reason,
      'three rows': () => delongTest([0, 1, 0], [1, 2, 3], [3, 1, 2]).difference.reason,
      'no positive rows': () => delongTest(new Array(12).fill(0), twelve, twelve).difference.reason,
      'a side that is none': () => delongTest([0, 1, 0], [1, 2, 3], [3, 1, 2], { alternative: 'bigger' as never }),
      'a score of NaN': () => delongTest([0, 1, 0], [1, Number.NaN, 0], [1, 2, 3]),
      'too few scores': () => delongTest([0, 1, 0], [1, 2], [1, 2, 3]),
      'three classes': () => delongTest([0, 1, 2], [1, 2, 3], [1, 2, 3]),
      'a level of 1': () => delongTest([0, 1, 0], [1, 2, 3], [1, 2, 3], { level: 1 }),
      'an empty range': () => partialAuc(y, y, { from: 0.9, to: 0.9 }),
      'a range in percent': () => partialAuc(y, y, { from: 90, to: 100 }),
      'half a range': () => partialAuc(y, y, { from: 0.9 } as never),
      'a range of something else': () => partialAuc(y, y, { from: 0, to: 1, of: 'fpr' as never }),
      'an infinite score': () => partialAuc([0, 1], [0, Number.POSITIVE_INFINITY], { from: 0, to: 1 }),
      'no negative rows': () => partialAuc(new Array(20).fill(true), new Array(20).fill(1), { from: 0, to: 1 }).reason,
      'a place on the curve': () => rocAt(third, pairs.slice(0, 30).map(Math.sin), { sensitivity: 0.5 }, few).note,
      'a perfect score': () => rocAt(third, third.map(Number), at, few).note,
      'one positive row': () =>
        rocAt(
          third.map((_, row) => row === 0),
          pairs.slice(0, 30),
          { sensitivity: 0.8 },
          few,
        ).reason,
      'a score of NaN on the curve': () => rocAt([0, 1, 0], [1, Number.NaN, 0], at),
      'too few scores on the curve': () => rocAt([0, 1, 0], [1, 2], at),
      'three classes on the curve': () => rocAt([0, 1, 2], [1, 2, 3], at),
      'a specificity in percent': () => rocAt(y, y, { specificity: 90 }),
      'two places': () => rocAt(y, y, { specificity: 0.9, sensitivity: 0.9 }),
      'no place': () => rocAt(y, y, undefined as never),
      'too few resamples': () => rocAt(y, y, at, { nBootstrap: 10 }),
    },
  ],
  [
    'summaries',
    {
      'formatReport of patients': () => {
        const { y, yPred, yProba, groups } = reference.patients[0];
        return clinical.formatReport(clinical.calculateAll(y, yPred, { yProba, groups }), { rows: 'images' });
      },
      'formatReport where values are missing': () => {
        const { yTrue, yPred } = rowsOfCells([8, 0, 0, 12]);
        const given = new ClinicalMetrics({ prevalence: 0.02, confidenceLevel: 0.9 });
        return given.formatReport(given.calculateAll(yTrue, yPred));
      },
      'classReport where values are missing': () => {
        const yPred = absent.map((label) => (label === 'c' ? 'a' : label));
        return classReport(absent, yPred, { classes: ['a', 'b', 'c', 'd'] }).summary();
      },
      'classReport of rows': () => classReport(intervals.independent.yTrue, intervals.independent.yPred).summary(),
    },
  ],
])('%s', async (_, rows) => expect(await texts(rows)).toMatchSnapshot());
