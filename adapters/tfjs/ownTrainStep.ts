// biome-ignore-all lint/suspicious/noExplicitAny: whoever reads the declarations may lack the types of tfjs

/** What a {@link TrainStep} is given. Several inputs and several outputs with targets are records by name. */
export interface TrainStepContext {
  readonly tf: any;
  readonly model: any;
  /** Of this fold alone. */
  readonly optimizer: any;
  readonly x: any;
  readonly y: any;
  /** `[n]`, class weights included; undefined without sample and class weights. */
  readonly sampleWeight: any;
  /** From 0. */
  readonly epoch: number;
  /** Within the epoch, from 0. */
  readonly batch: number;
}

/**
 * The caller's own step: computes a loss, updates the model (`optimizer.minimize`) and returns the loss, a scalar
 * tensor, or a record of scalars that has `loss`. Synchronous; runs inside `tidy`, with `Math.random` seeded by fold,
 * epoch and batch; must change the weights in the first epoch, unless the learning rate is 0. `classWeight` and
 * `sampleWeight` reach it as `sampleWeight`, for it to apply; `lossFn` is used for the logs of validation rows only. A
 * tensor that it keeps with `tf.keep` stays until the caller disposes it.
 */
export type TrainStep = (step: TrainStepContext) => any;
