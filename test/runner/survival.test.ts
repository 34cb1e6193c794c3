/** Outcomes by time through a run and a validation. Expected values of the metrics are held against R in test/survival. */
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { labelsOf } from '../../src/data/labels.js';
import { CoxRegression, KaplanMeier } from '../../src/estimators/index.js';
import { CVKitValidator, GroupKFold, recommendCv, StratifiedKFold, UniversalCVRunner } from '../../src/index.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { survivalScores } from '../../src/stats/index.js';
import { kaplanMeier, survivalAt, survivalBefore } from '../../src/survival/kaplanMeier.js';

const n = 150;
const random = randomSource(5);
const X = Array.from({ length: n }, () => [random.random() - 0.5, random.random() - 0.5]);
const [time, event] = [new Float64Array(n), new Int32Array(n)];
X.forEach(([a], row) => {
  const [dies, leaves] = [-Math.log(1 - random.random()) / Math.exp(3 * a), -1.5 * Math.log(1 - random.random())];
  time[row] = Math.ceil(20 * Math.min(dies, leaves)) / 20;
  event[row] = Number(dies <= leaves);
});
const y = { time, event };
const runner = new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 3 }), verbose: 0 });
const run = (more: object = {}) => runner.run({ model: () => new CoxRegression(), data: { X, y }, ...more });

describe('labelsOf', () => {
  it('reads columns, records, pairs and texts alike', () => {
    const records = X.map((_, row) => ({ time: time[row], event: Boolean(event[row]) }));
    const pairs = X.map((_, row) => [time[row], event[row]]);
    const texts = X.map((_, row) => `${time[row]}${event[row] ? '' : '+'}`);
    const forms = [
      labelsOf(y),
      labelsOf(records),
      ...[pairs, texts].map((each) => labelsOf(each, { task: 'survival' })),
    ];
    for (const { task, numbers, codes } of forms) {
      expect(task).toBe('survival');
      expect([Array.from(numbers), Array.from(codes)]).toEqual([Array.from(time), Array.from(event)]);
    }
    const some = labelsOf(y).take(Int32Array.of(3, 0));
    expect(some.toArray()).toEqual([3, 0].map((row) => ({ time: time[row], event: event[row] })));
  });

  it('takes other records and texts for what they were', () => {
    expect(labelsOf(['1', '2+', '1']).task).toBe('binary');
    expect(() => labelsOf([{ when: 1 }])).toThrow('must be a number');
    expect(() => labelsOf([{ time: 1 }])).toThrow('y must have an `event` beside its `time`. Got none.');
  });
});

describe('a run', () => {
  it('weights for censoring by the training rows of each fold', async () => {
    const results = await run({ times: [0.5, 1] });
    const { row, fold, censoring, yTrue, event: events } = results.outOfFold;
    const grid = results.metadata.survivalTimes as readonly number[];
    expect(grid).toEqual(expect.arrayContaining([0.5, 1]));
    for (const at of [0, 70, 149]) {
      const { train } = results.indices[fold[at]];
      const outcomes = {
        time: time.filter((_, i) => train.includes(i)),
        event: event.filter((_, i) => train.includes(i)),
      };
      const curve = kaplanMeier(outcomes, null, 'censoring');
      const expected = [survivalBefore(curve, time[row[at]]), ...grid.map((each) => survivalAt(curve, each))];
      expect(Array.from(censoring?.[at] as ArrayLike<number>)).toEqual(expected);
      expect([yTrue[at], events?.[at]]).toEqual([time[row[at]], event[row[at]]]);
    }
  });

  it('gives the scores that survivalScores gives of the rows of a fold', async () => {
    const results = await run({
      times: [0.5, 1],
      metrics: ['concordance', 'brier_at', 'roc_auc_at', 'calibration_at'],
    });
    const { fold, yPred, yProba, row } = results.outOfFold;
    const at = [...fold.keys()].filter((each) => fold[each] === 1);
    const grid = results.metadata.survivalTimes as readonly number[];
    const places = [0.5, 1].map((each) => grid.indexOf(each));
    const { train } = results.indices[1];
    const expected = survivalScores({
      time: at.map((each) => time[row[each]]),
      event: at.map((each) => event[row[each]]),
      risk: at.map((each) => yPred[each] as number),
      survival: at.map((each) => places.map((place) => (yProba as number[][])[each][place])),
      times: [0.5, 1],
      training: { time: Array.from(train, (each) => time[each]), event: Array.from(train, (each) => event[each]) },
      method: 'analytic',
    });
    for (const [name, [, score]] of Object.entries(results.scores)) {
      expect(score.value, name).toBeCloseTo(expected[name].estimate as number, 12);
    }
    expect(Object.keys(results.scores)).toHaveLength(9);
  });

  it('needs risks alone; curves are read as steps', async () => {
    const model = { fit: () => undefined, predictRisk: (rows: number[][]) => rows.map(([a]) => a) };
    const { scores } = await run({ model, metrics: ['concordance', 'brier_at'], times: [1] });
    expect(scores.concordance.every(({ value }) => (value as number) > 0.6)).toBe(true);
    expect(scores.brier_at_1[0]).toEqual({ value: null, reason: expect.stringContaining('survival curves') });
  });

  it('by Kaplan and Meier has the concordance and the Brier scores of the baseline', async () => {
    const result = await new CVKitValidator({ randomState: 1, nBootstrap: 100, checkLeakage: false }).validate({
      ...{ model: () => new KaplanMeier(), X, y, verbose: 0, metrics: ['concordance', 'integrated_brier'] },
    });
    expect(result.estimates.concordance).toBe(0.5);
    expect(result.estimates.integrated_brier).toBeCloseTo(result.baseline?.integrated_brier.value as number, 12);
  });

  it('keeps causes apart: another one is no event of interest, and its risk is Aalen and Johansen’s', async () => {
    const causes = event.map((each, row) => (each && row % 3 === 0 ? 2 : each));
    const both = { time, event: causes };
    const [first, second] = await Promise.all(
      [1, 2].map((causeOfInterest) =>
        run({ data: { X, y: both }, causeOfInterest, metrics: ['observed_expected_at'] }),
      ),
    );
    expect(first.metadata.causeOfInterest).toBe(1);
    expect(second.meanScores).not.toEqual(first.meanScores);
    await expect(run({ data: { X, y: both }, causeOfInterest: 3 })).rejects.toThrow('hold an event 3');
  });
});

describe('designs', () => {
  it('spread events over folds, and within fifths of the times on request', () => {
    const shares = (splitter: StratifiedKFold) =>
      Array.from(foldsOf(splitter, n, y), ({ test }) => test.reduce((sum, row) => sum + event[row], 0));
    const total = event.reduce((sum, each) => sum + each, 0);
    for (const count of shares(new StratifiedKFold())) expect(Math.abs(count - total / 5)).toBeLessThan(1);
    const early = Array.from(time).sort((a, b) => a - b)[Math.floor(n / 2)];
    for (const { test } of foldsOf(new StratifiedKFold({ bins: 2 }), n, y)) {
      const counts = [0, 1].map((what) => test.filter((row) => event[row] === what && time[row] <= early).length);
      const all = [0, 1].map((what) => event.filter((each, row) => each === what && time[row] <= early).length);
      for (const what of [0, 1]) expect(Math.abs(counts[what] - all[what] / 5)).toBeLessThanOrEqual(1);
    }
  });

  it('are those of classes, with and without patients', async () => {
    const groups = X.map((_, row) => `p${row >> 1}`);
    expect((await recommendCv({ X, y, groups })).method).toBe('stratified_group_kfold');
    const advice = await recommendCv({ X, y });
    expect(advice.method).toBe('repeated_kfold');
    expect(advice.rationale.join(' ')).toContain('event');
    await expect(run({ data: { X, y, groups }, metrics: ['concordance'] })).resolves.toBeDefined();
    expect(foldsOf(new GroupKFold(), n, y, { groups }).length).toBe(5);
  });
});

describe('checks', () => {
  const failing = async (more: Readonly<Record<string, ArrayLike<number>>>, side: object = {}) => {
    const columns = { a: X.map(([a]) => a), b: X.map(([, b]) => b), ...more };
    const settings = { randomState: 1, returnConfidenceIntervals: false };
    const model = () => new CoxRegression({ alpha: 1 });
    const data = { X: columns, y, independentRows: true, preparedInside: true, metrics: ['concordance'], ...side };
    const result = await new CVKitValidator(settings).validate({ model, ...data, verbose: 0 });
    return result.checks.filter(({ status }) => status === 'failed' || status === 'needs_review');
  };
  const messageOf = async (name: string, values: ArrayLike<number>) =>
    (await failing({ [name]: values })).find(({ code }) => code === 'CVL009')?.message ?? 'nothing';

  it('pass clean rows', async () => expect(await failing({})).toEqual([]));

  it('find the time, the event, and a time that was measured later than the start', async () => {
    const noise = randomSource(3);
    expect(
      await messageOf(
        'months',
        time.map((each) => 30.4 * each),
      ),
    ).toContain('`months`');
    expect(await messageOf('died', event)).toContain('`died`');
    const toRecurrence = time.map((each) => (noise.random() < 0.4 ? each : each * noise.random()));
    expect(await messageOf('recurrence', toRecurrence)).toContain('it is the time of y in');
    expect(
      await messageOf(
        'a number',
        Float64Array.from(X, () => noise.random()),
      ),
    ).toBe('nothing');
  });
});
