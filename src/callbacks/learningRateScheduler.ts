import { atOnce, InvalidOptionError } from '../core/errors.js';
import { custom, type InputOf, integer, number, optionTable, rejectUnusedOption } from '../core/options.js';
import { recordable } from '../core/recordable.js';
import type { CVCallback, EpochContext, FoldHandlers } from '../runner/callback.js';

/** The learning rate of an epoch (from 0), given the one that the model has and the one that the fold began with. */
export type Schedule = (epoch: number, rate: number, ctx: EpochContext & { readonly initial: number }) => number;

const SCHEDULES = ['cosine', 'linear'];

export const learningRateSchedulerOptions = optionTable('LearningRateScheduler', {
  schedule: custom<'cosine' | 'linear' | Schedule>(
    "'cosine' | 'linear' | (epoch, rate, ctx) => rate",
    "be 'cosine', 'linear' or a function of the epoch",
    (value) => typeof value === 'function' || SCHEDULES.includes(value as string),
  ).describe("'cosine' and 'linear' fall from the first rate to `minimum` over all epochs; a function gives each."),
  minimum: number({ min: 0 }).default(0).describe('Where the named schedules would be after the last epoch.'),
  warmup: integer({ min: 0 }).default(0).describe('Epochs over which the rate first rises in equal steps.'),
});

export type LearningRateSchedulerOptions = InputOf<typeof learningRateSchedulerOptions>;

/**
 * Sets the learning rate before each epoch of every fold. Cosine: Loshchilov & Hutter 2017 (SGDR, equation 5, without
 * restarts).
 *
 * @example
 * const callbacks = [new LearningRateScheduler({ schedule: 'cosine', warmup: 3 })];
 * const trained = await runner.run({ model: network, data: [X, y], preprocessing, ...training, callbacks });
 * console.log(trained.meanScores.roc_auc);
 */
export class LearningRateScheduler implements CVCallback {
  /** Printed, and minifiers rename classes. */
  static readonly name: string = learningRateSchedulerOptions.owner;
  readonly name = LearningRateScheduler.name;
  readonly needsEpochs = true;
  readonly #options;

  constructor(input: LearningRateSchedulerOptions) {
    const { options, changed } = learningRateSchedulerOptions.parse(input);
    this.#options = recordable(this, options);
    if (typeof options.schedule === 'function' && changed.has('minimum')) {
      rejectUnusedOption(this.name, 'minimum', 'a function gives every rate');
    }
  }

  forFold(): FoldHandlers {
    let initial: number | undefined;
    return {
      onEpochStart: (ctx) => {
        initial ??= ctx.model.getLearningRate();
        this.#setRate(ctx, initial);
      },
    };
  }

  #setRate(ctx: EpochContext, initial: number): void {
    const { epoch, epochs, model } = ctx;
    const rate = model.getLearningRate();
    const { schedule, minimum, warmup } = this.#options;
    if (epoch < warmup) {
      model.setLearningRate((initial * (epoch + 1)) / (warmup + 1));
    } else if (typeof schedule === 'function') {
      const next = schedule(epoch, epoch === warmup ? initial : rate, { ...ctx, initial });
      model.setLearningRate(atOnce(next, 'The `schedule` of LearningRateScheduler', InvalidOptionError));
    } else {
      const done = (epoch - warmup) / Math.max(1, epochs - warmup);
      const share = schedule === 'cosine' ? (1 + Math.cos(Math.PI * done)) / 2 : 1 - done;
      const floor = Math.min(minimum, initial);
      model.setLearningRate(floor + (initial - floor) * share);
    }
  }
}
