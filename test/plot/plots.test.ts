/** What pictures of results show. Numbers by hand, or of scikit-learn's documentation where it says so. */
import { beforeAll, describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../src/core/errors.js';
import { DummyClassifier, DummyRegressor, LogisticRegression } from '../../src/estimators/index.js';
import { type CVResults, KFold, RepeatedKFold, StratifiedKFold, UniversalCVRunner } from '../../src/index.js';
import {
  instabilityOf,
  plotCalibration,
  plotComparison,
  plotConfusion,
  plotDecisionCurve,
  plotFolds,
  plotForest,
  plotHistory,
  plotImportance,
  plotInstability,
  plotLearningCurve,
  plotPrecisionRecall,
  plotRoc,
  plotScores,
} from '../../src/plot/index.js';
import { Svg } from '../../src/plot/svg.js';
import { compareModels, learningCurve } from '../../src/stats/index.js';
import { elements, pathsOf, textsIn } from './svgText.js';

/** The example of `roc_curve` and `average_precision_score` in scikit-learn's documentation. */
const EXAMPLE = { yTrue: [0, 0, 1, 1], yProba: [0.1, 0.4, 0.35, 0.8] };

const n = 90;
const X = Array.from({ length: n }, (_, row) => [Math.sin(row), Math.cos(3 * row)]);
const y = X.map(([first], row) => Number(first + Math.sin(7 * row) > 0));
let results: CVResults;
beforeAll(async () => {
  const runner = new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 3 }), verbose: 0 });
  results = await runner.run({ model: () => new LogisticRegression(), data: [X, y] });
});

/** Pixels as places on axes from 0 to 1, by the corners of the line of chance. */
function onUnit(svg: string, name: string): number[][][] {
  const [[from, to]] = pathsOf(svg, 'reference');
  const paths = pathsOf(svg, name).filter((path) => path.length > 2);
  return paths.map((path) =>
    path.map(([a, b]) =>
      [(a - from[0]) / (to[0] - from[0]), (b - from[1]) / (to[1] - from[1])].map((v) => Math.round(v * 100) / 100 + 0),
    ),
  );
}

const dotsIn = (svg: string) => pathsOf(svg, 'dots').flat();

describe('every picture', () => {
  it('is well formed, has a title, a description and a table, and is shown by Jupyter', () => {
    const pictures = [
      plotRoc,
      plotPrecisionRecall,
      plotCalibration,
      plotDecisionCurve,
      plotScores,
      plotConfusion,
      plotFolds,
    ].map((plot) => plot(results as never) as Svg);
    for (const picture of pictures) {
      expect(picture).toBeInstanceOf(Svg);
      const text = String(picture);
      expect(
        elements(text)
          .slice(0, 3)
          .map(({ name }) => name),
      ).toEqual(['svg', 'title', 'desc']);
      expect(picture.table.rows.length).toBeGreaterThan(1);
      for (const row of picture.table.rows) expect(row).toHaveLength(picture.table.header.length);
      expect(text).not.toMatch(/NaN|undefined|null|style=|<script|href/);
      const display = (picture as unknown as Record<symbol, () => Record<string, string>>)[
        Symbol.for('Jupyter.display')
      ]();
      expect(display['image/svg+xml']).toBe(text);
      // Nothing is drawn beyond the picture.
      for (const { name, attributes } of elements(text)) {
        if (name === 'text') expect(Number(attributes.y)).toBeLessThanOrEqual(picture.height);
      }
    }
  });
});

describe('plotRoc', () => {
  it('passes through the points of the curve', () => {
    const svg = plotRoc(EXAMPLE);
    expect(onUnit(String(svg), 's0')[0]).toEqual([
      [0, 0],
      [0, 0.5],
      [0.5, 0.5],
      [0.5, 1],
      [1, 1],
    ]);
    expect(svg.table.rows).toEqual([['all rows', '0.750', '0.500', '0.500', '0.500']]);
    expect(svg.description).toBe('ROC curve of 4 rows; AUC 0.750.');
  });

  it('names each fold, and draws their mean and range; folds without a class are counted', () => {
    const two = {
      yTrue: [0, 1, 0, 1, 0, 0],
      yProba: [0.2, 0.9, 0.6, 0.3, 0.1, 0.2],
      fold: ['a', 'a', 'b', 'b', 'c', 'c'],
    };
    const svg = plotRoc(two);
    const words = textsIn(String(svg));
    expect(words).toEqual(expect.arrayContaining(['a: AUC 1.000', 'b: AUC 0.000', 'mean of 2 folds: AUC 0.500']));
    expect(svg.description).toContain('1 of 3 folds lack a class and have no curve.');
    // Fold a is 1 and fold b is 0 everywhere before 1.
    const [mean] = onUnit(String(svg), 'line').filter((path) => path.length === 101);
    expect(mean.filter(([x]) => x < 1).every(([, height]) => height === 0.5)).toBe(true);
    expect(textsIn(String(plotRoc(two, { maxFolds: 1 })))).not.toContain('a: AUC 1.000');
  });

  it('draws the class that is named', async () => {
    const three = X.map((_, row) => ['a', 'b', 'c'][row % 3]);
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 });
    const found = await runner.run({ model: () => new LogisticRegression(), data: [X, three] });
    expect(() => plotRoc(found)).toThrow(
      /The `positiveLabel` option of plotRoc must name one of the classes: 'a', 'b', 'c'/,
    );
    expect(plotRoc(found, { positiveLabel: 'b' }).title).toBe("ROC curve: 'b'");
    const flipped = plotRoc(results, { positiveLabel: 0 });
    expect(flipped.table.rows.map(([, auc]) => auc)).toEqual(plotRoc(results).table.rows.map(([, auc]) => auc));
  });
});

describe('plotPrecisionRecall', () => {
  it('has the average precision and the steps of scikit-learn', () => {
    const svg = plotPrecisionRecall(EXAMPLE);
    expect(svg.table.rows).toEqual([['all rows', '0.833', '1.000', '0.667', '0.667']]);
    expect(textsIn(String(svg))).toContain('chance: 0.5');
  });
});

it('plotDecisionCurve shows the net benefit of treating all by its formula', () => {
  const { rows } = plotDecisionCurve({ yTrue: y, yProba: y.map((label) => 0.2 + 0.5 * label) }).table;
  const share = y.reduce((sum, each) => sum + each, 0) / n;
  const [, benefit, , all] = rows.find(([threshold]) => threshold === '0.500') as string[];
  expect(Number(all)).toBeCloseTo(share - (1 - share), 3);
  // Who has a risk of 0.7 has the outcome, the others do not.
  expect(Number(benefit)).toBeCloseTo(share, 3);
});

it('plotConfusion counts, and puts rare classes together', () => {
  const labels = { yTrue: ['a', 'a', 'a', 'b', 'b', 'c', 'd'], yPred: ['a', 'a', 'b', 'b', 'd', 'c', 'a'] };
  expect(plotConfusion(labels).table.rows.map((row) => row.slice(1, 5))).toEqual([
    ['2', '1', '0', '0'],
    ['0', '1', '0', '1'],
    ['0', '0', '1', '0'],
    ['1', '0', '0', '0'],
  ]);
  const { header, rows } = plotConfusion(labels, { maxClasses: 3 }).table;
  expect(header).toEqual(['truth', "'a'", "'b'", '2 others', 'predicted right']);
  expect(rows.map((row) => row.slice(1, 4))).toEqual([
    ['2', '1', '0'],
    ['0', '1', '1'],
    ['1', '0', '1'],
  ]);
});

it('plotForest says why a row has no estimate', () => {
  const rows = [
    { label: 'north', size: '30 patients', estimate: 0.8, lower: 0.7, upper: 0.9 },
    { label: 'south', estimate: null, lower: null, upper: null, reason: 'one class alone' },
    { label: 'all', estimate: 0.75, lower: 0.7, upper: 0.8, pooled: true },
  ];
  const words = textsIn(String(plotForest(rows, { label: 'AUC' })));
  expect(words).toEqual(
    expect.arrayContaining(['north (30 patients)', '0.800 (0.700 to 0.900)', 'none', 'one class alone']),
  );
});

it('plotHistory marks the epoch that was kept, of validation rows where there are', () => {
  const epochs = [0.9, 0.5, 0.4].map((loss, at) => ({ loss, val_loss: [0.8, 0.6, 0.7][at] }));
  const trained = { histories: [{ epochs }], foldDetails: [{ fold: 'fold-0', keptEpoch: 1 }] };
  const { table } = plotHistory(trained);
  expect(table.rows).toEqual([['fold-0', '3', '2', '0.400', '0.700']]);
  const svg = String(plotHistory(trained));
  const [, validation] = pathsOf(svg, 'line').filter((path) => path.length === 3);
  const [mark] = elements(svg).filter(
    ({ attributes }) => attributes.transform?.startsWith('translate') && attributes.class === 'mark s0',
  );
  expect(mark.attributes.transform).toBe(`translate(${validation[1].join()})`);
});

it.each([plotRoc, plotPrecisionRecall])('%o refuses rows of one class, and pools folds of one class each', (plot) => {
  for (const yTrue of [EXAMPLE.yTrue.map(() => 1), EXAMPLE.yTrue.map(() => 0)]) {
    expect(() => plot({ ...EXAMPLE, yTrue, positiveLabel: 1 } as never)).toThrow(InvalidDataError);
  }
  const oneEach = { ...results, outOfFold: { ...results.outOfFold, yTrue: results.outOfFold.yTrue.map(() => 1) } };
  expect(() => plot(oneEach as never)).toThrow(/^The rows of a .* must be of both classes\. Got one class alone\.$/);
  expect(plot({ ...EXAMPLE, fold: EXAMPLE.yTrue }).description).toContain('2 of 2 folds lack a class');
});

it('pictures of estimates are described in words that stand', () => {
  const row = { label: 'a', estimate: 0.5, lower: 0.4, upper: 0.6 };
  expect(plotForest([row]).description).toBe('1 estimate with intervals; the axis shows estimate.');
  const scores = plotScores(results, { metrics: ['roc_auc', 'accuracy'] });
  expect(scores.description).toBe('2 estimates with intervals; the axis shows estimate. A dot for each fold.');
});

it('plotScores has a dot for each fold', () => {
  expect(dotsIn(String(plotScores(results, { metrics: ['roc_auc'] })))).toHaveLength(3);
});

const limits = (estimate: number | null, half = 0.1) => ({
  ...{ estimate, lower: estimate === null ? null : estimate - half, upper: estimate === null ? null : estimate + half },
});

describe('plotLearningCurve', () => {
  it('has a line for test rows and one for training rows, with a bar for each interval that there is', () => {
    const svg = plotLearningCurve({
      ...{ metric: 'roc_auc', unit: 'patient' },
      points: [
        { nTrain: 20, test: limits(0.6), train: { value: 1 } },
        { nTrain: 50, test: { ...limits(null), reason: 'one class alone' }, train: { value: 0.9 } },
        { nTrain: 100, test: limits(0.8), train: { value: 0.9 } },
      ],
    });
    expect(svg.table).toEqual({
      header: ['training patients', 'test', 'lower', 'upper', 'training rows'],
      rows: [
        ['20', '0.600', '0.500', '0.700', '1.000'],
        ['50', '—', '—', '—', '0.900'],
        ['100', '0.800', '0.700', '0.900', '0.900'],
      ],
    });
    const [bars, trained, tested] = pathsOf(String(svg), 'line');
    expect([bars.length / 2, trained.length, tested.length]).toEqual([2, 3, 2]);
    // From 20 to 100 patients, 50 are 3/8 of the way.
    const [from, middle, to] = trained.map(([x]) => x);
    expect((middle - from) / (to - from)).toBeCloseTo(3 / 8, 3);
    expect(svg.description).toContain('one class alone');
  });

  it('takes what learningCurve gives', async () => {
    const call = { model: () => new LogisticRegression(), X, y, cv: new KFold({ nSplits: 2 }), metric: 'accuracy' };
    const found = await learningCurve({ ...call, sizes: [0.5], nBootstrap: 20, randomState: 1 });
    expect(plotLearningCurve(found).table.rows.map(([size]) => size)).toEqual(['23', '45']);
  });
});

describe('plotComparison', () => {
  const test = (estimate: number) => ({ difference: estimate, lower: estimate - 0.02, upper: estimate + 0.04 });
  const two = { metric: 'roc_auc', level: 0.95, rope: 0.01, correctedT: test(0.05), halfContrasts: test(0.03) };

  it('draws each test, no difference, and the region of practical equivalence', () => {
    const compared = { ...two, paired: { ...test(0.01), method: 'delong' } };
    const svg = plotComparison(compared);
    expect(svg.table.rows).toEqual([
      ['procedures: corrected t', '', '0.050', '0.030', '0.090'],
      ['procedures: half contrasts', '', '0.030', '0.010', '0.070'],
      ['predictions: paired DeLong', '', '0.010', '-0.010', '0.050'],
    ]);
    const [[zero]] = pathsOf(String(svg), 'reference');
    const [[[from], [to]]] = pathsOf(String(svg), 'mean');
    // From -0.01 to 0.01, around the line of no difference.
    expect((from + to) / 2).toBeCloseTo(zero[0], 1);
    expect(svg.description).toContain('up to 0.01');
    expect(String(plotComparison({ ...compared, rope: 0 }))).not.toContain('area mean');
  });

  it('takes what compareModels gives, of two models and of several', async () => {
    const dummy = await new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 3 }), verbose: 0 }).run({
      ...{ model: () => new DummyClassifier(), data: [X, y] },
    });
    const compared = compareModels(results, dummy, { metric: 'accuracy' });
    expect(plotComparison(compared).table.rows.map(([name]) => name)).toEqual([
      'procedures: corrected t',
      'predictions: paired',
    ]);
    const models = await compareModels({ results: { logistic: results, dummy }, metric: 'accuracy', nBootstrap: 100 });
    const svg = plotComparison(models);
    expect(svg.table.rows.map(([name]) => name)).toEqual(['logistic', 'dummy']);
    expect(dotsIn(String(svg))).toHaveLength(6);
  });
});

it('plotImportance has the largest drops first, and says how many features there are', () => {
  const drops = [0.01, 0.2, null, 0.05];
  const features = drops.map((drop, at) => ({ feature: `x${at}`, interval: limits(drop, 0.01), values: [drop, 0.1] }));
  const importance = { metric: 'roc_auc', unit: 'patient', features };
  const svg = plotImportance({ importance });
  expect(svg.table.rows.map(([name, , drop]) => [name, drop])).toEqual([
    ['x1', '0.200'],
    ['x3', '0.050'],
    ['x0', '0.010'],
    ['x2', '—'],
  ]);
  expect(dotsIn(String(svg))).toHaveLength(7);
  // Also of an error, which rises.
  expect(textsIn(String(svg))).toContain('roc_auc is worse by, when permuted');
  const two = plotImportance(importance, { maxFeatures: 2 });
  expect(two.table.rows.map(([name]) => name)).toEqual(['x1', 'x3']);
  expect(two.description).toContain('Shown: 2 of 4 features, the largest drops.');
});

describe('plotInstability', () => {
  // Means 0.2 and 0.6; distances from them 0.1 and 0.1, and 0.2, 0.2 and 0.
  const predictions = [
    [0.1, 0.3],
    [0.4, 0.8, 0.6],
  ];

  it('measures how far the predictions of a row are from their mean', () => {
    const found = instabilityOf({ predictions: [...predictions, [0.9]] });
    expect(found).toMatchObject({ rows: 2, repeats: 3 });
    const [first, second] = found.perRow;
    expect([first.mean, first.deviation, second.mean].map((value) => value.toFixed(12))).toEqual(
      [0.2, 0.1, 0.6].map((value) => value.toFixed(12)),
    );
    expect(second.deviation).toBeCloseTo(0.4 / 3, 12);
    expect(found.meanAbsoluteDeviation).toBeCloseTo((0.1 + 0.4 / 3) / 2, 12);
    // Between the two, 95 % of the way.
    expect(found.percentile95).toBeCloseTo(0.1 + 0.95 * (0.4 / 3 - 0.1), 12);
    expect(found.largest).toBe(second.deviation);
  });

  it('draws each prediction over the mean of its row', () => {
    const svg = plotInstability({ predictions });
    const [[from, to]] = pathsOf(String(svg), 'reference');
    const onUnit = dotsIn(String(svg)).map(([x, y]) => [
      (x - from[0]) / (to[0] - from[0]),
      (y - from[1]) / (to[1] - from[1]),
    ]);
    const expected = [...[0.1, 0.3].map((value) => [0.2, value]), ...[0.4, 0.8, 0.6].map((value) => [0.6, value])];
    expect(onUnit.flat().map((value) => value.toFixed(2))).toEqual(expected.flat().map((value) => value.toFixed(2)));
    expect(svg.description).toContain("deviation from the row's mean 0.117; 95 % of rows below 0.132, largest 0.133");
  });

  it('draws some of many rows, in few bytes, and says so', () => {
    const many = Array.from({ length: 3000 }, (_, row) => [row / 3000, (row + 90) / 3090, (row + 40) / 3040]);
    const svg = plotInstability({ predictions: many });
    expect(dotsIn(String(svg))).toHaveLength(1200);
    expect(svg.description).toContain('3,000 rows, 3 repeats. Dots: 400 rows, evenly spaced by risk.');
    expect(String(svg).length).toBeLessThan(30_000);
    const [least] = svg.table.rows;
    // Groups are at least 0.05 wide.
    expect(svg.table.rows.length).toBeLessThanOrEqual(20);
    expect(Number(least[0])).toBeLessThan(0.05);
  });

  it('takes results with repeats, of the class that is named', async () => {
    const cvSplitter = new RepeatedKFold({ nSplits: 3, nRepeats: 4 });
    const found = await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({
      ...{ model: () => new LogisticRegression(), data: [X, y] },
    });
    const { rows, repeats, perRow } = instabilityOf(found);
    expect([rows, repeats]).toEqual([n, 4]);
    const { row, yProba } = found.outOfFold;
    const ofSeven = Array.from(row.keys()).filter((at) => row[at] === 7);
    expect(perRow.find((each) => each.row === 7)?.predictions).toEqual(ofSeven.map((at) => yProba?.[at]));
    // The other class has the same distances.
    expect(instabilityOf(found, 0).largest).toBeCloseTo(instabilityOf(found).largest, 12);
    expect(plotInstability(found).description).toContain('90 rows, 4 repeats');
    expect(() => plotInstability(results)).toThrow(expect.objectContaining({ code: 'no_repeats' }));
  });
});

it('takes the labels of rows for classes that a manifest calls by numbers', () => {
  const yTrue = ['ICD 1001', 'ICD 1002', 'ICD 1002', 'ICD 1003'];
  const outOfFold = {
    ...{ row: Int32Array.of(0, 1, 2, 3), fold: Int32Array.of(0, 0, 0, 0), group: null, yTrue, weight: null },
    yPred: [...yTrue],
  };
  const numbered = (count: number) => Array.from({ length: count }, (_, code) => `number ${code}`);
  const manifest = { task: 'multiclass', classes: numbered(3), positiveLabel: null } as const;
  const ofThree = { outOfFold: { ...outOfFold, yProba: null }, foldDetails: [], manifest };
  expect(plotConfusion(ofThree).table.rows.map((row) => row.slice(1, 4))).toEqual([
    ['1', '0', '0'],
    ['0', '2', '0'],
    ['0', '0', '1'],
  ]);
  const risks = { ...outOfFold, yTrue: ['ICD 1001', 'ICD 1002', 'ICD 1002', 'ICD 1001'], yProba: [0.1, 0.9, 0.8, 0.2] };
  const binary = { task: 'binary', classes: numbered(2), positiveLabel: 'number 1' } as const;
  for (const positiveLabel of [undefined, 'number 0', 'ICD 1002']) {
    const svg = plotRoc(
      { outOfFold: risks, foldDetails: [], manifest: binary },
      positiveLabel ? { positiveLabel } : {},
    );
    expect(svg.table.rows.map(([, auc]) => auc)).toEqual(['1.000']);
  }
});

it('plotConfusion draws two classes of names, and leaves out counts that have no room', () => {
  const labels = { yTrue: ['a', 'b', 'b'], yPred: ['a', 'b', 'a'] };
  expect(plotConfusion(labels).table.rows.map((row) => row.slice(1, 3))).toEqual([
    ['1', '0'],
    ['1', '1'],
  ]);
  const many = Array.from({ length: 1000 }, (_, row) => `c${row % 30}`);
  const words = textsIn(String(plotConfusion({ yTrue: many, yPred: many }, { maxClasses: 30 })));
  expect(words.filter((text) => /^\d/.test(text))).toEqual([]);
  expect(words.join(' ')).toContain('Counts are in the table.');
});

it('refuse what they cannot draw, in one sentence', async () => {
  const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0 });
  const numbers = await runner.run({ model: () => new DummyRegressor(), data: [X, X.map(([first]) => first)] });
  const labels = await runner.run({
    ...{
      model: () => ({ fit: () => undefined, predict: (rows: number[][]) => rows.map(() => 1) }),
      data: [X, y],
      metrics: ['accuracy'],
    },
  });
  const dummy = await runner.run({ model: () => new DummyClassifier(), data: [X, y] });
  const thrown = (work: () => unknown): string => {
    try {
      return String(work());
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`;
    }
  };
  expect({
    'a regression': thrown(() => plotRoc(numbers)),
    'labels alone': thrown(() => plotCalibration(labels)),
    nothing: thrown(() => plotRoc(undefined as never)),
    'a promise': thrown(() => plotRoc(Promise.resolve() as never)),
    'no classes': thrown(() => plotConfusion(numbers)),
    'no epochs': thrown(() => plotHistory(dummy)),
    'no rows': thrown(() => plotForest([])),
    'a score that is none': thrown(() => plotScores(dummy, { metrics: ['nothing'] })),
    'scores without a share': thrown(() => plotScores(numbers)),
    JSON: thrown(() => plotFolds(JSON.parse(JSON.stringify(dummy)))),
    'no learning curve': thrown(() => plotLearningCurve(results as never)),
    'a learning curve without a score': thrown(() => plotLearningCurve({ metric: 'auc', unit: 'row', points: [] })),
    'no comparison': thrown(() => plotComparison(results as never)),
    'a comparison of nothing': thrown(() => plotComparison({ metric: 'auc', level: 0.9, rows: [] })),
    'no importance': thrown(() => plotImportance(results as never)),
    'a feature without a name': thrown(() => plotImportance({ metric: 'a', unit: 'row', features: [null] as never })),
    'no repeats': thrown(() => plotInstability(results)),
    'no risks': thrown(() => plotInstability({ predictions: [[0.5, 2]] })),
    'a width of 10': thrown(() => plotRoc(dummy, { width: 10 })),
  }).toMatchSnapshot();
});
