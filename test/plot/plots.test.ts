/** What pictures of results show. Numbers by hand, or of scikit-learn's documentation where it says so. */
import { beforeAll, describe, expect, it } from 'vitest';
import { DummyClassifier, DummyRegressor, LogisticRegression } from '../../src/estimators/index.js';
import { type CVResults, KFold, StratifiedKFold, UniversalCVRunner } from '../../src/index.js';
import {
  plotCalibration,
  plotConfusion,
  plotDecisionCurve,
  plotFolds,
  plotForest,
  plotHistory,
  plotPrecisionRecall,
  plotRoc,
  plotScores,
} from '../../src/plot/index.js';
import { Svg } from '../../src/plot/svg.js';
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

it('plotScores has a dot for each fold', () => {
  const dots = elements(String(plotScores(results, { metrics: ['roc_auc'] }))).filter(({ name }) => name === 'circle');
  expect(dots).toHaveLength(3);
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
    'a width of 10': thrown(() => plotRoc(dummy, { width: 10 })),
  }).toMatchSnapshot();
});
