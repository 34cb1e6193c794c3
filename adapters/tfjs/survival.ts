/** Losses for outcomes by time, and what the outputs that they train say of new rows. */
import { AdapterError, InvalidOptionError, phrase, sentence } from '../../src/core/errors.js';
import { custom, type InputOf, optionTable } from '../../src/core/options.js';
import { recordable } from '../../src/core/recordable.js';
import { checkedShape, fields, finite, list, orNull } from '../../src/core/shape.js';
import type { Labels } from '../../src/data/labels.js';
import type { Batch, Predictions, WeightSnapshot } from '../../src/runner/frameworkAdapter.js';
import { isAscendingTimes } from '../inputs.js';
import type { Tensor, Tf } from './structures.js';

// biome-ignore lint/suspicious/noExplicitAny: tfjs types stay out of the declarations, whose readers may lack it
type OfTfjs = any;

/** A loss for targets `[n, 2]` of time and event (1 the one of interest, else 0). */
export interface SurvivalLoss {
  /** Within a run the adapter hands over the library; in a `trainStep` of one's own, pass its `tf`. */
  (yTrue: OfTfjs, yPred: OfTfjs, tf?: OfTfjs): OfTfjs;
  /** Ends of the intervals that the output has hazards of; null for a log risk. */
  readonly cuts: readonly number[] | null;
}

export const isSurvivalLoss = (loss: unknown): loss is SurvivalLoss => typeof loss === 'function' && 'cuts' in loss;

/** The same loss, with its library. */
export const boundLoss = (loss: SurvivalLoss, tf: OfTfjs): SurvivalLoss =>
  Object.assign((yTrue: Tensor, yPred: Tensor) => loss(yTrue, yPred, tf), { cuts: loss.cuts });

function survivalLoss(
  name: string,
  cuts: readonly number[] | null,
  compute: (tf: Tf, time: Tensor, event: Tensor, output: Tensor) => Tensor,
): SurvivalLoss {
  const loss = (yTrue: Tensor, yPred: Tensor, tf?: Tf) => {
    if (!tf?.split) {
      const must = 'be called with tf as third argument outside of a run';
      throw new InvalidOptionError(sentence(`The loss of ${name}`, must, phrase('none')));
    }
    const [time, event] = tf.split(yTrue, 2, 1);
    return compute(tf, time, event, yPred);
  };
  const named = Object.defineProperty(loss, 'name', { value: name });
  recordable(named, { cuts });
  return Object.assign(named, { cuts });
}

/** Taken from the log risk of a row that is no longer at risk: its exponential is 0. */
const GONE = 1e30;

/**
 * Loss of a network with one linear output unit, the log risk: the negative log partial likelihood per event (Breslow's
 * treatment of ties). Risk sets are those of the batch, so take large batches, of all rows where they fit; a batch
 * without an event has the loss 0. Row weights are refused: they would have to count in risk sets, too. Predictions are
 * risks, and survival by the Breslow baseline of the training rows of the fold, which the network predicts once more for it.
 *
 * Sources: Cox 1972, JRSS B 34:187; Katzman et al. 2018, BMC Medical Research Methodology 18:24.
 *
 * @example
 * const rows = Array.from({ length: 40 }, (_, row) => [row % 4, row % 3]);
 * const outcomes = { time: rows.map(([a], row) => 1 + ((7 * row) % 11) / (1 + a)), event: rows.map((_, row) => Number(row % 5 > 0)) };
 * const hazard = () => tf.sequential({ layers: [tf.layers.dense({ inputShape: [2], units: 1 })] });
 * const results = await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 }).run({
 *   model: hazard, data: [rows, outcomes], lossFn: coxLoss(), optimizer: 'adam', epochs: 5, batchSize: 40,
 * });
 * console.log(results.meanScores.concordance);
 */
export function coxLoss(): SurvivalLoss {
  return survivalLoss('coxLoss', null, (tf, time, event, output) => {
    const gone = tf.cast(tf.less(tf.reshape(time, [1, -1]), time), 'float32'); // [i, j]: j, at the time of i
    const total = tf.logSumExp(tf.sub(tf.reshape(output, [1, -1]), tf.mul(gone, GONE)), 1, true);
    const sum = tf.sum(tf.mul(event, tf.sub(total, output)));
    return tf.div(sum, tf.maximum(tf.sum(event), 1));
  });
}

export const discreteHazardOptions = optionTable('discreteHazardLoss', {
  cuts: custom<readonly number[]>('number[]', 'be a list of ascending times above 0', isAscendingTimes).describe(
    'Ends of the intervals, in the unit of y: one output unit for each.',
  ),
});

export type DiscreteHazardLossOptions = InputOf<typeof discreteHazardOptions>;

/** As the losses of tfjs clip probabilities. */
const EPSILON = 1e-7;

/**
 * Loss of a network with one sigmoid unit for each of `cuts`: the probability of the event in the interval that ends there, of
 * rows that were free of it before. An event at a cut belongs to the interval that ends there; a censored row counts as free
 * of it in an interval of which it was followed through half or more. Predictions are survival at the cuts (the product of
 * 1 - hazard; constant from each to the next, so choose cuts at the `times` of the scores), and as risk 1 - survival at the
 * last one. Hazards need not be proportional, and batches may be small.
 *
 * Source: Gensheimer & Narasimhan 2019, PeerJ 7:e6257.
 *
 * @example
 * const rows = Array.from({ length: 40 }, (_, row) => [row % 4, row % 3]);
 * const outcomes = { time: rows.map(([a], row) => 1 + ((7 * row) % 11) / (1 + a)), event: rows.map((_, row) => Number(row % 5 > 0)) };
 * const hazard = () => tf.sequential({ layers: [tf.layers.dense({ inputShape: [2], units: 3, activation: 'sigmoid' })] });
 * const results = await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 }).run({
 *   model: hazard, data: [rows, outcomes], lossFn: discreteHazardLoss({ cuts: [2, 5, 8] }), optimizer: 'adam', epochs: 5,
 * });
 * console.log(results.meanScores.concordance);
 */
export function discreteHazardLoss(input: DiscreteHazardLossOptions): SurvivalLoss {
  const cuts = Object.freeze(Array.from(discreteHazardOptions.resolve(input).cuts));
  const starts = cuts.map((_, k) => (k > 0 ? cuts[k - 1] : 0));
  return survivalLoss('discreteHazardLoss', cuts, (tf, time, event, output) => {
    const row = (values: readonly number[]) => tf.tensor(values as number[], [1, values.length]);
    const number = (truth: Tensor) => tf.cast(truth, 'float32');
    const isAfter = number(tf.greater(time, row(cuts)));
    const failed = tf.mul(event, tf.sub(number(tf.greater(time, row(starts))), isAfter));
    const middles = row(cuts.map((cut, k) => (starts[k] + cut) / 2));
    const followed = number(tf.greaterEqual(time, middles));
    const survived = tf.add(tf.mul(event, isAfter), tf.mul(tf.sub(1, event), followed));
    const hazard = tf.clipByValue(output, EPSILON, 1 - EPSILON);
    const logs = tf.add(tf.mul(failed, tf.log(hazard)), tf.mul(survived, tf.log(tf.sub(1, hazard))));
    return tf.neg(tf.sum(logs, 1));
  });
}

/** What is to be said where scores look beyond the last cut. */
export function lastCut(loss: unknown, { classes }: Pick<Labels, 'classes'>): string[] {
  const [cut] = isSurvivalLoss(loss) ? (loss.cuts?.slice(-1) ?? []) : [];
  const [last] = classes.slice(-1);
  if (cut === undefined || !(cut < Number(last))) return [];
  return [
    `The last of the \`cuts\` is ${cut}, and scores look at times up to ${last}: between the two nobody has a predicted event. Add cuts up to there.`,
  ];
}

/** Time and event of each row, as these losses take them. */
export function timedTargets({ numbers, codes, positive = 1 }: Labels): Float32Array {
  const data = new Float32Array(2 * numbers.length);
  numbers.forEach((time, row) => void data.set([time, Number(codes[row] === positive)], 2 * row));
  return data;
}

// What an output means: known from the loss, kept with the model, written into its file.

interface Meaning {
  readonly cuts: readonly number[] | null;
  /** Of a log risk; it is about a row with the log risk `centre`. */
  readonly baseline: { readonly centre: number; readonly times: number[]; readonly hazard: number[] } | null;
}

const meanings = new WeakMap<object, Meaning>();
/** Of a model that is being trained: by its weights as they are. */
const current = new WeakMap<object, () => Promise<Meaning>>();

/** Null for a log risk, which one unit is where nothing is known. */
export const cutsOf = (model: object): readonly number[] | null => meanings.get(model)?.cuts ?? null;

/** From now until `end`, and then for good, predictions of the model are read as the loss means them. */
export function meansAs(
  model: object,
  loss: unknown,
  { y, sampleWeight }: Pick<Batch, 'y' | 'sampleWeight'>,
  outputOfRows: () => Promise<Float64Array>,
): { end(): Promise<void>; release(): void } {
  const cuts = isSurvivalLoss(loss) ? loss.cuts : null;
  const now = async (): Promise<Meaning> => {
    if (cuts) return { cuts, baseline: null };
    const logRisk = await outputOfRows();
    const centre = logRisk.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY);
    const event = y.codes.map((each) => Number(each === (y.positive ?? 1)));
    const { baselineHazard } = await import('../../src/survival/baselineHazard.js');
    const centred = logRisk.map((each) => each - centre);
    const { times, hazard } = baselineHazard({ time: y.numbers, event }, centred, sampleWeight ?? null);
    return { cuts, baseline: { centre, times: Array.from(times), hazard: Array.from(hazard) } };
  };
  meanings.set(model, { cuts, baseline: null });
  current.set(model, now);
  return {
    async end() {
      meanings.set(model, await now());
    },
    release() {
      current.delete(model);
    },
  };
}

/** Weights that are put back bring their baseline with them. */
export function withMeaning(model: object, weights: WeightSnapshot): WeightSnapshot | Promise<WeightSnapshot> {
  const known = current.get(model)?.();
  if (!known) return weights;
  return known.then((meaning) => ({
    release: () => weights.release(),
    restore: async () => {
      await weights.restore();
      meanings.set(model, meaning);
    },
  }));
}

/** Risks, and survival where it is known: at the cuts, else at `wanted`. */
export async function survivalAnswer(
  model: object,
  output: Float64Array,
  wanted: readonly number[],
): Promise<Predictions> {
  const { cuts, baseline } = (await current.get(model)?.()) ?? meanings.get(model) ?? { cuts: null, baseline: null };
  if (cuts) {
    const width = cuts.length;
    const data = output.map((hazard) => 1 - hazard);
    for (let at = 0; at < data.length; at++) if (at % width > 0) data[at] *= data[at - 1];
    const n = data.length / width;
    const risk = Float64Array.from({ length: n }, (_, row) => 1 - data[(row + 1) * width - 1]);
    return { risk, survival: { data, shape: [n, width], times: cuts } };
  }
  if (!baseline || wanted.length === 0) return { risk: output };
  const { hazardAt } = await import('../../src/survival/baselineHazard.js');
  const [times, hazard] = [Float64Array.from(baseline.times), Float64Array.from(baseline.hazard)];
  const hazards = wanted.map((time) => hazardAt({ stratum: 0, times, hazard }, time));
  const data = new Float64Array(output.length * wanted.length);
  output.forEach((logRisk, row) => {
    const ratio = Math.exp(logRisk - baseline.centre);
    data.set(
      hazards.map((each) => (each === 0 ? 1 : Math.exp(-each * ratio))),
      row * wanted.length,
    );
  });
  return { risk: output, survival: { data, shape: [output.length, wanted.length], times: wanted } };
}

interface WithMetadata {
  getUserDefinedMetadata?(): Readonly<Record<string, unknown>> | undefined;
  setUserDefinedMetadata?(metadata: object): void;
}

const KEY = 'cvkitSurvival';
const MEANING = fields({
  cuts: orNull(list(finite)),
  baseline: orNull(fields({ centre: finite, times: list(finite), hazard: list(finite) })),
});

/** Before a model is saved: among what tfjs writes beside the layers. */
export function writeMeaning(model: object & WithMetadata): void {
  const meaning = meanings.get(model);
  if (meaning) model.setUserDefinedMetadata?.({ ...model.getUserDefinedMetadata?.(), [KEY]: meaning });
}

export function readMeaning(model: object & WithMetadata): void {
  const written = model.getUserDefinedMetadata?.()?.[KEY];
  if (written === undefined) return;
  meanings.set(model, checkedShape<Meaning>(MEANING, written, `The \`${KEY}\` of a saved network`));
}

/** Refuses a loss that says nothing of time. */
export function checkSurvivalLoss(loss: unknown): void {
  if (loss === undefined || isSurvivalLoss(loss)) return;
  const must = 'be coxLoss() or discreteHazardLoss({ cuts }) for a survival task';
  const way = "Import it from 'cvkit/adapters/tfjs'.";
  throw new AdapterError(sentence('The `lossFn` option', must, loss, way), { code: 'loss_mismatch' });
}
