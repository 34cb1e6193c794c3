import type { FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';

/** A real, tiny learner in the fit/predict style: classifies by the nearer class mean, epochs are passes. */
export class NearestMean {
  means = new Map<unknown, number[]>();
  fits = 0;

  fit(X: number[][], y: unknown[]): this {
    this.fits++;
    this.means.clear();
    for (const label of new Set(y)) {
      const rows = X.filter((_, i) => y[i] === label);
      this.means.set(
        label,
        X[0].map((_, j) => rows.reduce((sum, row) => sum + row[j], 0) / rows.length),
      );
    }
    return this;
  }

  distance(row: number[], label: unknown): number {
    const mean = this.means.get(label);
    return mean ? Math.hypot(...row.map((v, j) => v - mean[j])) : Number.POSITIVE_INFINITY;
  }

  predict(X: number[][]): unknown[] {
    const labels = [...this.means.keys()];
    return X.map((row) =>
      labels.reduce((best, label) => (this.distance(row, label) < this.distance(row, best) ? label : best)),
    );
  }
}

/** Counts of what an adapter was asked to do. */
export interface Spy {
  built: number;
  disposed: number;
  closed: number;
  trainedOn: number[][];
  validatedOn: number[][];
  predicted: number;
  seeds: number[];
}

/** An adapter with epochs over {@link NearestMean}, with every call counted; parts can be replaced to break it. */
export function spyAdapter(replace: Partial<FrameworkAdapter<NearestMean>> = {}): {
  adapter: FrameworkAdapter<NearestMean>;
  spy: Spy;
} {
  const spy: Spy = { built: 0, disposed: 0, closed: 0, trainedOn: [], validatedOn: [], predicted: 0, seeds: [] };
  const adapter: FrameworkAdapter<NearestMean> = {
    name: 'spy',
    capabilities: { trains: true, epochs: true, probabilities: true, labelsFromProbabilities: true, saves: false },
    matches: (model) => model instanceof NearestMean,
    open: async () => ({
      info: { engine: 'none' },
      close: async () => {
        spy.closed++;
      },
    }),
    async build(source, ctx) {
      spy.built++;
      return typeof source === 'function' ? source(ctx) : new NearestMean();
    },
    async fit(model, train, options, hooks) {
      spy.trainedOn.push(Array.from(train.indices));
      spy.seeds.push(options.seed);
      if (options.validation) spy.validatedOn.push(Array.from(options.validation.indices));
      const epochs = [];
      for (let epoch = 0; epoch < options.epochs; epoch++) {
        options.signal?.throwIfAborted();
        await hooks.onEpochStart(epoch);
        model.fit((await train.X.toArrays()) as number[][], train.y.toArray());
        const logs = { loss: 1 / (epoch + 1), ...(options.validation ? { val_loss: 0.5 } : {}) };
        epochs.push(logs);
        if ((await hooks.onEpochEnd(epoch, logs)) === 'stop') break;
      }
      return { epochs };
    },
    async predict(model, X, { classes }) {
      spy.predicted++;
      const rows = (await X.toArrays()) as number[][];
      const data = new Float64Array(rows.length * classes.length);
      rows.forEach((row, i) => {
        const closeness = classes.map((label) => Math.exp(-model.distance(row, label)));
        const sum = closeness.reduce((a, b) => a + b, 0) || 1;
        closeness.forEach((value, j) => {
          data[i * classes.length + j] = value / sum;
        });
      });
      return { probabilities: { data, shape: [rows.length, classes.length] } };
    },
    snapshot(model) {
      const means = new Map(model.means);
      return {
        restore() {
          model.means = means;
        },
        release: () => undefined,
      };
    },
    dispose() {
      spy.disposed++;
    },
    ...replace,
  };
  return { adapter, spy };
}

/** Two blobs in two dimensions that overlap a little; seedless and fixed. */
export function blobs(n = 40): { X: number[][]; y: number[] } {
  const wobble = (i: number) => Math.sin(i * 12.9898) * 1.5;
  const y = Array.from({ length: n }, (_, i) => i % 2);
  return { X: y.map((label, i) => [label * 2 + wobble(i), wobble(i + 0.5)]), y };
}

/** Gives probabilities by the distance from both means. */
export const probabilistic = () => {
  const model = new NearestMean();
  return {
    classes: [0, 1],
    fit: (rows: number[][], labels: unknown[]) => void model.fit(rows, labels),
    predictProba: (rows: number[][]) =>
      rows.map((row) => {
        const [a, b] = [model.distance(row, 0), model.distance(row, 1)];
        return [b / (a + b), a / (a + b)];
      }),
  };
};
