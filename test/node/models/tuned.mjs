import counted from './counted.mjs';

/** A counted model whose probabilities are drawn towards a half; a share of 0.9 cannot be trained. */
export default ({ shrink = 0 }) => {
  const model = counted();
  const { fit, predictProba } = Object.getPrototypeOf(model);
  return Object.assign(model, {
    async fit(X, y) {
      if (shrink === 0.9) throw new Error('shrinks too much');
      return fit.call(model, X, y);
    },
    predictProba(X) {
      return predictProba.call(model, X).map(([, p]) => {
        const shrunk = p + shrink * (0.5 - p) + (shrink > 0.4 ? 0.1 * Math.sin(100 * p) : 0);
        return [1 - shrunk, shrunk];
      });
    },
  });
};
