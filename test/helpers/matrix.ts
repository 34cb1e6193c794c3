/** Rows of numbers as one text: `matrix('0 1 | 1 0')` is [[0, 1], [1, 0]]. */
export const matrix = (text: string): number[][] => text.split('|').map((row) => row.trim().split(/\s+/).map(Number));
