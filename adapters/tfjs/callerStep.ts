/** The step that a caller writes, ready to run, and its result checked. Its types are in ownTrainStep.ts. */

import { AdapterError, phrase, sentence } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { rejectUnusedOption } from '../../src/core/options.js';
import { byName, fromCaller } from './callerFunctions.js';
import type { Output } from './outputs.js';
import type { TrainStep } from './ownTrainStep.js';
import { isTensor, type LayersModel, type Tensor, type Tf } from './structures.js';
import type { Step, StepLogs } from './trainStep.js';

const CODE = 'invalid_train_step';

/** The caller's step with its result checked. */
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
  const logs: unknown = isTensor(result) ? { loss: result } : result;
  if (typeof logs !== 'object' || logs === null) {
    refuse('return the loss, a scalar tensor, or a record of scalars that has `loss`', result);
  }
  const { loss, ...others } = logs as Record<string, Tensor>;
  if (!isTensor(loss)) refuse('return a scalar tensor as `loss`', loss);
  for (const [name, value] of Object.entries({ loss, ...others })) {
    if (!isTensor(value)) refuse('return scalar tensors only', phrase(`${typeof value} as \`${nameText(name)}\``));
    if (value.size !== 1) {
      refuse(
        'return scalar tensors only',
        phrase(`shape [${value.shape.join(', ')}] as \`${nameText(name)}\``),
        'Take its mean.',
      );
    }
  }
  return { loss, ...others };
}
