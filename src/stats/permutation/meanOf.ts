/** Mean and standard error over permutations. */
export function meanOf(values: readonly number[]): { mean: number; se: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, se: Math.sqrt(squares / (values.length - 1) / values.length) };
}
