/** Functions of rows that a FunctionTransformer names by this module. */

/** The ratio of the first two columns as one more column. */
export const withRatio = (X, { plus }) => X.map((row) => [...row, 10 * (row[0] / (Math.abs(row[1]) + plus))]);

export default (X) => X.map((row) => row.map((value) => value / 2));

export const notOne = 3;
