import type { EpochLogs, FrameworkAdapter, HeldMemory } from '../../src/runner/frameworkAdapter.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';

/** A model of one weight, which grows by its learning rate in every epoch and is what it predicts for every row. */
export class Climber {
  weight = 0;
  rate = 1;
}

export interface Script {
  /** `val_loss` by epoch. */
  readonly valLoss?: readonly number[];
  /** Logs the adapter gives besides. */
  readonly logs?: (epoch: number) => Record<string, number>;
}

/** What an adapter over {@link Climber} did, model by model: places it saved to, snapshots it still holds, models it disposed. */
export interface Deeds {
  readonly saved: { place: unknown; weight: number }[];
  readonly loaded: unknown[];
  readonly rates: number[];
  held: number;
  disposed: number;
}

/** An adapter with epochs whose logs are written beforehand, so that what callbacks do is seen in the predictions. */
export function scriptedAdapter(
  { valLoss = [], logs = () => ({}) }: Script = {},
  replace: Partial<FrameworkAdapter<Climber>> = {},
): { adapter: FrameworkAdapter<Climber>; deeds: Deeds } {
  const saved = new Map<Climber, Deeds['saved']>();
  const rates = new Map<Climber, number[]>();
  const deeds: Deeds = {
    get saved() {
      return [...saved.values()].flat();
    },
    loaded: [],
    get rates() {
      return [...rates.values()].flat();
    },
    held: 0,
    disposed: 0,
  };
  const adapter: FrameworkAdapter<Climber> = {
    name: 'scripted',
    capabilities: { trains: true, epochs: true, probabilities: false, saves: true },
    matches: (model) => model instanceof Climber,
    build: async (source, ctx) => (typeof source === 'function' ? source(ctx) : Object.assign(new Climber(), source)),
    async fit(model, _train, { epochs, validation }, hooks) {
      const history: EpochLogs[] = [];
      for (let epoch = 0; epoch < epochs; epoch++) {
        await hooks.onEpochStart(epoch);
        rates.set(model, [...(rates.get(model) ?? []), model.rate]);
        model.weight += model.rate;
        const watched: EpochLogs = validation ? { val_loss: valLoss[epoch] ?? 0 } : {};
        history.push({ loss: 0, ...watched, ...logs(epoch) });
        if ((await hooks.onEpochEnd(epoch, history[epoch])) === 'stop') break;
      }
      return { epochs: history };
    },
    predict: async (model, X) => ({ values: new Float64Array(X.length).fill(model.weight) }),
    snapshot(model) {
      const { weight } = model;
      deeds.held++;
      return {
        restore() {
          model.weight = weight;
        },
        release() {
          deeds.held--;
        },
      };
    },
    learningRate: {
      get: ({ rate }) => rate,
      set: (model, rate) => {
        model.rate = rate;
      },
    },
    async save(model, place) {
      saved.set(model, [...(saved.get(model) ?? []), { place, weight: model.weight }]);
    },
    async load(place) {
      deeds.loaded.push(place);
      const saved = deeds.saved.findLast((each) => each.place === place);
      return Object.assign(new Climber(), { weight: saved?.weight });
    },
    dispose: () => void deeds.disposed++,
    ...replace,
  };
  return { adapter, deeds };
}

/** A library whose memory is what `held` says. */
export const memoryOf = (held: () => number) => (): HeldMemory => ({ tensors: held(), bytes: held() * 1000 });

/** Twelve rows and a continuous target. */
export const line = {
  X: Array.from({ length: 12 }, (_, row) => [row]),
  y: Array.from({ length: 12 }, (_, row) => row / 10),
};

/** A run of climbers over scripted logs, with what the adapter did. */
export async function climb(options: Partial<RunOptions> = {}, script: Script = {}, replace = {}, nSplits = 2) {
  const { adapter, deeds } = scriptedAdapter(script, replace);
  const results = await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits }), adapter, verbose: 0 }).run({
    model: () => new Climber(),
    data: [line.X, line.y],
    task: 'regression',
    ...options,
  });
  return { results, deeds };
}
