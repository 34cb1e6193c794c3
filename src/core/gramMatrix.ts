/** So small a share of the largest number is rounding in what is decomposed, where it may overflow or end no loop. */
const TRIFLE = 1e-100;

/** Vectors for a decomposition: with 0 for what is nothing beside the largest number. */
export function withoutTrifles(vectors: readonly Float64Array[]): Float64Array[] {
  const largest = (vector: Float64Array) => vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const least = TRIFLE * vectors.reduce((most, vector) => Math.max(most, largest(vector)), 0);
  return vectors.map((vector) => vector.map((value) => (Math.abs(value) < least ? 0 : value)));
}

/** The products of all pairs of vectors, for a decomposition. */
export function gramMatrix(vectors: readonly Float64Array[]): Float64Array[] {
  const products = vectors.map(() => new Float64Array(vectors.length));
  vectors.forEach((a, at) => {
    for (let other = 0; other <= at; other++) {
      const b = vectors[other];
      let sum = 0;
      for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
      products[at][other] = sum;
      products[other][at] = sum;
    }
  });
  return withoutTrifles(products);
}
