/** Predicts a number: the mean of y plus the first feature times a drawn slope. */
export default () => {
  let [mean, slope] = [0, 0];
  return {
    fit(_X, y) {
      mean = y.reduce((sum, value) => sum + value, 0) / y.length;
      slope = Math.random();
    },
    predict: (X) => X.map(([first]) => mean + slope * first),
  };
};
