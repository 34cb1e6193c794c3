import { InvalidOptionError, phrase, sentence } from '../src/core/errors.js';
import { rejectUnusedOption } from '../src/core/options.js';
import { classText, type Labels } from '../src/data/labels.js';
import { noClassToWeight } from '../src/data/noClassToWeight.js';
import type { Batch, FitOptions } from '../src/runner/frameworkAdapter.js';

/**
 * `sampleWeight` times the weight of the row's class, as in Keras. Undefined without both. With `meanOne` the
 * sample weights are scaled to a mean of 1: a mean over a batch then counts weight k as the row k times.
 */
export function rowWeights(
  { y, sampleWeight }: Pick<Batch, 'y' | 'sampleWeight'>,
  classWeight: FitOptions['classWeight'],
  { meanOne = false } = {},
): Float64Array | undefined {
  const perClass = classWeight && weightsByCode(classWeight, y);
  if (!sampleWeight && !perClass) return undefined;
  const total = sampleWeight?.reduce((sum, weight) => sum + weight, 0) ?? y.length;
  const scale = meanOne && total > 0 ? y.length / total : 1;
  return Float64Array.from(
    { length: y.length },
    (_, row) => (sampleWeight ? sampleWeight[row] * scale : 1) * (perClass ? perClass[y.codes[row]] : 1),
  );
}

function weightsByCode(classWeight: Readonly<Record<string, number>>, { task, classes }: Labels): number[] {
  if (task === 'regression' || task === 'multilabel') {
    rejectUnusedOption('run', 'classWeight', `a ${task} task has no classes to weight`);
  }
  const names = classes.map(String);
  const unknown = Object.keys(classWeight).find((name) => !names.includes(name));
  if (unknown !== undefined) throw noClassToWeight('`classWeight` option', unknown, classes);
  return names.map((name, code) => {
    const weight = classWeight[name];
    if (Number.isFinite(weight) && weight >= 0) return weight;
    const got = phrase(`${weight} for ${classText(classes, code)}`);
    throw new InvalidOptionError(sentence('The `classWeight` option', `hold a number >= 0 for every class`, got));
  });
}
