// Calibration of a model of my own, as it is and recalibrated inside the folds.
import { calibrationCurve, loadCancerImaging, StratifiedKFold, UniversalCVRunner } from 'cvkit';

/** The share of positive rows below and above the mean of the first feature, too extreme. */
class Halves {
  fit(X, y) {
    this.cut = X.reduce((sum, [first]) => sum + first, 0) / X.length;
    const side = (above) => y.filter((_, row) => X[row][0] > this.cut === above);
    const share = (labels) => labels.filter((label) => label === 1).length / labels.length;
    this.shares = [false, true].map((above) => share(side(above)));
  }
  predictProba(X) {
    return X.map(([first]) => {
      const p = this.shares[Number(first > this.cut)] ** 2;
      return [1 - p, p];
    });
  }
}

const { X, y } = await loadCancerImaging();
const runner = new UniversalCVRunner({
  cvSplitter: new StratifiedKFold({ shuffle: true, randomState: 1 }),
  verbose: 0,
});
for (const recalibrate of [undefined, 'platt']) {
  const { outOfFold } = await runner.run({ model: () => new Halves(), data: [X, y], recalibrate });
  const { slope, intercept } = calibrationCurve(outOfFold.yTrue, outOfFold.yProba);
  console.log(recalibrate ?? 'as it is', slope.estimate, intercept.estimate);
}
