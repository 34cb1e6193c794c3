/** No words of any picture cover others or leave it, however many folds and classes there are, and however long the names. */
import { beforeAll, describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/index.js';
import { type CVResults, GroupKFold, RepeatedKFold, TimeSeriesSplit, UniversalCVRunner } from '../../src/index.js';
import {
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
  plotSplits,
} from '../../src/plot/index.js';
import { crowdedTexts, textBoxes } from './svgText.js';

const n = 120;
const X = Array.from({ length: n }, (_, row) => [Math.sin(row), Math.cos(3 * row)]);
const codes = X.map(([first], row) => Number(first + Math.sin(7 * row) > 0));

/** Names that were never thought of. */
const NAMES = {
  short: 'a',
  'of 500 letters': 'abcdefghij'.repeat(50),
  'of 100 words': 'two words '.repeat(50).trim(),
  'right to left': `\u202eשלום עולם ${'مرحبا بالعالم '.repeat(20)}\u202c`,
  emoji: '👩‍⚕️🫀'.repeat(40),
};

const range = (length: number) => Array.from({ length }, (_, at) => at);
const points = (k: number) => range(k).map((at) => 0.7 + 0.2 * Math.sin(at));
const limits = (estimate: number) => ({ estimate, lower: estimate - 0.12345, upper: estimate + 0.12345 });

/** Every picture, with a name wherever one can be. */
function pictures(name: string, k: number, width: number): Record<string, unknown> {
  const fold = range(n).map((row) => `${name} ${row % k}`);
  const yTrue = codes.map((code) => (code ? `${name}1` : `${name}0`));
  const yProba = X.map(([first], row) => (Math.sin(5 * row) + first + 2.2) / 4.4);
  const risks = { yTrue, yProba, fold };
  const labels = (classes: number) => ({
    yTrue: range(900).map((row) => `${name}${row % classes}`),
    yPred: range(900).map((row) => `${name}${(row * row) % classes}`),
  });
  const rows = range(k).map((at) => ({ label: `${name} ${at}`, ...limits(0.5 + at), size: `${name} 120 patients` }));
  const named = { title: name, width };
  const own = { title: name, width, positiveLabel: `${name}1` };
  const epochs = (at: number) => range(12).map((epoch) => ({ [name]: (1234.5 + at) / (epoch + 1) }));
  const histories = { histories: range(k).map((at) => ({ epochs: epochs(at) })) };
  const foldDetails = range(k).map((at) => ({ fold: `${name} ${at}`, keptEpoch: at }));
  const scores = Object.fromEntries(range(k).map((at) => [`${name} ${at}`, points(k).map((value) => ({ value }))]));
  const estimates = Object.fromEntries(Object.keys(scores).map((score) => [score, 0.7]));
  const groups = range(n).map((row) => `${name} ${row % 30}`);
  const timestamps = range(n).map((row) => new Date(Date.UTC(2024, 0, 1 + 3 * row)));
  const test = { difference: -0.00045678, lower: -0.012345, upper: 0.0123, reason: name };
  const compared = { metric: name, level: 0.95, rope: 0.01, correctedT: test, halfContrasts: test };
  const models = range(k).map((at) => ({
    ...{ name: `${name} ${at}`, interval: at ? limits(0.7) : null, reason: at ? null : name },
    scores: points(k).map((value) => ({ value })),
  }));
  const learned = range(k).map((at) => ({ nTrain: 12_345 * (at + 1), test: limits(0.0001 * at), train: { value: 1 } }));
  const features = range(k).map((at) => ({ feature: `${name} ${at}`, interval: limits(at), values: points(k) }));
  return {
    plotRoc: plotRoc(risks, own),
    plotPrecisionRecall: plotPrecisionRecall(risks, own),
    plotCalibration: plotCalibration(risks, own),
    plotDecisionCurve: plotDecisionCurve(risks, own),
    'plotDecisionCurve below 1 %': plotDecisionCurve(risks, { ...own, maxThreshold: 0.02 }),
    plotConfusion: plotConfusion(labels(k), named),
    'plotConfusion of 30 classes': plotConfusion(labels(30), { ...named, maxClasses: 30 }),
    plotForest: plotForest(rows, { ...named, label: name, reference: 0 }),
    'plotForest of large numbers': plotForest([{ label: name, estimate: 1e6, lower: -1e7, upper: 1e8 }], named),
    plotHistory: plotHistory({ ...histories, foldDetails } as never, { ...named, log: name }),
    plotScores: plotScores({ scores, estimates } as never, named),
    plotSplits: plotSplits(new GroupKFold({ nSplits: k }), X, codes, {
      ...named,
      groups,
      hierarchy: { [name]: groups },
    }),
    'plotSplits in time': plotSplits(new TimeSeriesSplit({ nSplits: k, gap: 2 }), X, codes, { ...named, timestamps }),
    'plotSplits on a map': plotSplits(new GroupKFold({ nSplits: k }), X, codes, { ...named, groups, coordinates: X }),
    plotLearningCurve: plotLearningCurve({ metric: name, unit: name, points: learned }, named),
    plotComparison: plotComparison({ ...compared, paired: { ...test, method: 'paired' } }, named),
    'plotComparison of models': plotComparison({ metric: name, level: 0.95, rows: models }, named),
    plotImportance: plotImportance({ metric: name, unit: 'patient', features }, { ...named, maxFeatures: 3 }),
    plotInstability: plotInstability({ predictions: yProba.map((risk) => [risk, risk / 2]) }, named),
  };
}

const crowded = (all: Record<string, unknown>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(all)
      .map(([name, svg]): [string, string[]] => [name, crowdedTexts(String(svg))])
      .filter(([, texts]) => texts.length > 0),
  );

describe.each([360, 720])('at a width of %d', (width) => {
  describe.each([2, 10])('of %d folds', (k) => {
    it.each(Object.entries(NAMES))('names: %s', (_, name) => {
      expect(crowded(pictures(name, k, width))).toEqual({});
    });
  });
});

describe('of a run', () => {
  let results: CVResults;
  beforeAll(async () => {
    const cvSplitter = new RepeatedKFold({ nSplits: 5, nRepeats: 2 });
    results = await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({
      ...{ model: () => new LogisticRegression(), data: [X, codes] },
    });
  });

  it.each([300, 360, 720])('at a width of %d', (width) => {
    const plots = { plotRoc, plotCalibration, plotConfusion, plotScores, plotInstability };
    const drawn = Object.entries(plots).map(([name, plot]) => [name, plot(results as never, { width }) as unknown]);
    expect(crowded({ ...Object.fromEntries(drawn), plotFolds: plotFolds(results, { width }) })).toEqual({});
  });
});

it('sees words that cover others, turned ones as well, and those outside', () => {
  const svg = (...texts: string[]) => `<svg width="100" height="100">${texts.join('')}</svg>`;
  const upright = '<text x="50" y="50" text-anchor="middle">abcd</text>';
  const turned = (x: number) =>
    `<text x="${x}" y="50" text-anchor="middle" transform="rotate(-90,${x},50)">abcd</text>`;
  expect(crowdedTexts(svg(upright, turned(50)))).toEqual(['abcd / abcd']);
  expect(crowdedTexts(svg(upright, turned(20)))).toEqual([]);
  expect(crowdedTexts(svg('<text x="90" y="50">abcd</text>'))).toEqual(['outside: abcd']);
  // Four letters of 12: 28.8 wide, from 50 - 14.4, and up from the line by 0.8 of 12.
  expect(textBoxes(svg(upright))[0].corners[0]).toEqual([35.6, 40.4]);
});
