/** The sentences of this room, reviewed in one file of snapshots; other tests assert codes and evidence. */
import { expect, it } from 'vitest';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { score } from '../../src/metrics/metric.js';
import { metricsFor } from '../../src/metrics/metricsFor.js';
import { defineMetric } from '../../src/metrics/registry.js';
import { type ScoreTableInput, scoreTable } from '../../src/metrics/scoreTable.js';
import { texts } from '../helpers/messages.js';

const y = [0, 1, 1];
const table = (input: Partial<ScoreTableInput>) => () => scoreTable({ yTrue: y, ...input } as ScoreTableInput);
const define = (parts: object) => () => defineMetric({ ...accuracy, name: 'mine', ...parts });
const three = (second: number[]) => table({ yTrue: [0, 1, 2], yProba: [[1, 0, 0], second, [0, 0, 1]] });

it.each<[string, Record<string, () => unknown>]>([
  [
    'scoreTable',
    {
      'a probability above 1': table({ yProba: [0.1, 1.2, 0.3] }),
      'a probability that is NaN': table({ yProba: [0.1, 0.2, Number.NaN] }),
      'too few predictions': table({ yPred: [0, 1] }),
      'too few weights': table({ yPred: y, sampleWeight: [1, 2] }),
      'a negative weight': table({ yPred: y, sampleWeight: [1, 2, -1] }),
      'two columns for two classes': table({ yProba: y.map(() => [0.5, 0.5]) }),
      'ragged probabilities': three([0, 1]),
      'probabilities that do not sum to 1': three([0.5, 0.9, 0.1]),
      'NaN in the truth': table({ yTrue: [0, Number.NaN, 1], yPred: y }),
      'NaN in the predictions': () => scoreTable({ yTrue: [0.5, 1.5], yPred: [0.5, Number.NaN], task: 'regression' }),
      'an unknown positive label': table({ yPred: y, positiveLabel: 2 }),
      'a positive label among three classes': table({ yTrue: [0, 1, 2], yPred: [0, 1, 2], positiveLabel: 2 }),
      'two strings without a positive label': table({ yTrue: ['left', 'right'], yPred: ['left', 'left'] }),
      'a lone class that names no other': table({ yTrue: ['left', 'left'], yPred: ['left', 'left'] }),
      'labels of another kind': table({ yPred: ['0', '1', '1'] }),
      'a label outside the classes': table({ yPred: [0, 1, 2], classes: [0, 1] }),
      'three classes in a binary task': table({ yPred: [0, 1, 2], task: 'binary' }),
      'probabilities of a regression': table({ yTrue: [0.5, 1.5], yProba: [0.5, 0.5] }),
      'no predictions': table({}),
      'no rows': table({ yTrue: [], yPred: [] }),
    },
  ],
  [
    'defineMetric',
    {
      'no combine': define({ combine: undefined }),
      'a range that descends': define({ range: [1, 0] }),
      'an unknown task': define({ tasks: ['ranking'] }),
      'a misspelt option': define({ nedes: 'labels' }),
      'a target of what is maximised': define({ target: 1 }),
      'a target that is missing': define({ direction: 'target' }),
      'a name that is taken': define({ name: 'accuracy' }),
      'a name in camelCase': define({ name: 'MyAccuracy' }),
      'a value beyond the range': () => score({ ...accuracy, compute: () => 1.3 }, scoreTable({ yTrue: y, yPred: y })),
    },
  ],
  [
    'metricsFor',
    {
      'a misspelt metric': () => metricsFor(['rocauc'], 'binary'),
      'a metric that lacks a letter': () => metricsFor(['sensitivty'], 'binary'),
      'an error of a classification': () => metricsFor(['mse'], 'binary'),
      'an unknown metric': () => metricsFor(['gini'], 'binary'),
      'a part of a name': () => metricsFor(['auc'], 'binary'),
      'a metric of another task': () => metricsFor(['roc_auc'], 'regression'),
    },
  ],
])('%s', async (_, rows) => expect(await texts(rows)).toMatchSnapshot());
