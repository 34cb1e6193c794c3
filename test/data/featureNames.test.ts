import * as tf from '@tensorflow/tfjs';
import { tableFromArrays } from 'apache-arrow';
import { table } from 'arquero';
import { Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { type RowsInput, rowsOf } from '../../src/data/rows.js';
import { CVKitValidator, DataLeakageChecker, KFold, loadCancerImaging, UniversalCVRunner } from '../../src/index.js';
import { failure, rejection } from '../helpers/failure.js';
import { matrix } from '../helpers/matrix.js';

// The same three patients in every kind of data.
const NAMES = ['age', 'dose'];
const ROWS = matrix('61 3 | 47 1 | 72 2');
const column = (at: number) => ROWS.map((row) => row[at]);

const NAMED: [string, RowsInput][] = [
  ['records', ROWS.map(([age, dose]) => ({ age, dose }))],
  ['columns', { age: column(0), dose: column(1) }],
  ['arquero', table({ age: column(0), dose: column(1) })],
  ['Arrow', tableFromArrays({ age: Float64Array.from(column(0)), dose: Float64Array.from(column(1)) })],
];
const NAMELESS: [string, RowsInput][] = [
  ['arrays', ROWS],
  ['dense', { data: Float64Array.from(ROWS.flat()), shape: [3, 2] }],
  ['ml-matrix', new Matrix(ROWS)],
  ['tensor', tf.tensor2d(ROWS)],
  ['source', { length: 3, take: (rows: Int32Array) => Array.from(rows, (row) => ROWS[row]) }],
  ['a view', rowsOf(ROWS)],
];

describe('names that the data have', () => {
  it.each(NAMED)('are kept from %s, also by a part of the rows', (_, X) => {
    expect(rowsOf(X).featureNames).toEqual(NAMES);
    expect(rowsOf(X).take(Int32Array.of(2)).featureNames).toEqual(NAMES);
  });

  it.each(NAMED)('may be said again for %s', (_, X) => {
    expect(rowsOf(X, 'X', [...NAMES]).featureNames).toEqual(NAMES);
  });

  it.each(NAMED)('are not replaced by others in %s', (_, X) => {
    expect(failure(() => rowsOf(X, 'X', ['dose', 'age']))).toBe(
      "column_mismatch: featureNames must be the names that X has itself, where it has some. Got 'dose' for its column 'age'.",
    );
  });
});

describe('names that are given', () => {
  it.each(NAMELESS)('are those of %s, of a part of the rows, and of a part of that', async (_, X) => {
    const rows = rowsOf(X, 'X', NAMES);
    const part = rows.take(Int32Array.of(2, 0)).take(Int32Array.of(1));
    expect([rows.featureNames, part.featureNames]).toEqual([NAMES, NAMES]);
    expect(await part.toArrays()).toEqual([[61, 3]]);
  });

  it('are those of the caller no more: a later change of his list changes nothing', () => {
    const names = [...NAMES];
    const rows = rowsOf(ROWS, 'X', names);
    names[0] = 'changed';
    expect(rows.featureNames).toEqual(NAMES);
  });

  it.each(NAMELESS)('must be as many as the columns of %s', async (_, X) => {
    const read = async () => rowsOf(X, 'X', ['age', 'dose', 'sex']).toDense();
    expect(await rejection(read())).toBe('length_mismatch: featureNames must name every column of X, 2. Got 3.');
  });

  it('must differ, and name the columns of one table', () => {
    expect([
      failure(() => rowsOf(ROWS, 'X', ['age', 'age'])),
      failure(() => rowsOf([[[1, 2]], [[3, 4]]], 'X', NAMES)),
      failure(() => rowsOf({ image: [[[1]], [[2]]], lab: [[1], [2]] }, 'X', NAMES)),
    ]).toEqual([
      "duplicate_feature_name: featureNames must be all different. Got 'age' twice.",
      'not_a_table: featureNames must name the columns of a table, so X must be one. Got rows of shape [1,2].',
      'not_a_table: featureNames must name the columns of a table, so X must be one. Got several inputs.',
    ]);
  });

  it('stand in the error for a cell', async () => {
    const rows = rowsOf([[61, 'low']], 'X', NAMES);
    expect(await rejection(rows.toDense())).toContain("X row 0 column 'dose' must be a number. Got a string.");
  });
});

/** A feature that gives the label away, and one that does not. */
const y = Array.from({ length: 60 }, (_, row) => row % 2);
const X = y.map((label, row) => [(row * 37) % 11, label]);
const names = ['age', 'discharge code'];
const told = { X, y, featureNames: names };
const model = () => ({ fit: () => undefined, predict: (rows: number[][]) => rows.map(([, code]) => code) });
const target = ({ checks }: { checks: readonly { type: string; message: string }[] }) =>
  checks.find(({ type }) => type === 'feature_target')?.message;

describe('checks name features', () => {
  const checker = new DataLeakageChecker();

  it('in check, comprehensiveCheck and checkCvSplits', async () => {
    expect(target(await checker.check(X, y, { featureNames: names }))).toContain('discharge code');
    const { report } = await checker.comprehensiveCheck(X, y, { featureNames: names });
    expect(target(report)).toContain('discharge code');
    const [train, test] = [0, 30].map((from) => ({ X: X.slice(from, from + 30), y: y.slice(from, from + 30) }));
    const sets = { yTrain: train.y, yTest: test.y, featureNames: names };
    expect(target(await checker.checkCvSplits(train.X, test.X, sets))).toContain('discharge code');
  });

  it('in checkFeatureTargetLeakage and checkPreprocessing', async () => {
    const { features } = await checker.checkFeatureTargetLeakage(X, y, { featureNames: names });
    expect(features.map(({ name }) => name)).toEqual(['discharge code']);
    const scaled = X.map(([age, code]) => [(age - 5) / 10, code]);
    const rows = X.map((_, row) => row);
    const split = { train: rows.slice(0, 30), test: rows.slice(30) };
    const call = checker.checkPreprocessing(X, scaled, split, { featureNames: ['age', 'age'] });
    expect(await rejection(call)).toBe("duplicate_feature_name: featureNames must be all different. Got 'age' twice.");
  });

  it('in validate and fitValidate', async () => {
    const cvkit = new CVKitValidator({ returnConfidenceIntervals: false });
    expect(target(await cvkit.validate({ model, ...told, verbose: 0 }))).toContain('discharge code');
    const [train, test] = [0, 30].map((from) => ({ X: X.slice(from, from + 30), y: y.slice(from, from + 30) }));
    const sets = { XTrain: train.X, yTrain: train.y, XTest: test.X, yTest: test.y, featureNames: names };
    expect(target(await cvkit.fitValidate({ model, ...sets, verbose: 0 }))).toContain('discharge code');
  });
});

describe('a data set is given as it is', () => {
  const wdbc = () => ({
    fit: () => undefined,
    predict: (rows: number[][]) => rows.map((row) => (row[22] > 110 ? 1 : 0)),
  });

  it('to validate, which names its features and records where it comes from', async () => {
    const dataset = await loadCancerImaging();
    const cvkit = new CVKitValidator({ returnConfidenceIntervals: false });
    const result = await cvkit.validate({ ...dataset, model: wdbc, verbose: 0 });
    const finding = result.checks.find(({ type }) => type === 'feature_target');
    // AUC of the worst perimeter: statistics.md, "WDBC (`worst perimeter` .975)".
    expect(JSON.stringify(finding)).toContain('worst_perimeter');
    expect(JSON.stringify(finding)).not.toContain('feature 22');
    const { description, license, source, sha256 } = dataset;
    expect(result.manifest.dataset).toEqual({ description, license, source, sha256 });
  });

  it('to run, as its data', async () => {
    const dataset = await loadCancerImaging();
    const seen: unknown[] = [];
    const callback = { onCvStart: ({ X }: { X: { featureNames: unknown } }) => void seen.push(X.featureNames) };
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 });
    const { metadata } = await runner.run({ model: wdbc, data: dataset, callbacks: [callback as never] });
    expect(seen).toEqual([dataset.featureNames]);
    expect(metadata.dataset?.license).toBe(dataset.license);
  });
});
