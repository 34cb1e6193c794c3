/** A model of a library of its own: the module registers the adapter, in every thread that loads it. */
import { registerAdapter } from 'cvkit';

class Share {}

registerAdapter({
  name: 'share',
  capabilities: { trains: true, epochs: false, probabilities: true, saves: false },
  matches: (model) => model instanceof Share,
  build: async (source, ctx) => source(ctx),
  async fit(model, train) {
    const labels = train.y.toArray();
    model.share = labels.filter((label) => label === 1).length / labels.length;
    return { epochs: [] };
  },
  async predict(model, X) {
    const rows = await X.toArrays();
    const risks = rows.map(([first]) => model.share / (1 + Math.exp(-first)));
    return { probabilities: { data: Float64Array.from(risks), shape: [rows.length, 1] } };
  },
});

export default () => new Share();
