import { AdapterError, phrase, sentence, threw } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { rejectUnusedOption } from '../../src/core/options.js';
import type { TrainStep } from '../../src/runner/frameworkAdapter.js';
import { shapeText } from '../inputs.js';
import type { Output } from './outputs.js';
import { isTfjsTensor, type LayersModel, type Tensor, type Tf } from './structures.js';
import type { Step, StepLogs } from './trainStep.js';

const CODE = 'invalid_train_step';

export function callerStep(
  tf: Tf,
  model: LayersModel,
  outputs: readonly Output[],
  trainStep: TrainStep,
  weightOption: string,
): Step {
  let readsWeights = false;
  const outputNames = outputs.map(({ name }) => name);
  return ({ x, y, weights }, { epoch, batch }) => {
    const logs = checkResult(
      fromCaller({ name: 'trainStep', must: 'return the loss', code: CODE }, () =>
        trainStep({
          tf,
          model,
          optimizer: model.optimizer,
          x: byName(model.inputNames, x),
          y: byName(outputNames, y),
          get sampleWeight() {
            readsWeights = true;
            return weights[0];
          },
          epoch,
          batch,
        }),
      ),
    );
    if (weights[0] && !readsWeights) {
      rejectUnusedOption('run', weightOption, 'the `trainStep` does not read `sampleWeight`, which holds it');
    }
    return logs;
  };
}

function checkResult(result: unknown): StepLogs {
  const refuse = (must: string, got: unknown, way?: string) => {
    throw new AdapterError(sentence('The `trainStep` function', must, got, way), { code: CODE });
  };
  const logs: unknown = isTfjsTensor(result) ? { loss: result } : result;
  if (typeof logs !== 'object' || logs === null) {
    refuse('return the loss, a scalar tensor, or a record of scalars that has `loss`', result);
  }
  const { loss, ...others } = logs as Record<string, Tensor>;
  if (!isTfjsTensor(loss)) refuse('return a scalar tensor as `loss`', loss);
  for (const [name, value] of Object.entries({ loss, ...others })) {
    if (!isTfjsTensor(value)) refuse('return scalar tensors only', phrase(`${typeof value} as \`${nameText(name)}\``));
    if (value.size !== 1) {
      const got = phrase(`shape ${shapeText(value.shape)} as \`${nameText(name)}\``);
      refuse('return scalar tensors only', got, 'Take its mean.');
    }
  }
  return { loss, ...others };
}

export const byName = (names: readonly string[], tensors: readonly Tensor[]): Tensor | Record<string, Tensor> =>
  names.length === 1 ? tensors[0] : Object.fromEntries(names.map((name, at) => [name, tensors[at]]));

interface Called {
  readonly name: string;
  readonly must: string;
  readonly code: string;
}

export function fromCaller<T>({ name, must, code }: Called, call: () => T): T {
  const subject = `The \`${name}\` function`;
  let result: T;
  try {
    result = call();
  } catch (error) {
    return threw(subject, must, code)(error);
  }
  if (typeof (result as PromiseLike<unknown> | undefined)?.then !== 'function') return result;
  const why = 'be synchronous, because tensors and seeds live for one call';
  throw new AdapterError(sentence(subject, why, phrase('a promise')), { code });
}
