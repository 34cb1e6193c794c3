/** What tfjs keeps out of the reach of `tidy` while a model runs, and when it is freed. */
import { tensorsOf } from './optimizer.js';
import { override } from './overrides.js';
import { type Layer, type LayersModel, layersWithin, type Tensor, type Tf } from './structures.js';

/**
 * Runs `work`, in which `model` is applied, inside `tidy`. The dropout masks of its recurrent layers are freed at the
 * end: tfjs keeps them until the next call, also those of ones that it makes to predict. When `work` throws,
 * everything that was kept meanwhile is freed, because tfjs forgets what gradients needed; only the optimizer's stays.
 */
export function tidied<T>(tf: Tf, model: LayersModel, work: () => T): T {
  const engine = tf.engine();
  const { keep } = engine;
  const kept: Tensor[] = [];
  const catching = (tensor: Tensor): Tensor => {
    kept.push(tensor);
    return keep.call(engine, tensor);
  };
  const restore = override([{ target: engine, properties: { keep: catching } }]);
  try {
    return tf.tidy(work as never) as T;
  } catch (error) {
    const held = new Set(tensorsOf(model.optimizer));
    tf.dispose(kept.filter((tensor) => !held.has(tensor)));
    throw error;
  } finally {
    restore();
    releaseMasks(tf, model);
  }
}

interface Recurrent {
  readonly cell?: Cell;
  /** Of Bidirectional, which applies two copies of the layer that it wraps. */
  readonly forwardLayer?: Recurrent;
  readonly backwardLayer?: Recurrent;
}

interface Cell {
  dropoutMask?: Tensor | Tensor[] | null;
  recurrentDropoutMask?: Tensor | Tensor[] | null;
  /** Of stacked ones. */
  readonly cells?: readonly Cell[];
}

/** A mask fits the batch that it was made for; only the LSTM, GRU and SimpleRNN layers themselves replace it. */
function releaseMasks(tf: Tf, model: Layer): void {
  for (const layer of layersWithin(model)) {
    const recurrent = layer as Recurrent;
    const cells = [recurrent, recurrent.forwardLayer, recurrent.backwardLayer].flatMap((each) => each?.cell ?? []);
    for (const cell of cells.flatMap((each) => [each, ...(each.cells ?? [])])) {
      for (const name of ['dropoutMask', 'recurrentDropoutMask'] as const) {
        if (!cell[name]) continue;
        tf.dispose(cell[name]);
        cell[name] = null;
      }
    }
  }
}
