import { describe, expect, it } from 'vitest';
import { outputLayer } from '../../models/outputLayer.mjs';
import { tf } from '../helpers/tfjsModels.js';

describe('outputLayer', () => {
  it.each([
    ['regression', { classes: [] }, 1, 'linear'],
    ['two classes', { classes: ['no', 'yes'] }, 1, 'sigmoid'],
    ['two classes by number', { classes: 2 }, 1, 'sigmoid'],
    ['three classes', { classes: [1, 2, 3] }, 3, 'softmax'],
    ['three labels', { classes: [0, 1, 2], task: 'multilabel' }, 3, 'sigmoid'],
    ['two labels', { classes: 2, task: 'multilabel' }, 2, 'sigmoid'],
  ])('of %s', (_name, options, units, activation) => {
    expect(outputLayer(tf, options).getConfig()).toMatchObject({ units, activation });
  });
});
