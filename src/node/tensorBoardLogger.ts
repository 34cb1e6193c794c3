import { CVKitError } from '../core/errors.js';
import { pathSegment } from '../core/foreignText.js';
import { type InputOf, optionTable, string } from '../core/options.js';
import type { Score } from '../metrics/metric.js';
import type { CVCallback, EpochModel, FoldHandlers } from '../runner/callback.js';
import type { EpochLogs, FoldContext } from '../runner/frameworkAdapter.js';

export const tensorBoardLoggerOptions = optionTable('TensorBoardLogger', {
  directory: string().describe(
    'Where the event files go, in a folder for each fold; it is made where it is missing. Nothing in it is overwritten.',
  ),
});

export type TensorBoardLoggerOptions = InputOf<typeof tensorBoardLoggerOptions>;

/**
 * Writes what TensorBoard shows, while the run goes on (`cvkit/node`): after each epoch of a fold its logs and, where the adapter tells it, the
 * learning rate that it was trained with (`learningRate`); at the end of a fold its scores (`score/roc_auc`; with
 * `returnTrainScores` also `train_score/roc_auc`). Each fold has a folder, and so a curve, of its own. Numbers are 32-bit floats, as
 * TensorBoard's own writers have them. Files are whole after each epoch, also those of a run that was killed.
 *
 * A directory of an earlier run gets new files, and TensorBoard shows the newest of each fold.
 *
 * @throws {CVKitError} before the first fold, for a directory that cannot be written to
 * @example
 * const callbacks = [new TensorBoardLogger({ directory: 'tensorboard' })]; // then: tensorboard --logdir tensorboard
 * await runner.run({ model: network, data: [X, y], preprocessing, ...training, callbacks });
 * console.log(await readdir('tensorboard'));
 */
export class TensorBoardLogger implements CVCallback {
  readonly name = 'TensorBoardLogger';
  readonly readOnly = true;
  readonly #directory: string;

  constructor(input: TensorBoardLoggerOptions) {
    this.#directory = tensorBoardLoggerOptions.resolve(input).directory;
  }

  async onCvStart(): Promise<void> {
    const { checkFolder } = await eventFiles();
    await checkFolder(this.#directory);
  }

  /** @param ctx the fold, whose id names its folder */
  forFold(ctx: FoldContext): FoldHandlers {
    const { fold } = ctx;
    const folder = `${this.#directory}/${pathSegment(fold)}`;
    let file: string | undefined;
    let epochs = 0;
    const add = async (epoch: number, values: Readonly<Record<string, number>>) => {
      const { newEventFile, addScalars } = await eventFiles();
      file ??= await newEventFile(folder);
      await addScalars(file, epoch, values);
      epochs = epoch + 1;
    };
    return {
      onEpochEnd: ({ epoch, model }, logs) => add(epoch, { ...learningRate(model), ...logs }),
      async onFoldEnd(_ctx, result) {
        if (result.status === 'failed') return;
        // Of a fold that was kept in a run directory nothing was heard.
        if (epochs === 0) for (const [epoch, logs] of result.history.epochs.entries()) await add(epoch, logs);
        const { scores, trainScores = {} } = result;
        await add(Math.max(0, epochs - 1), { ...valuesOf('score', scores), ...valuesOf('train_score', trainScores) });
      },
    };
  }
}

/** Loaded when a run begins. */
const eventFiles = () => import('./eventFile.js');

function learningRate(model: EpochModel): EpochLogs {
  try {
    return { learningRate: model.getLearningRate() };
  } catch (error) {
    // Adapters that know of none say so.
    if (error instanceof CVKitError) return {};
    throw error;
  }
}

const valuesOf = (kind: string, scores: Readonly<Record<string, Score>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(scores).flatMap(([name, { value }]) => (value === null ? [] : [[`${kind}/${name}`, value]])),
  );
