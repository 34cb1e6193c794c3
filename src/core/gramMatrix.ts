/** So small a share of the largest product is rounding in every eigenvalue, and may overflow where it divides. */
const TRIFLE = 1e-100;

/** The products of all pairs of vectors. */
export function gramMatrix(vectors: readonly Float64Array[]): number[][] {
  const products = vectors.map(() => new Array<number>(vectors.length).fill(0));
  let most = 0;
  vectors.forEach((a, at) => {
    for (let other = 0; other <= at; other++) {
      const b = vectors[other];
      let sum = 0;
      for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
      products[at][other] = sum;
      products[other][at] = sum;
    }
    most = Math.max(most, products[at][at]);
  });
  return products.map((row) => row.map((product) => (Math.abs(product) < TRIFLE * most ? 0 : product)));
}
