/** A model for threads: `shrink` pulls both class means towards the mean of all rows. */
export default ({ shrink = 0 }) => new Centroid(shrink);

class Centroid {
  constructor(shrink) {
    if (shrink > 1) throw new Error('shrink must be at most 1');
    this.shrink = shrink;
  }

  fit(X, y) {
    const mean = (rows) => X[0].map((_, at) => rows.reduce((sum, row) => sum + row[at], 0) / rows.length);
    const all = mean(X);
    this.means = [0, 1].map((label) => {
      const own = mean(X.filter((_, row) => y[row] === label));
      return own.map((value, at) => value + this.shrink * (all[at] - value));
    });
  }

  predictProba(X) {
    return X.map((row) => {
      const [zero, one] = this.means.map((mean) => Math.hypot(...row.map((value, at) => value - mean[at])));
      const p = 1 / (1 + Math.exp(one - zero));
      return [1 - p, p];
    });
  }

  predict(X) {
    return this.predictProba(X).map(([, p]) => (p > 0.5 ? 1 : 0));
  }
}
