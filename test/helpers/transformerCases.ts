/** Cases of scikit-learn's transformers, and what all transformers are held to. */
import { expect, it } from 'vitest';
import { transformerFromJSON } from '../../src/preprocessing/transformerFromJSON.js';
import reference from '../reference/transformers.json' with { type: 'json' };

type Cell = number | string | null;

/** A case of test/reference/transformers.py. */
export interface Case {
  readonly transformer: string;
  readonly options: object;
  readonly fit: Cell[][];
  readonly later: Cell[][];
  readonly names: string[];
  readonly fitted: Cell[][];
  /** Null where scikit-learn refuses the later rows. */
  readonly transformed: Cell[][] | null;
  readonly y?: number[];
  readonly scores?: (number | null)[];
  readonly pvalues?: (number | null)[];
  readonly weight?: number[];
}

interface Made {
  fit(X: unknown[][], y?: unknown[] | null, sampleWeight?: number[]): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: cells of any kind
  transform(X: unknown[][]): Promise<any[][]>;
  getFeatureNamesOut(): readonly string[];
  toJSON(): unknown;
}

/** Names as scikit-learn writes them: `x0_1.0` for the number 1, `x0_infrequent_sklearn`. */
const asHere = (name: string) => name.replace(/_(\d+)\.0$/, '_$1').replace(/_infrequent_sklearn$/, '_infrequent');

/** The same cells: text as it is, numbers to 1e-10 of the largest one of their column. */
export function expectCells(got: unknown[][], expected: Cell[][]): void {
  expect(got.length).toBe(expected.length);
  const size = (expected[0] ?? []).map((_, column) =>
    expected.reduce((most, row) => Math.max(most, Math.abs(Number(row[column])) || 0), 1),
  );
  expected.forEach((row, at) => {
    expect(got[at].length).toBe(row.length);
    row.forEach((cell, column) => {
      const value = got[at][column];
      if (typeof cell === 'string') expect(value).toBe(cell);
      else if (cell === null) expect(value === null || Number.isNaN(value)).toBe(true);
      else expect(Math.abs((value as number) - cell) / size[column], `row ${at}, column ${column}`).toBeLessThan(1e-10);
    });
  });
}

/** Holds a class to its cases: cells, names, a copy by JSON, and the rows that it was given. */
export function likeScikitLearn(name: string, make: (options: never) => Made): void {
  const cases = (reference.cases as Case[]).filter(({ transformer }) => transformer === name);
  it.each(cases.map((each, at) => [`${at}: ${JSON.stringify(each.options)}`, each] as const))(
    'is as scikit-learn has it, case %s',
    async (_, { options, fit, later, y, weight, ...expected }) => {
      const before = JSON.stringify([fit, later]);
      const made = make(options as never);
      await made.fit(fit, y, weight);
      expectCells(await made.transform(fit), expected.fitted);
      expect(made.getFeatureNamesOut()).toEqual(expected.names.map(asHere));
      if (expected.transformed) expectCells(await made.transform(later), expected.transformed);
      else await expect(made.transform(later)).rejects.toThrow('must be one of its categories');
      const again = transformerFromJSON(JSON.parse(JSON.stringify(made))) as unknown as Made;
      expect(await again.transform(fit)).toEqual(await made.transform(fit));
      expect(again.getFeatureNamesOut()).toEqual(made.getFeatureNamesOut());
      expect(JSON.stringify([fit, later])).toBe(before);
    },
  );
  it('has cases', () => expect(cases.length).toBeGreaterThan(2));
}
